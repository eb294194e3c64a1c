#include "exchange/exports.h"

#include "nn/torch.h"

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "data/example.h"
#include "exchange/ctranslate2_file.h"
#include "exchange/json_file.h"
#include "exchange/search_export.h"
#include "exchange/standard_transformer.h"
#include "model/parameter_names_spec.h"
#include "nn/positions.h"
#include "text/sentencepiece.h"

namespace heed {

namespace {

constexpr const char* kCTranslate2 = "CTranslate2";
constexpr int64_t kCTranslate2Positions = 1024;
// Output bias of tokens that heed never generates: CTranslate2 has no list of such tokens.
constexpr double kBanned = -10000;

int activation_id(Activation activation) {
  switch (activation) {
    case Activation::kRelu:
      return 0;
    case Activation::kGelu:
    case Activation::kGatedGelu:
      return 3;
    case Activation::kGatedGeluTanh:
      return 1;
    case Activation::kSilu:
    case Activation::kGated:
      break;
  }
  return 2;  // swish; in gated layers, the activation of the gate
}

class CTranslate2Exporter {
 public:
  CTranslate2Exporter(const LoadedModel& model, const TransformerShape& shape)
      : shape_(shape), own_(tensors_of(*model.network)) {}

  CTranslate2Variables variables() {
    const std::string source = names::encoder(shape_.vocabulary.sources.front().name);
    add_stack("encoder", source, shape_.encoder.stack());
    add_stack("decoder", names::kDecoder, shape_.decoder);
    for (int64_t i = 0; i < shape_.decoder.layers(); ++i) add_cross_attention(i);
    flag("encoder/embeddings_merge", 0);
    flag("encoder/multi_query_attention", 0);
    for (const char* name :
         {"alibi", "alibi_use_positive_positions", "scale_alibi", "start_from_zero_embedding"})
      flag(std::string("decoder/") + name, 0);
    number("decoder/alignment_layer", -1);
    number("decoder/alignment_heads", cross_heads(shape_));
    add_vocabularies();
    return std::move(to_);
  }

 private:
  void flag(const std::string& name, int value) {
    to_.arrays[name] = torch::tensor(value, torch::kChar);
  }
  void number(const std::string& name, int64_t value) {
    to_.arrays[name] = torch::tensor(value, torch::kShort);
  }
  Tensor own(const std::string& name) const { return own_.at(name).detach(); }

  // Joins layers with the same input into one matrix product.
  void linear(const std::string& to, const std::vector<std::string>& layers) {
    for (const char* part : {"weight", "bias"}) {
      std::vector<Tensor> parts;
      for (const std::string& layer : layers) parts.push_back(own(layer + "." + part));
      to_.arrays[to + "/" + part] = torch::cat(parts);
    }
  }
  void norm(const std::string& to, const std::string& from) {
    to_.arrays[to + "/layer_norm/gamma"] = own(names::weight(from));
    to_.arrays[to + "/layer_norm/beta"] = own(names::bias(from));
  }

  void add_stack(const std::string& to, const std::string& from, const StackShape& stack) {
    number(to + "/num_heads", self_heads(stack));
    flag(to + "/pre_norm", stack.post_norm() ? 0 : 1);
    flag(to + "/activation", activation_id(stack.activation));
    flag(to + "/scale_embeddings", stack.scale_embedding ? 1 : 0);
    to_.arrays[to + "/position_encodings/encodings"] = position_table(from, stack);
    if (!stack.post_norm()) norm(to, names::TransformerStackNames(from).final_norm);
    for (int64_t i = 0; i < stack.layers(); ++i)
      add_layer(fmt::format("{}/layer_{}", to, i),
                names::TransformerLayerNames(names::layer(from, i)), stack);
  }

  Tensor position_table(const std::string& from, const StackShape& stack) const {
    if (stack.positions.kind == PositionKind::kLearned)
      return own(names::TransformerStackNames(from).positions);
    if (stack.positions.kind == PositionKind::kNone)
      return torch::zeros({kCTranslate2Positions, stack.width});
    return sinusoids(kCTranslate2Positions, stack.width, torch::kFloat, stack.positions.layout);
  }

