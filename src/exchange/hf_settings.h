// config.json, generation_config.json and tokenizer_config.json of a model folder of transformers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "exchange/hf_generation.h"
#include "inference/transformer_shape.h"

namespace heed {

// Learned biases for distances (T5): of a layer, or of the first layer for all.
enum class HfDistances { kNone, kFirstLayer, kEachLayer };

// Classes of transformers that heed has a form for. All but T5, BART and mBART add sinusoidal
// positions, all sines before all cosines. All but T5 have a bias for each token (final_logits_bias)
// or languages.
struct HfClass {
  const char *model_type, *name;
  std::vector<std::string> tokenizers;  // classes with text as heed has it
  bool post_norm;
  bool may_have_two_tables;  // embeddings of the source and of the target
  // Tokens that say the languages; with sinusoidal positions, those of fairseq (nn/positions.h) and
  // scaled embeddings unless config.json says otherwise.
  bool has_languages;
  bool learns_positions =
      false;  // two rows precede them; the sum with the embeddings is normalized
  HfDistances distances = HfDistances::kNone;
  bool is_t5() const { return distances != HfDistances::kNone; }
};
const std::vector<HfClass>& hf_classes();

struct HfStack {
  int64_t layers = 0, feed_forward = 0, heads = 0;
  double layer_dropout = 0;
};

// Settings that only T5 has (hf_t5.h).
struct HfT5 {
  int64_t head_width = 0, buckets = 0, max_distance = 0;
  bool scales_output = false;  // output states times 1/√width
  bool may_be_untied = false;  // a lm_head.weight in the file is the output layer
};

// Rows of a table of learned positions before the first position, and of fairseq's positions.
inline constexpr int64_t kFairseqPositions = 2;

inline constexpr int64_t kNoToken = -1;

struct HfSettings {
  HfClass kind{};
  int64_t width = 0, source_vocabulary = 0, target_vocabulary = 0;
  HfStack encoder, decoder;
  int64_t positions = 0;   // where they are learned
  std::string activation;  // the word in heed
  bool scale_embedding = false;
  bool shares_embeddings = true, ties_output = true;
  double dropout = 0, attention_dropout = 0, activation_dropout = 0;
  std::string unknown = "<unk>", pad = "<pad>", end = "</s>";  // of the tokenizer
  int64_t pad_id = 0, end_id = 0;
  int64_t begin_id = 0;  // kNoToken: of mBART-cc25, whose target language is chosen
  bool separate_vocabularies = false;
  bool has_byte_bpe = false, prefix_space = false;  // of BART with BartTokenizer
  // mBART-cc25: the language stands behind the end of the source, and the decoder begins with the
  // language of the target.
  bool language_at_end = false;
  std::string source_language, target_language;  // of Marian, as its tokenizer calls them; ""
  int64_t sentinels = 0;                         // of T5: tokens behind the pieces
  HfT5 t5;
  HfGeneration generation;
  // True if every target begins with a token that is forced: its language, or <s> of BART.
  bool forces_begin() const { return has_byte_bpe || (kind.has_languages && !language_at_end); }
};

// Throws Error(kModel) that names all that is missing or that heed does not have. Warns of settings
// that are left out.
HfSettings read_hf_settings(const std::filesystem::path& folder);

// relu, gelu, silu, and the words of transformers for them; "" for others.
std::string activation_from_hf(const std::string& word);
std::string activation_to_hf(Activation activation);

}  // namespace heed
