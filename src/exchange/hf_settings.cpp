#include "exchange/hf_settings.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/log.h"
#include "exchange/added_tokens.h"
#include "exchange/hf_byte_bpe.h"
#include "exchange/hf_languages.h"
#include "exchange/hf_t5.h"
#include "exchange/json_settings.h"

namespace heed {

namespace {

struct ActivationName {
  const char* other;
  const char* own;
  Activation kind;
};
// Exports write the first name of an activation.
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

}  // namespace

const std::vector<HfClass>& hf_classes() {
  static const std::vector<std::string> kT5Tokenizers = {"T5Tokenizer", "T5TokenizerFast",
                                                         "MT5Tokenizer", "MT5TokenizerFast"};
  static const std::vector<HfClass> classes = {
      {"marian", "MarianMTModel", {"MarianTokenizer"}, true, true, false},
      {"pegasus", "PegasusForConditionalGeneration", {"MarianTokenizer"}, false, false, false},
      {"m2m_100",
       "M2M100ForConditionalGeneration",
       {"M2M100Tokenizer", "NllbTokenizer", "NllbTokenizerFast"},
       false,
       false,
       true},
      {"bart",
       "BartForConditionalGeneration",
       {"MarianTokenizer", "BartTokenizer", "BartTokenizerFast"},
       true,
       false,
       false,
       true},
      {"mbart",
       "MBartForConditionalGeneration",
       {"MBart50Tokenizer", "MBart50TokenizerFast", "MBartTokenizer", "MBartTokenizerFast"},
       false,
       false,
       true,
       true},
      {"t5", "T5ForConditionalGeneration", kT5Tokenizers, false, false, false, false,
       HfDistances::kFirstLayer},
      {"mt5", "MT5ForConditionalGeneration", kT5Tokenizers, false, false, false, false,
       HfDistances::kFirstLayer},
      {"umt5", "UMT5ForConditionalGeneration", kT5Tokenizers, false, false, false, false,
       HfDistances::kEachLayer}};
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

void read_bart_config(JsonSettings& config, HfSettings& settings) {
  settings.encoder = read_stack(config, "encoder");
  settings.decoder = read_stack(config, "decoder");
  const std::string activation = config.word("activation_function");
  settings.activation = activation_from_hf(activation);
  if (settings.activation.empty() && !activation.empty())
    config.add_problem(
        fmt::format("activation_function is '{}', expected relu, gelu or swish", activation));
  const bool learns_positions = settings.kind.learns_positions;
  settings.scale_embedding =
      config.truth("scale_embedding", settings.kind.has_languages && !learns_positions);
  if (learns_positions) {
    settings.positions = config.whole("max_position_embeddings", 1024);
    if (!config.truth("normalize_embedding", true))
      config.add_problem("normalize_embedding is false, expected true");
  }
  settings.dropout = config.real("dropout", 0.1);
  settings.attention_dropout = config.real("attention_dropout", 0);
  settings.activation_dropout = config.real("activation_dropout", 0);
}

void read_config(JsonSettings& config, HfSettings& settings) {
  settings.kind = read_class(config);
  settings.width = config.whole("d_model");
  (settings.kind.is_t5() ? read_t5_config : read_bart_config)(config, settings);
}

void read_vocabulary(JsonSettings& config, JsonSettings& generation,
                     const std::filesystem::path& folder, HfSettings& settings) {
  settings.source_vocabulary = config.whole("vocab_size");
  settings.language_at_end = settings.kind.has_languages && settings.kind.learns_positions &&
                             is_first_mbart(folder, settings.source_vocabulary);
  settings.shares_embeddings =
      !settings.kind.may_have_two_tables || config.truth("share_encoder_decoder_embeddings", true);
  settings.ties_output = config.truth("tie_word_embeddings", true);
  const int64_t own = config.whole("decoder_vocab_size", settings.source_vocabulary);
  settings.target_vocabulary = settings.shares_embeddings ? settings.source_vocabulary : own;
  const auto id = [&](const char* key) { return (config.has(key) ? config : generation).id(key); };
  settings.pad_id = id("pad_token_id");
  settings.end_id = id("eos_token_id");
  const bool has_begin =
      config.has("decoder_start_token_id") || generation.has("decoder_start_token_id");
  settings.begin_id =
      settings.language_at_end && !has_begin ? kNoToken : id("decoder_start_token_id");
  constexpr int64_t kFairseqPad = 1;
  if (settings.kind.has_languages && !settings.kind.learns_positions &&
      settings.pad_id != kFairseqPad)
    config.add_problem(
        fmt::format("pad_token_id is {}, expected {}: positions are counted from the number behind "
                    "it",
                    settings.pad_id, kFairseqPad));
}

// Checks the ids of the model, which generate() reads from its own file.
void check_ids(JsonSettings& generation, const HfSettings& settings) {
  for (const auto& [key, id] : {std::pair{"pad_token_id", settings.pad_id},
                                {"eos_token_id", settings.end_id},
                                {"decoder_start_token_id", settings.begin_id}}) {
    if (id == kNoToken) continue;
    if (const int64_t own = generation.id(key, id); own != id)
      generation.add_problem(fmt::format("{} is {} in {}, expected {} as in {}", key, own,
                                         kHfGeneration, id, kHfConfig));
  }
  if (const int64_t id = generation.id("forced_eos_token_id", settings.end_id);
      id != settings.end_id)
    spdlog::warn(
        "forced_eos_token_id is {}; a translation of the maximum length ends with {}, the "
        "eos_token_id, in heed",
        id, settings.end_id);
}

// Keys of config.json that change no translation: keys for training, other tasks and output
// formats, and old keys of BART.
constexpr const char* kConfigWithoutEffect[] = {"_attn_implementation_autoset",
                                                "_name_or_path",
                                                "_num_labels",
                                                "add_bias_logits",
                                                "add_final_layer_norm",
                                                "architectures",
                                                "attn_implementation",
                                                "chunk_size_feed_forward",
                                                "classif_dropout",
                                                "classifier_dropout",
                                                "dtype",
                                                "extra_pos_embeddings",
                                                "finetuning_task",
                                                "gradient_checkpointing",
                                                "id2label",
                                                "init_std",
                                                "initializer_factor",
                                                "label2id",
                                                "language",
                                                "max_position_embeddings",
                                                "n_positions",
                                                "normalize_before",
                                                "num_hidden_layers",
                                                "num_labels",
                                                "output_past",
                                                "problem_type",
                                                "return_dict",
                                                "save_step",
                                                "sep_token_id",
                                                "static_position_embeddings",
                                                "task_specific_params",
                                                "tf_legacy_loss",
                                                "tokenizer_class",
                                                "torch_dtype",
                                                "torchscript",
                                                "use_bfloat16"};
// Keys that change no translation if they have this value.
constexpr std::pair<const char*, const char*> kConfigNeutral[] = {
    {"add_cross_attention", "false"}, {"force_bos_token_to_be_generated", "false"},
    {"is_decoder", "false"},          {"is_encoder_decoder", "true"},
    {"normalize_embedding", "false"}, {"prefix", "\"\""},
    {"pruned_heads", "{}"},           {"share_encoder_decoder_embeddings", "true"},
    {"tie_encoder_decoder", "false"}};

// Keys of tokenizer_config.json that change no text.
constexpr const char* kTokenizerWithoutEffect[] = {"added_tokens_decoder",
                                                   "additional_special_tokens",
                                                   "backend",
                                                   "bos_token",
                                                   "cls_token",
                                                   "extra_special_tokens",
                                                   "is_local",
                                                   "language_codes",
                                                   "legacy",
                                                   "local_files_only",
                                                   "mask_token",
                                                   "model_input_names",
                                                   "model_max_length",
                                                   "name_or_path",
                                                   "num_madeup_words",
                                                   "padding_side",
                                                   "processor_class",
                                                   "return_tensors",
                                                   "sep_token",
                                                   "source_spm",
                                                   "special_tokens_map_file",
                                                   "spm_file",
                                                   "src_lang",
                                                   "target_spm",
                                                   "target_vocab_file",
                                                   "tgt_lang",
                                                   "tokenizer_file",
                                                   "truncation_side",
                                                   "use_fast",
                                                   "vocab",
                                                   "vocab_file"};
constexpr std::pair<const char*, const char*> kTokenizerNeutral[] = {
    {"add_prefix_space", "true"}, {"clean_up_tokenization_spaces", "false"},
    {"do_lower_case", "false"},   {"errors", "\"replace\""},
    {"sp_model_kwargs", "{}"},    {"split_special_tokens", "false"},
    {"trim_offsets", "true"}};

template <class Names, class Values>
bool is_neutral(const std::string& key, const Json& value, const Names& names,
                const Values& values) {
  if (std::ranges::count(names, key) > 0) return true;
  return std::ranges::any_of(values, [&](const auto& one) {
    return key == one.first && value == Json::parse(one.second);
  });
}

void warn_of_config(const JsonSettings& config, const JsonSettings& generation,
                    bool has_generation_file) {
  std::map<std::string, Json> unknown, replaced;
  for (const auto& [key, value] : config.others()) {
    if (is_neutral(key, value, kConfigWithoutEffect, kConfigNeutral)) continue;
    if (!is_generation_key(key))
      unknown[key] = value;
    else if (has_generation_file && !is_generation_default(key, value) &&
             !generation.says(key, value))
      replaced[key] = value;
  }
  if (!replaced.empty())
    spdlog::warn("{}: not taken over, as generate() reads {} instead: {}", kHfConfig, kHfGeneration,
                 settings_text(replaced));
  if (!unknown.empty())
    spdlog::warn("{}: settings that heed does not know are left out: {}", kHfConfig,
                 settings_text(unknown));
}

// Another class may prepare text in another way, such as with the target language in the source.
void warn_of_tokenizer(const std::string& name, const HfClass& kind) {
  // Classes that read tokenizer.json.
  static const std::vector<std::string> kGeneral = {"", "PreTrainedTokenizerFast",
                                                    "TokenizersBackend"};
  for (const auto* known : {&kGeneral, &kind.tokenizers}) {
    if (std::ranges::count(*known, name) > 0) return;
  }
  if (!kind.tokenizers.empty())
    spdlog::warn("{}: tokenizer_class is {}, expected {}; text is prepared as by these",
                 kHfTokenizer, name, fmt::join(kind.tokenizers, " or "));
}

void read_tokenizer(JsonSettings& tokenizer, HfSettings& settings) {
  settings.unknown = tokenizer.token("unk_token", settings.unknown);
  settings.pad = tokenizer.token("pad_token", settings.pad);
  settings.end = tokenizer.token("eos_token", settings.end);
  if (settings.has_byte_bpe) settings.prefix_space = tokenizer.truth("add_prefix_space", false);
  settings.source_language = tokenizer.word("source_lang", "");
  settings.target_language = tokenizer.word("target_lang", "");
  constexpr int64_t kT5Sentinels = 100;
  if (settings.kind.is_t5())
    settings.sentinels = tokenizer.whole("extra_ids", kT5Sentinels, {0, 100 * kT5Sentinels});
  settings.separate_vocabularies = tokenizer.truth("separate_vocabs", false);
  if (tokenizer.truth("legacy_behaviour", false))
    tokenizer.add_problem(
        "legacy_behaviour is true, expected false: the language before the source, not behind it");
  warn_of_tokenizer(tokenizer.word("tokenizer_class", ""), settings.kind);
  std::map<std::string, Json> unknown;
  for (const auto& [key, value] : tokenizer.others()) {
    if (!is_neutral(key, value, kTokenizerWithoutEffect, kTokenizerNeutral)) unknown[key] = value;
  }
  if (!unknown.empty())
    spdlog::warn("{}: settings that heed does not have are left out: {}", kHfTokenizer,
                 settings_text(unknown));
}

}  // namespace

HfSettings read_hf_settings(const std::filesystem::path& folder) {
  if (!is_plain_file(folder / kHfConfig))
    throw_error(ErrorKind::kModel,
                "{}: has no {}; expected a model folder of transformers (config.json, "
                "model.safetensors or pytorch_model.bin, source.spm, target.spm, vocab.json)",
                folder.string(), kHfConfig);
  // generate() reads config.json only if the folder lacks generation_config.json.
  const bool has_generation_file = is_plain_file(folder / kHfGeneration);
  const std::string generation_file = has_generation_file ? kHfGeneration : kHfConfig;
  JsonSettings config(folder, {kHfConfig}), generation(folder, {generation_file}),
      tokenizer(folder, {kHfTokenizer});
  HfSettings settings;
  read_config(config, settings);
  settings.has_byte_bpe =
      settings.kind.learns_positions && !settings.kind.has_languages && has_byte_bpe(folder);
  read_vocabulary(config, generation, folder, settings);
  read_tokenizer(tokenizer, settings);
  check_ids(generation, settings);
  settings.generation = read_hf_generation(generation, generation_file,
                                           {.begin_id = settings.begin_id,
                                            .end_id = settings.end_id,
                                            .begins_with_token = settings.forces_begin()});
  warn_of_config(config, generation, has_generation_file);
  for (const JsonSettings* read : {&config, &generation, &tokenizer}) read->throw_if_any();
  return settings;
}

}  // namespace heed
