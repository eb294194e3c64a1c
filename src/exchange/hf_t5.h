// T5 and the models of its form (T5 1.1, mT5, UMT5, MADLAD-400): RMSNorm before each sublayer, learned
// biases for distances in place of positions, dot products without a scale, layers without biases.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "exchange/hf_names.h"
#include "exchange/hf_settings.h"

namespace heed {

// Reads the keys of config.json that models of other types do not have.
void read_t5_config(JsonSettings& config, HfSettings& settings);

// `model` of the config.
std::string t5_model_text(const HfSettings& from);

// All parameters except embeddings and the output layer. In the file, layers have no biases, and the
// first layer of a stack has the biases of distances of all its layers, except in UMT5.
std::vector<NamePair> t5_names(const HfSettings& from);

// A parameter of old files that transformers does not read.
inline constexpr const char* kUnusedByT5 =
    "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight";

// Sentinels by id: <extra_id_0> is the last of `count` tokens behind the pieces.
std::map<int64_t, std::string> t5_sentinels(int64_t pieces, int64_t count);

}  // namespace heed
