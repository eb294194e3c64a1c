#include "exchange/exports.h"

#include "nn/torch.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "data/example.h"
#include "exchange/hf_names.h"
#include "exchange/hf_settings.h"
#include "exchange/json_file.h"
#include "exchange/search_export.h"
#include "exchange/standard_transformer.h"
#include "model/parameter_names_spec.h"
#include "search/suppressed_tokens.h"
#include "text/sentencepiece.h"

namespace heed {

namespace {

constexpr const char* kHf = "transformers";
constexpr int64_t kHfPositions = 1024;

const HfClass& class_of(const TransformerShape& shape) {
  return *std::ranges::find(hf_classes(), shape.encoder.stack().post_norm(), &HfClass::post_norm);
}

// Reasons why the classes of transformers cannot hold this model.
std::vector<std::string> missing_forms(const TransformerShape& shape) {
  std::vector<std::string> reasons = mixed_dimensions(shape);
  const StackShape &encoder = shape.encoder.stack(), &decoder = shape.decoder;
  for (const StackShape* stack : {&encoder, &decoder}) {
    const char* name = stack == &encoder ? "encoder" : "decoder";
    if (stack->positions.kind != PositionKind::kSinusoidal ||
        (stack->positions.layout != SinusoidLayout::kInterleaved &&
         stack->positions.layout != SinusoidLayout::kHalves))
      reasons.push_back(
          fmt::format("model.{}.positions: only sinusoidal ones, interleaved or halves", name));
    if (activation_to_hf(stack->activation).empty())
      reasons.push_back(fmt::format("model.{}.activation: no gated linear units", name));
  }
  if (encoder.activation != decoder.activation ||
      encoder.positions.layout != decoder.positions.layout ||
      encoder.scale_embedding != decoder.scale_embedding)
    reasons.emplace_back(
        "activation, positions and scale_embedding have to be the same in encoder and decoder");
  const bool is_shared = shape.vocabulary.source_is_tied;
  if (!encoder.post_norm() && !decoder.post_norm() && !is_shared)
    reasons.emplace_back(
        "its class with pre-norm, PegasusForConditionalGeneration, has one embedding: "
        "model.embedding.tie has to be all (or model.encoder.norm and model.decoder.norm post)");
  if (!shape.vocabulary.source_end) reasons.emplace_back("model.source_end is false");
  if (encoder.width % 2 != 0) reasons.emplace_back("the width is odd");
  return reasons;
}

std::vector<std::string> missing_text(const LoadedModel& model) {
  std::vector<std::string> reasons;
  for (const char* side : {kSourceSide, kTargetSide}) {
    const auto name = side == kSourceSide ? model.config.sources.front() : std::string(side);
    const TokenizerConfig& config =
        *model.config.text.at(owner_of(model.config.text, name)).tokenizer;
    if (sentencepiece_of(model.codecs.at(name)->tokenizer()) == nullptr)
      reasons.push_back(fmt::format("text.{}: MarianTokenizer needs SentencePiece", name));
    if (model.codecs.at(name)->tokenizer().needs_language())
      reasons.push_back(
          fmt::format("text.{}.many_languages: MarianTokenizer has no such setting", name));
    if (!model.codecs.at(name)->tokenizer().opening().empty())
      reasons.push_back(fmt::format("text.{}.language: MarianTokenizer has no such setting", name));
    if (config.lower)
      reasons.push_back(fmt::format("text.{}.lower: MarianTokenizer has no such setting", name));
  }
  return reasons;
}

NamedTensors parameters_of(const LoadedModel& model, const TransformerShape& shape) {
  const NamedTensors own = tensors_of(*model.network);
  const bool reorders = shape.encoder.stack().positions.layout == SinusoidLayout::kInterleaved;
  const Tensor order = reorders ? halves_from_interleaved(shape.encoder.stack().width)
                                : torch::arange(shape.encoder.stack().width);
  NamedTensors tensors;
  for (const NamePair& name : hf_names(shape))
    tensors[name.other] = in_stream_order(own.at(name.own).detach(), name, order);
  const auto table = [&](const std::string& name) {
    return own.at(name).detach().index_select(1, order);
  };
  const Tensor target = table(names::kTargetEmbedding);
  if (shape.vocabulary.source_is_tied) {
    tensors["model.shared.weight"] = target;
  } else {
    tensors["model.encoder.embed_tokens.weight"] =
        table(names::source_embedding(shape.vocabulary.sources.front().name));
    tensors["model.decoder.embed_tokens.weight"] = target;
  }
  if (!shape.vocabulary.output_is_tied)
    tensors["lm_head.weight"] = table(names::weight(names::kOutputLayer));
  tensors["final_logits_bias"] =
      shape.vocabulary.output.bias ? own.at(names::bias(names::kOutputLayer)).detach().unsqueeze(0)
                                   : torch::zeros({1, target.size(0)});
  return tensors;
}

OrderedJson config_json(const LoadedModel& model, const TransformerShape& shape) {
  const FlatConfig settings = flatten_config(model.config.model);
  const auto number = [&settings](const std::string& key) { return std::stod(settings.at(key)); };
  const HfClass& kind = class_of(shape);
  const VocabularySizes sizes = vocabulary_sizes(model.config, model.codecs);
  return {{"architectures", {kind.name}},
          {"model_type", kind.model_type},
          {"d_model", shape.encoder.stack().width},
          {"encoder_layers", shape.encoder.stack().layers()},
          {"decoder_layers", shape.decoder.layers()},
          {"encoder_attention_heads", self_heads(shape.encoder.stack())},
          {"decoder_attention_heads", self_heads(shape.decoder)},
          {"encoder_ffn_dim", shape.encoder.stack().feed_forward},
          {"decoder_ffn_dim", shape.decoder.feed_forward},
          {"activation_function", activation_to_hf(shape.encoder.stack().activation)},
          {"scale_embedding", shape.encoder.stack().scale_embedding},
          {"max_position_embeddings", kHfPositions},
          {"dropout", number("decoder.dropout")},
          {"attention_dropout", number("decoder.self_attention.dropout")},
          {"activation_dropout", number("decoder.activation_dropout")},
          {"encoder_layerdrop", number("encoder.layer_dropout")},
          {"decoder_layerdrop", number("decoder.layer_dropout")},
          {"vocab_size", sizes.sources.begin()->second},
          {"decoder_vocab_size", sizes.target},
          {"share_encoder_decoder_embeddings", shape.vocabulary.source_is_tied},
          {"tie_word_embeddings", shape.vocabulary.output_is_tied},
          {"is_encoder_decoder", true},
          {"pad_token_id", kPad},
          {"eos_token_id", kEnd},
          {"decoder_start_token_id", kBegin},
          {"forced_eos_token_id", kEnd},
          {"torch_dtype", "float32"}};
}

// Lengths in generate() include the first input of the decoder; the maximum also includes the end.
OrderedJson generation_json(const SearchConfig& search, const SuppressedTokens& suppressed) {
  OrderedJson banned = {{kPad}, {kBegin}};
  if (!search.allow_unknown) banned.push_back({kUnknown});
  const int64_t longest = search.max_length_ratio == 0
                              ? std::min(search.max_length_extra + 2, kHfPositions)
                              : kHfPositions / 2;
  OrderedJson json = {{"num_beams", search.beam},
                      {"length_penalty", search.length_penalty},
                      {"no_repeat_ngram_size", search.no_repeat_ngram},
                      {"max_length", longest},
                      {"bad_words_ids", banned},
                      {"pad_token_id", kPad},
                      {"eos_token_id", kEnd},
                      {"decoder_start_token_id", kBegin},
                      {"forced_eos_token_id", kEnd}};
  if (search.repetition_penalty != 1) json["repetition_penalty"] = search.repetition_penalty;
  if (!suppressed.always.empty()) json["suppress_tokens"] = suppressed.always;
  if (!suppressed.first.empty()) json["begin_suppress_tokens"] = suppressed.first;
  // min_new_tokens replaces min_length in generate(). Without a prefix both are the same.
  if (const int64_t least = std::max(search.min_length, search.min_new_tokens); least > 0)
    json["min_new_tokens"] = least;
  return json;
}

void warn_of_search(const SearchConfig& search) {
  std::vector<std::string> left_out =
      search_left_out(search, {"beam", "length_penalty", "min_length", "min_new_tokens",
                               "max_length_extra", "allow_unknown", "no_repeat_ngram",
                               "repetition_penalty", "suppress_tokens", "begin_suppress_tokens"});
  if (search.repetition_penalty != 1 && search.beam == 1)
    left_out.emplace_back(
        "search.repetition_penalty of log-probabilities (of logits in its greedy search)");
  if (!left_out.empty())
    spdlog::warn(
        "generation_config.json: {} has no such settings, so that its translations can "
        "differ: {}",
        kHf, fmt::join(left_out, ", "));
}

OrderedJson tokenizer_json(bool is_joint) {
  return {{"tokenizer_class", "MarianTokenizer"},
          {"unk_token", "<unk>"},
          {"pad_token", "<pad>"},
          {"eos_token", "</s>"},
          {"model_max_length", kHfPositions / 2},
          {"separate_vocabs", !is_joint}};
}

OrderedJson vocabulary_json(const Vocabulary& vocabulary) {
  OrderedJson tokens = OrderedJson::object();
  for (int32_t id = 0; id < vocabulary.size(); ++id) tokens[vocabulary.piece(id)] = id;
  return tokens;
}

void write_tokenizer(const LoadedModel& model, const std::string& source_name,
                     const fs::path& folder) {
  const Codec &source = *model.codecs.at(source_name), &target = *model.codecs.at(kTargetSide);
  const bool is_joint = source.vocabulary() == target.vocabulary();
  write_file(folder / "source.spm", sentencepiece_of(source.tokenizer())->model());
  write_file(folder / "target.spm", sentencepiece_of(target.tokenizer())->model());
  write_json(folder / "vocab.json", vocabulary_json(source.vocabulary()));
  if (!is_joint) write_json(folder / "target_vocab.json", vocabulary_json(target.vocabulary()));
  write_json(folder / "tokenizer_config.json", tokenizer_json(is_joint));
}

}  // namespace

void export_hf(const LoadedModel& model, const fs::path& folder) {
  const TransformerShape shape = standard_transformer(model.config, kHf);
  std::vector<std::string> reasons = missing_forms(shape);
  for (const std::string& reason : missing_text(model)) reasons.push_back(reason);
  refuse_model(reasons, kHf);
  write_json(folder / "config.json", config_json(model, shape));
  const SearchConfig& search = model.config.search;
  warn_of_search(search);
  write_json(folder / "generation_config.json",
             generation_json(
                 search, suppressed_tokens(search, model.codecs.at(kTargetSide)->vocabulary())));
  write_tokenizer(model, shape.vocabulary.sources.front().name, folder);
  write_safetensors(folder / "model.safetensors", parameters_of(model, shape), {{"format", "pt"}});
}

}  // namespace heed