  void add_layer(const std::string& to, const names::TransformerLayerNames& from,
                 const StackShape& stack) {
    const names::AttentionNames& attention = from.self_attention;
    norm(to + "/self_attention", from.self_norm);
    linear(to + "/self_attention/linear_0", {attention.query, attention.key, attention.value});
    linear(to + "/self_attention/linear_1", {attention.output});
    norm(to + "/ffn", from.feed_forward_norm);
    linear(to + "/ffn/linear_0", {from.inner});
    linear(to + "/ffn/linear_1", {from.outer});
    if (is_gated(stack.activation)) linear(to + "/ffn/linear_0_noact", {from.gate});
  }

  void add_cross_attention(int64_t i) {
    const std::string to = fmt::format("decoder/layer_{}/attention", i);
    const names::TransformerLayerNames from(names::layer(names::kDecoder, i));
    const names::AttentionNames& attention = from.cross_attention;
    norm(to, from.cross_norm);
    linear(to + "/linear_0", {attention.query});
    linear(to + "/linear_1", {attention.key, attention.value});
    linear(to + "/linear_2", {attention.output});
  }

  void add_vocabularies() {
    const VocabularyShape& vocabulary = shape_.vocabulary;
    constexpr const char* kTarget = "decoder/embeddings/weight";
    const Tensor target = own(names::kTargetEmbedding);
    to_.arrays[kTarget] = target;
    if (vocabulary.source_is_tied)
      to_.aliases["encoder/embeddings_0/weight"] = kTarget;
    else
      to_.arrays["encoder/embeddings_0/weight"] =
          own(names::source_embedding(vocabulary.sources.front().name));
    if (vocabulary.output_is_tied)
      to_.aliases["decoder/projection/weight"] = kTarget;
    else
      to_.arrays["decoder/projection/weight"] = own(names::weight(names::kOutputLayer));
    Tensor bias = vocabulary.output.bias ? own(names::bias(names::kOutputLayer)).clone()
                                         : torch::zeros({target.size(0)});
    for (const int32_t never : {kPad, kBegin}) bias[never] = kBanned;
    to_.arrays["decoder/projection/bias"] = bias;
  }

