// Settings of a Transformer of Marian (special:model.yml), and its layers by their names in heed and
// in Marian.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exchange/toolkit_model.h"

namespace heed {

// Layer in the place of the decoder's self-attention (transformer-decoder-autoreg).
enum class MarianMemory { kSelfAttention, kAverage, kSsru };

struct MarianShape {
  int64_t width = 0, encoder_layers = 0;
  std::vector<int64_t> decoder_layers;  // the number of each in the names
  MarianMemory memory = MarianMemory::kSelfAttention;
  bool pre_norm = false, rms = false, final_norm = false, embedding_norm = false;
  bool projection = true;    // behind multi-head attention
  bool gelu = false;         // x·σ(1.702 x), which is silu with other weights
  bool bias = true;          // of the output layer
  std::string tie = "none";  // heed's word

  const char* source_embedding() const { return shares_inputs() ? "Wemb" : "encoder_Wemb"; }
  const char* target_embedding() const { return shares_inputs() ? "Wemb" : "decoder_Wemb"; }
  bool shares_inputs() const { return tie == "all" || tie == "inputs"; }
  bool ties_output() const { return tie == "all" || tie == "target"; }
};

inline constexpr const char* kMarianOutput = "decoder_ff_logit_out";

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
  MarianShape shape;
  Json model;  // the keys of heed's config
};
// Refuses the model for settings that heed has no form for; warns of keys that it does not know.
MarianSettings read_marian_settings(const Json& settings);

// Settings of search. found: the file for marian-decoder, or an empty object. is_quantized: without such
// a file, the settings are those of Firefox Translations, else Marian's defaults.
Json marian_search(const Json& found, bool is_quantized);

}  // namespace heed
