// Recurrent models of Marian (type s2s, amun or nematus): their settings, and their layers in heed and in
// Marian, except embeddings and output layer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "exchange/marian_tables.h"
#include "exchange/toolkit_model.h"
#include "model/encoders/rnn_config.h"
#include "model/saved_model_config.h"

namespace heed {

struct MarianRecurrentShape : MarianTables {
  using Stacks = RnnEncoderConfig::Stacks;
  MarianRecurrentShape() { output = "decoder_ff_logit_l2"; }
  int64_t state = 0;  // width of the states (dim-rnn)
  CellKind encoder_cell = CellKind::kGru, decoder_cell = CellKind::kGru;
  Stacks stacks = Stacks::kSeparate;  // enc-type; of several layers
  // Layers, and cells of a layer: in the encoder, in the first layer of the decoder and above it.
  int64_t encoder_layers = 1, encoder_cells = 1, decoder_layers = 1, base_cells = 2, high_cells = 1;
  bool skip = false, layer_norm = false;
  bool has_names_of_nematus = false;  // types amun and nematus
  // Width of the states of the encoder.
  int64_t source() const { return 2 * state; }
};

struct MarianRecurrentSettings {
  MarianRecurrentShape shape;
  Json model;  // the keys of heed's config
};
// Refuses the model for settings that heed has no form for; warns of keys that it does not know.
MarianRecurrentSettings read_marian_recurrent_settings(const Json& settings);

// Names of parameters in files of amun and nematus, with those of s2s.
std::map<std::string, std::string> names_of_nematus(const MarianRecurrentShape& shape);

// Parameters of heed, from those of Marian.
NamedTensors read_marian_recurrent(const MarianRecurrentShape& shape, ToolkitParameters& from);

// Throws Error(kUsage) with a list of what Marian cannot hold of a recurrent model.
MarianRecurrentShape marian_recurrent_shape(const SavedModelConfig& config);
// Parameters of Marian, from those of heed. Throws Error(kUsage) for numbers that Marian has no place
// for.
NamedTensors write_marian_recurrent(const MarianRecurrentShape& shape, const NamedTensors& own);
// Keys of special:model.yml, without those of the vocabularies.
std::vector<std::pair<std::string, std::string>> marian_settings_of(
    const MarianRecurrentShape& shape);

}  // namespace heed
