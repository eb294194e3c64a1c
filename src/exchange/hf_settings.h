// config.json, generation_config.json and tokenizer_config.json of a model folder of transformers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "exchange/hf_generation.h"
#include "inference/transformer_shape.h"

namespace heed {

// Classes of transformers that heed has a form for. All add sinusoidal positions, all sines before
// all cosines. Those without languages have a bias for each token (final_logits_bias).
struct HfClass {
  const char *model_type, *name;
  std::vector<std::string> tokenizers;  // classes with text as heed has it
  bool post_norm;
  bool may_have_two_tables;  // embeddings of the source and of the target
  // Tokens that say the languages; positions of fairseq (nn/positions.h); scaled embeddings unless
  // config.json says otherwise.
  bool has_languages;
};
const std::vector<HfClass>& hf_classes();

struct HfStack {
  int64_t layers = 0, feed_forward = 0, heads = 0;
  double layer_dropout = 0;
};

struct HfSettings {
  HfClass kind{};
  int64_t width = 0, source_vocabulary = 0, target_vocabulary = 0;
  HfStack encoder, decoder;
  std::string activation;  // the word in heed
  bool scale_embedding = false;
  bool shares_embeddings = true, ties_output = true;
  double dropout = 0, attention_dropout = 0, activation_dropout = 0;
  std::string unknown = "<unk>", pad = "<pad>", end = "</s>";  // of the tokenizer
  int64_t pad_id = 0, end_id = 0, begin_id = 0;
  bool separate_vocabularies = false;
  std::string source_language, target_language;  // of Marian, as its tokenizer calls them; ""
  HfGeneration generation;
};

// Throws Error(kModel) that names all that is missing or that heed does not have. Warns of settings
// that are left out.
HfSettings read_hf_settings(const std::filesystem::path& folder);

// relu, gelu, silu, and the words of transformers for them; "" for others.
std::string activation_from_hf(const std::string& word);
std::string activation_to_hf(Activation activation);

}  // namespace heed
