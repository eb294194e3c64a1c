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
  // Widths of the feed-forward layers, of which an import alone needs to know.
  int64_t encoder_inner = 0, decoder_inner = 0, average_inner = 0;
};

// A weight and a bias, each empty if the layer has none.
struct MarianLayer {
  std::string own, weight, bias;
  bool is_linear = true;  // false: a norm, whose weight is no matrix
  int64_t inputs = 0, outputs = 0;
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

// Settings of search. found: the file for marian-decoder, or no keys. is_quantized: without such a file,
// the settings are those of Firefox Translations, else Marian's defaults. Refuses the model with all
// values that search cannot have.
Json marian_search(const YamlFile& found, bool is_quantized);

}  // namespace heed
