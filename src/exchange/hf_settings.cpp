#include "exchange/hf_settings.h"

#include <algorithm>

#include "base/error.h"
#include "base/folder.h"
#include "exchange/json_settings.h"

namespace heed {

namespace {

using Activation = StackShape::Activation;

struct ActivationName {
  const char* other;
  const char* own;
  Activation kind;
};
// The first of a kind is what is written.
constexpr ActivationName kActivations[] = {{"relu", "relu", Activation::kRelu},
                                           {"gelu", "gelu", Activation::kGelu},
                                           {"swish", "silu", Activation::kSilu},
                                           {"silu", "silu", Activation::kSilu}};

HfStack read_stack(JsonSettings& from, const std::string& name) {
  return {.layers = from.whole(name + "_layers"),
          .feed_forward = from.whole(name + "_ffn_dim"),
          .heads = from.whole(name + "_attention_heads"),
          .layer_dropout = from.real(name + "_layerdrop", 0)};
}

HfClass read_class(JsonSettings& from) {
  const std::string type = from.word("model_type");
  for (const HfClass& kind : hf_classes()) {
    if (type == kind.model_type) return kind;
  }
  std::vector<std::string> known;
  for (const HfClass& kind : hf_classes()) known.emplace_back(kind.model_type);
  from.add_problem(
      fmt::format("model_type is '{}', expected one of {}", type, fmt::join(known, ", ")));
  return {};
}

// Beam search as generate() of transformers does it.
void read_search(JsonSettings& generation, HfSettings& settings) {
  SearchConfig& search = settings.search;
  search.beam = generation.whole("num_beams", 1);
  search.length_penalty = std::max(0.0, generation.real("length_penalty", 1));
  search.length_normalization = LengthNormalization::kPlain;
  search.no_repeat_ngram = generation.whole("no_repeat_ngram_size", 0);
  search.max_length_ratio = 0;
  // That of transformers counts the first token and the end of the target.
  search.max_length_extra = std::max<int64_t>(1, generation.whole("max_length", 512) - 2);
  settings.banned_ids = generation.single_ids("bad_words_ids");
  settings.renormalizes = generation.truth("renormalize_logits", false);
}

}  // namespace

const std::vector<HfClass>& hf_classes() {
  static const std::vector<HfClass> classes = {
      {"marian", "MarianMTModel", true, false},
      {"pegasus", "PegasusForConditionalGeneration", false, false},
      {"m2m_100", "M2M100ForConditionalGeneration", false, true}};
  return classes;
}

std::string activation_from_hf(const std::string& word) {
  for (const ActivationName& name : kActivations) {
    if (word == name.other) return name.own;
  }
  return "";
}

std::string activation_to_hf(Activation activation) {
  for (const ActivationName& name : kActivations) {
    if (activation == name.kind) return name.other;
  }
  return "";
}

namespace {

void read_config(JsonSettings& config, HfSettings& settings) {
  settings.kind = read_class(config);
  settings.width = config.whole("d_model");
  settings.encoder = read_stack(config, "encoder");
  settings.decoder = read_stack(config, "decoder");
  const std::string activation = config.word("activation_function");
  settings.activation = activation_from_hf(activation);
  if (settings.activation.empty() && !activation.empty())
    config.add_problem(
        fmt::format("activation_function is '{}', expected relu, gelu or swish", activation));
  settings.scale_embedding = config.truth("scale_embedding", false);
  settings.dropout = config.real("dropout", 0.1);
  settings.attention_dropout = config.real("attention_dropout", 0);
  settings.activation_dropout = config.real("activation_dropout", 0);
}

void read_vocabulary(JsonSettings& config, HfSettings& settings) {
  settings.source_vocabulary = config.whole("vocab_size");
  settings.shares_embeddings = config.truth("share_encoder_decoder_embeddings", true);
  settings.ties_output = config.truth("tie_word_embeddings", true);
  settings.target_vocabulary = settings.shares_embeddings
                                   ? settings.source_vocabulary
                                   : config.whole("decoder_vocab_size", settings.source_vocabulary);
  settings.pad_id = config.whole("pad_token_id");
  settings.end_id = config.whole("eos_token_id");
  settings.begin_id = config.whole("decoder_start_token_id");
}

void read_tokenizer(JsonSettings& tokenizer, HfSettings& settings) {
  settings.unknown = tokenizer.word("unk_token", settings.unknown);
  settings.pad = tokenizer.word("pad_token", settings.pad);
  settings.end = tokenizer.word("eos_token", settings.end);
  settings.separate_vocabularies = tokenizer.truth("separate_vocabs", false);
  if (tokenizer.truth("legacy_behaviour", false))
    tokenizer.add_problem(
        "legacy_behaviour is true, expected false: the language before the source, not behind it");
}

}  // namespace

HfSettings read_hf_settings(const std::filesystem::path& folder) {
  constexpr const char *kConfig = "config.json", *kGeneration = "generation_config.json";
  if (!is_plain_file(folder / kConfig))
    throw_error(ErrorKind::kModel,
                "{}: has no {}; expected a model folder of transformers (config.json, "
                "model.safetensors or pytorch_model.bin, source.spm, target.spm, vocab.json)",
                folder.string(), kConfig);
  JsonSettings config(folder, {kConfig, kGeneration}), generation(folder, {kGeneration, kConfig}),
      tokenizer(folder, {"tokenizer_config.json"});
  HfSettings settings;
  read_config(config, settings);
  read_vocabulary(config, settings);
  read_tokenizer(tokenizer, settings);
  read_search(generation, settings);
  for (const JsonSettings* read : {&config, &generation, &tokenizer}) read->throw_if_any();
  return settings;
}

}  // namespace heed
