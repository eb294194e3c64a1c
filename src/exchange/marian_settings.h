// Settings of a model of Marian (special:model.yml), and the layers of a Transformer by their names in
// heed and in Marian.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "exchange/marian_recurrent.h"
#include "exchange/marian_tables.h"
#include "exchange/toolkit_model.h"

namespace heed {

// Layer in the place of the decoder's self-attention (transformer-decoder-autoreg).
enum class MarianMemory { kSelfAttention, kAverage, kSsru };

struct MarianShape : MarianTables {
  int64_t encoder_layers = 0;
  std::vector<int64_t> decoder_layers;  // the number of each in the names
  MarianMemory memory = MarianMemory::kSelfAttention;
  bool pre_norm = false, rms = false, final_norm = false, embedding_norm = false;
  bool projection = true;  // behind multi-head attention
  bool gelu = false;       // x·σ(1.702 x), which is silu with other weights
};

// A weight and a bias, each empty if the layer has none.
struct MarianLayer {
  std::string own, weight, bias;
  bool is_linear = true;  // false: a norm, whose weight is no matrix
};
std::vector<MarianLayer> marian_layers(const MarianShape& shape);
// The gates of an average attention network: two matrices, of token and average, which are two blocks
// of the one of heed.
struct MarianGates {
  std::string own, token, average;
};
std::vector<MarianGates> marian_gates(const MarianShape& shape);

struct MarianSettings {
  std::variant<MarianShape, MarianRecurrentShape> shape;
  Json model;  // the keys of heed's config
  const MarianTables& tables() const {
    return std::visit([](const auto& own) -> const MarianTables& { return own; }, shape);
  }
};
// Refuses the model for settings that heed has no form for; warns of keys that it does not know.
MarianSettings read_marian_settings(const Json& settings);

// Settings of search. found: the file for marian-decoder, or an empty object. is_quantized: without such
// a file, the settings are those of Firefox Translations, else Marian's defaults.
Json marian_search(const Json& found, bool is_quantized);

}  // namespace heed