  const TransformerShape& shape_;
  const NamedTensors own_;
  CTranslate2Variables to_;
};

// Weights of layers and embeddings in 8 bits, as the converters of CTranslate2 store them: rounded to
// the nearest of 127 steps of the largest magnitude of each output, with steps per unit beside them.
void quantize(CTranslate2Variables& variables) {
  constexpr const char *kWeight = "/weight", *kScale = "_scale";
  std::map<std::string, Tensor> scales;
  for (auto& [name, array] : variables.arrays) {
    if (!name.ends_with(kWeight)) continue;
    const Tensor largest = array.abs().amax(1);
    const Tensor scale = 127 / largest.masked_fill(largest == 0, 127);
    array = (array * scale.unsqueeze(1)).round().to(torch::kChar);
    scales[name + kScale] = scale;
  }
  variables.arrays.merge(scales);  // an alias of weights is one of their scale as well
}

OrderedJson tokens_json(const Vocabulary& vocabulary) {
  OrderedJson tokens = OrderedJson::array();
  for (int32_t id = 0; id < vocabulary.size(); ++id) tokens.push_back(vocabulary.piece(id));
  return tokens;
}

void write_vocabularies(const Codec& source, const Codec& target, const fs::path& folder) {
  if (source.vocabulary() == target.vocabulary()) {
    write_json(folder / "shared_vocabulary.json", tokens_json(source.vocabulary()));
  } else {
    write_json(folder / "source_vocabulary.json", tokens_json(source.vocabulary()));
    write_json(folder / "target_vocabulary.json", tokens_json(target.vocabulary()));
  }
  for (const auto& [file, codec] : {std::pair{"source.spm", &source}, {"target.spm", &target}}) {
    const auto* pieces = sentencepiece_of(codec->tokenizer());
    if (pieces != nullptr) write_file(folder / file, pieces->model());
  }
}

// Logs the search settings as arguments of translate_batch(): a folder of CTranslate2 cannot hold
// them.
void tell_search(const SearchConfig& search) {
  std::vector<std::string> arguments = {fmt::format("beam_size={}", search.beam),
                                        fmt::format("length_penalty={}", search.length_penalty)};
  const auto add = [&](bool is_set, std::string argument) {
    if (is_set) arguments.push_back(std::move(argument));
  };
  std::vector<std::string> suppressed;
  for (const std::string& token : search.suppress_tokens)
    suppressed.push_back(fmt::format("[{}]", Json(token).dump()));
  const int64_t least = std::max(search.min_length, search.min_new_tokens);
  add(search.coverage_penalty > 0, fmt::format("coverage_penalty={}", search.coverage_penalty));
  add(search.patience != 1, fmt::format("patience={}", search.patience));
  add(search.no_repeat_ngram > 0, fmt::format("no_repeat_ngram_size={}", search.no_repeat_ngram));
  add(search.repetition_penalty != 1,
      fmt::format("repetition_penalty={}", search.repetition_penalty));
  add(!search.allow_unknown, "disable_unk=True");
  add(!suppressed.empty(), fmt::format("suppress_sequences=[{}]", fmt::join(suppressed, ", ")));
  add(least > 0, fmt::format("min_decoding_length={}", least));
  add(search.max_length_ratio == 0, fmt::format("max_decoding_length={}", search.max_length_extra));
  spdlog::info("{} keeps no settings of search in a folder; translate_batch({})", kCTranslate2,
               fmt::join(arguments, ", "));
  const std::vector<std::string> left_out = search_left_out(
      search, {"beam", "length_penalty", "coverage_penalty", "patience", "no_repeat_ngram",
               "repetition_penalty", "allow_unknown", "suppress_tokens", "min_length",
               "min_new_tokens", "max_length_extra"});
  if (!left_out.empty())
    spdlog::warn("{} has no such settings, so that its translations can differ: {}", kCTranslate2,
                 fmt::join(left_out, ", "));
}

}  // namespace

void export_ctranslate2(const LoadedModel& model, const fs::path& folder, Precision precision) {
  const TransformerShape shape = standard_transformer(model.config, kCTranslate2);
  std::vector<std::string> reasons = mixed_dimensions(shape);
  if (!model.codecs.at(kTargetSide)->tokenizer().opening().empty())
    reasons.emplace_back("text.target.language: it has no token that a target begins with");
  for (const std::string& name : {model.config.sources.front(), std::string(kTargetSide)}) {
    const Tokenizer& tokenizer = model.codecs.at(name)->tokenizer();
    if (tokenizer.needs_language())
      reasons.push_back(fmt::format(
          "text.{}.many_languages: it keeps no tokenizer that puts a language before a text",
          name));
    if (tokenizer.closing() > 0)
      reasons.push_back(fmt::format(
          "text.{}.language_at_end: it keeps no tokenizer that puts a language behind a text",
          name));
  }
  refuse_model(reasons, kCTranslate2);
  CTranslate2Variables variables = CTranslate2Exporter(model, shape).variables();
  if (precision == Precision::kInt8) quantize(variables);
  write_ctranslate2(folder / "model.bin", "TransformerSpec", 7, variables);
  write_json(folder / "config.json", {{"add_source_bos", false},
                                      {"add_source_eos", shape.vocabulary.source_end},
                                      {"bos_token", "<s>"},
                                      {"decoder_start_token", "<s>"},
                                      {"eos_token", "</s>"},
                                      {"layer_norm_epsilon", nullptr},
                                      {"multi_query_attention", false},
                                      {"unk_token", "<unk>"}});
  write_vocabularies(*model.codecs.at(shape.vocabulary.sources.front().name),
                     *model.codecs.at(kTargetSide), folder);
  tell_search(model.config.search);
}

}  // namespace heed
