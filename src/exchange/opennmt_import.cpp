#include "nn/torch.h"

#include <algorithm>
#include <set>

#include "base/folder.h"
#include "data/example.h"
#include "exchange/imports.h"
#include "exchange/toolkit_model.h"
#include "exchange/torch_file.h"
#include "model/parameter_names_spec.h"

namespace heed {

namespace {

constexpr const char* kEmbedding = "embeddings.make_embedding.emb_luts.0.weight";

// All transforms, of all corpora.
std::set<std::string> transforms_of(const Json& options) {
  std::set<std::string> found;
  const auto add = [&found](const Json& names) {
    for (const Json& name : names) found.insert(name.get<std::string>());
  };
  add(setting(options, "transforms", Json::array()));
  for (const Json& corpus : setting(options, "data", Json::object())) {
    if (corpus.is_object()) add(setting(corpus, "transforms", Json::array()));
  }
  return found;
}

// key: src or tgt.
ToolkitSide read_side(const std::string& key, const Json& vocabularies, const Json& options,
                      const std::filesystem::path& folder, ToolkitProblems& problems) {
  ToolkitSide side{.tokens = vocabularies.at(key), .specials = {"<blank>", "<unk>", "<s>", "</s>"}};
  side.check_specials(fmt::format("the vocabulary {}", key), problems);
  if (!transforms_of(options).contains("sentencepiece")) return side;
  const std::string option = key + "_subword_model";
  const Json name = setting(options, option);
  side.model = find_near(name, folder);
  if (setting(options, key + "_vocab_threshold", 0) > 0 &&
      is_set(setting(options, key + "_subword_vocab", "")))
    problems.add(
        fmt::format("{}_subword_vocab and {}_vocab_threshold: subwords are restricted to "
                    "the frequent ones of a file",
                    key, key));
  if (side.model.empty())
    problems.add(fmt::format("{}: {} is not there, neither by its path nor in {}", option,
                             name.dump(), folder.string()));
  return side;
}

// Settings that change the parameters or the computation, with their defaults.
const std::vector<std::pair<const char*, Json>>& defaults_of(bool is_transformer) {
  using Defaults = std::vector<std::pair<const char*, Json>>;
  static const Defaults transformer = {{"max_relative_positions", 0},
                                       {"relative_positions_buckets", 0},
                                       {"num_kv", 0},
                                       {"parallel_residual", false},
                                       {"layer_norm", "standard"},
                                       {"norm_eps", 1e-6},
                                       {"num_experts", 0},
                                       {"sliding_window", 0}};
  static const Defaults recurrent = {{"position_encoding", false},
                                     {"coverage_attn", false},
                                     {"context_gate", nullptr},
                                     {"bridge", false},
                                     {"global_attention_function", "softmax"}};
  return is_transformer ? transformer : recurrent;
}

void check_options(const Json& options, const Json& vocabularies, ToolkitProblems& problems) {
  const Json encoder = setting(options, "encoder_type");
  const bool is_transformer = encoder == "transformer";
  const std::vector<std::pair<const char*, Json>> of_all = {
      {"model_task", "seq2seq"},         {"model_type", "text"},         {"copy_attn", false},
      {"generator_function", "softmax"}, {"lora_layers", Json::array()}, {"lora_embedding", false},
      {"quant_layers", Json::array()}};
  for (const auto* defaults : {&of_all, &defaults_of(is_transformer)}) {
    for (const auto& [key, value] : *defaults)
      problems.expect(key, setting(options, key, value), {value});
  }
  problems.expect("encoder_type", encoder, {"transformer", "rnn", "brnn"});
  problems.expect("decoder_type", setting(options, "decoder_type"),
                  {is_transformer ? "transformer" : "rnn"});
  problems.expect("decoder_start_token", setting(vocabularies, "decoder_start_token", "<s>"),
                  {"<s>"});
  if (is_set(setting(vocabularies, "src_feats")))
    problems.add("src_feats: the source has features");
  // All but SentencePiece are used only in training.
  for (const std::string& transform : transforms_of(options))
    problems.expect("transforms", transform,
                    {"sentencepiece", "filtertoolong", "clean", "switchout", "tokendrop",
                     "tokenmask", "uppercase"});
}

Json first_of(const Json& value) { return value.is_array() ? value.at(0) : value; }

// Number of layers: for as many numbers from 0 on, PREFIX number SUFFIX is a parameter.
int64_t count_layers(const ToolkitParameters& parameters, const std::string& prefix,
                     const std::string& suffix) {
  int64_t count = 0;
  while (parameters.has(fmt::format("{}{}{}", prefix, count, suffix))) ++count;
  return count;
}

Json stack_of(const std::string& prefix, const Json& options, const ToolkitParameters& parameters) {
  const std::string inner = ".feed_forward.w_1.weight";
  const std::vector<int64_t> shape = parameters.shape(prefix + "0" + inner);
  const bool adds_positions = is_set(setting(options, "position_encoding"));
  const Json dropout = first_of(options.at("dropout"));
  return {{"type", "transformer"},
          {"layers", count_layers(parameters, prefix, inner)},
          {"width", shape[1]},
          {"feed_forward", shape[0]},
          {"activation", setting(options, "pos_ffn_activation_fn", "relu")},
          {"norm", "pre"},
          {"positions", adds_positions ? "sinusoidal" : "none"},
          {"scale_embedding", adds_positions},
          {"dropout", dropout},
          {"activation_dropout", dropout}};
}

void add_transformer(const Json& options, const ToolkitParameters& parameters, Json& model,
                     ToolkitProblems& problems) {
  problems.expect("pos_ffn_activation_fn", setting(options, "pos_ffn_activation_fn", "relu"),
                  {"relu", "gelu"});
  problems.expect("self_attn_type", setting(options, "self_attn_type", "scaled-dot"),
                  {"scaled-dot", "scaled-dot-flash"});
  if (is_set(setting(options, "position_encoding")))
    problems.expect("position_encoding_type",
                    setting(options, "position_encoding_type", "SinusoidalInterleaved"),
                    {"SinusoidalInterleaved"});
  const Json attention = {
      {"score", "scaled_dot"},
      {"heads", options.at("heads")},
      {"dropout", first_of(setting(options, "attention_dropout", options.at("dropout")))}};
  model["encoder"] = stack_of("encoder.transformer.", options, parameters);
  model["decoder"] = stack_of("decoder.transformer_layers.", options, parameters);
  model["encoder"]["self_attention"] = attention;
  model["decoder"]["self_attention"] = attention;
  model["decoder"]["attention"] = attention;
}

void add_recurrent(const Json& options, const ToolkitParameters& parameters, Json& model,
                   ToolkitProblems& problems) {
  const Json type = setting(options, "rnn_type"), score = setting(options, "global_attention");
  problems.expect("rnn_type", type, {"LSTM", "GRU"});
  problems.expect("global_attention", score, {"dot", "general", "mlp"});
  problems.refuse_if_any();
  const char* cell = type == "LSTM" ? "lstm" : "gru";
  const Json dropout = first_of(options.at("dropout"));
  const int64_t width = parameters.shape("decoder.attn.linear_out.weight")[0];
  const bool feeds = is_set(setting(options, "input_feed")), is_additive = score == "mlp";
  model["encoder"] = {{"type", "rnn"},
                      {"cell", cell},
                      {"layers", count_layers(parameters, "encoder.rnn.weight_ih_l", "")},
                      {"width", width},
                      {"bidirectional", options.at("encoder_type") == "brnn"},
                      {"dropout", dropout}};
  model["decoder"] = {
      {"type", "rnn"},
      {"cell", cell},
      {"layers", feeds ? count_layers(parameters, "decoder.rnn.layers.", ".weight_ih")
                       : count_layers(parameters, "decoder.rnn.weight_ih_l", "")},
      {"width", width},
      {"attend", "after"},
      {"input_feeding", feeds},
      {"output_activation", is_additive ? "linear" : "tanh"},
      {"deep_output", false},
      {"bridge", "last"},
      {"dropout", dropout},
      {"attention",
       {{"score", is_additive ? Json{{"type", "additive"}, {"hidden", width}} : score}}}};
}

Json model_of(const Json& options, const ToolkitParameters& parameters, bool equal_sides,
              ToolkitProblems& problems) {
  const bool is_transformer = options.at("encoder_type") == "transformer",
             ties_output = is_set(setting(options, "share_decoder_embeddings")),
             ties_all = is_set(setting(options, "share_embeddings")) && equal_sides;
  const int64_t source_width = parameters.shape(fmt::format("encoder.{}", kEmbedding))[1],
                target_width = parameters.shape(fmt::format("decoder.{}", kEmbedding))[1];
  Json model = {{"embedding",
                 {{"width", source_width},
                  {"tie", !ties_output ? "none"
                          : ties_all   ? "all"
                                       : "target"},
                  {"dropout", is_transformer ? Json(0.0) : first_of(options.at("dropout"))}}},
                {"source_end", false},
                {"output", {{"type", "vocabulary"}, {"bias", true}}}};
  if (is_transformer)
    add_transformer(options, parameters, model, problems);
  else
    add_recurrent(options, parameters, model, problems);
  problems.expect("tgt_word_vec_size", target_width, {source_width});
  problems.refuse_if_any();
  return model;
}

LayerNames attention_layers(const names::AttentionNames& own, const std::string& other) {
  return {{own.query, other + ".linear_query"},
          {own.key, other + ".linear_keys"},
          {own.value, other + ".linear_values"},
          {own.output, other + ".final_linear"}};
}

LayerNames layers_of(const names::TransformerLayerNames& own, const std::string& other,
                     const std::string& norm) {
  return attention_layers(own.self_attention, other + ".self_attn") +
         LayerNames{{own.self_norm, other + "." + norm},
                    {own.inner, other + ".feed_forward.w_1"},
                    {own.outer, other + ".feed_forward.w_2"},
                    {own.feed_forward_norm, other + ".feed_forward.layer_norm"}};
}

LayerNames transformer_layers(const Json& model) {
  const std::string encoder = names::encoder(kSourceSide), decoder = names::kDecoder;
  LayerNames found = {{names::TransformerStackNames(encoder).final_norm, "encoder.layer_norm"},
                      {names::TransformerStackNames(decoder).final_norm, "decoder.layer_norm"}};
  for (int64_t i = 0; i < model["encoder"]["layers"].get<int64_t>(); ++i) {
    const names::TransformerLayerNames own(names::layer(encoder, i));
    found = found + layers_of(own, fmt::format("encoder.transformer.{}", i), "layer_norm");
  }
  for (int64_t i = 0; i < model["decoder"]["layers"].get<int64_t>(); ++i) {
    const names::TransformerLayerNames own(names::layer(decoder, i));
    const std::string other = fmt::format("decoder.transformer_layers.{}", i);
    found = found + layers_of(own, other, "layer_norm_1") +
            attention_layers(own.cross_attention, other + ".context_attn");
    found[own.cross_norm] = other + ".layer_norm_2";
  }
  return found;
}

void copy_score(const Json& score, ToolkitParameters& from, ToolkitTensors& to) {
  const names::AttentionNames own(names::kDecoderAttention);
  if (score == "general") {  // (W q)ᵀ k; heed has qᵀ (W k)
    to.add(names::weight(own.key), from.take("decoder.attn.linear_in.weight").t());
  } else if (score != "dot") {
    to.copy_layers({{own.query, "decoder.attn.linear_query"}});
    to.copy(names::weight(own.key), "decoder.attn.linear_context.weight");
    to.add(own.v, from.take("decoder.attn.v.weight").flatten());
  }
}

void copy_rnn(const Json& model, ToolkitParameters& from, ToolkitTensors& to) {
  const Json &encoder = model["encoder"], &decoder = model["decoder"];
  to.copy_recurrent_encoder("encoder.rnn", encoder["layers"], encoder["bidirectional"] == true);
  if (decoder["input_feeding"] == true) {
    for (int64_t i = 0; i < decoder["layers"].get<int64_t>(); ++i)
      to.copy_cell(names::layer(names::kDecoder, i), fmt::format("decoder.rnn.layers.{}", i));
  } else {
    to.copy_recurrent_decoder("decoder.rnn", decoder["layers"]);
  }
  copy_score(decoder["attention"]["score"], from, to);
  const int64_t width = decoder["width"];
  const std::string output = "decoder.attn.linear_out";
  const Tensor weight = from.take(output + ".weight");  // [W, C + W], context vector first
  to.add(names::weight(names::kReadOut),
         torch::cat({weight.slice(1, width), weight.slice(1, 0, width)}, 1));
  to.add(names::bias(names::kReadOut),
         from.has(output + ".bias") ? from.take(output + ".bias") : torch::zeros({width}));
}

NamedTensors tensors_of_checkpoint(const ToolkitModel& model, ToolkitParameters& from) {
  ToolkitTensors to(from);
  if (model.model["encoder"]["type"] == "rnn")
    copy_rnn(model.model, from, to);
  else  // without add_qkvbias, attention has no biases
    to.copy_layers(transformer_layers(model.model), /*zero_bias=*/true);
  const std::string source_table = fmt::format("encoder.{}", kEmbedding),
                    target_table = fmt::format("decoder.{}", kEmbedding);
  const Json& tie = model.model["embedding"]["tie"];
  to.copy_rows(names::kTargetEmbedding, target_table, model.target);
  to.copy_rows(names::bias(names::kOutputLayer), "generator.bias", model.target);
  // The checkpoint has a copy of a tied table.
  if (tie != "all")
    to.copy_rows(names::source_embedding(kSourceSide), source_table, model.source);
  else
    from.take_copy(source_table, target_table);
  if (tie == "none")
    to.copy_rows(names::weight(names::kOutputLayer), "generator.weight", model.target);
  else
    from.take_copy("generator.weight", target_table);
  from.refuse_rest();
  return to.take();
}

// Defaults of onmt_translate, which ends as soon as the best hypothesis of a step is finished; a
// checkpoint holds no search settings.
Json default_search() {
  return {{"beam", 5},       {"length_penalty", 1.0},    {"length_normalization", "plain"},
          {"patience", 0.2}, {"max_length_ratio", 1.25}, {"max_length_extra", 5}};
}

}  // namespace

LoadedModel import_opennmt(const std::filesystem::path& path) {
  return import_toolkit_model(path, [&] {
    if (!is_plain_file(path))
      refuse_model_of_toolkit(
          "it is a folder; name a checkpoint in it, such as model_step_10000.pt");
    TorchCheckpoint checkpoint = open_checkpoint(
        path,
        {.state_dicts = {{"model", ""}, {"generator", "generator."}}, .values = {"opt", "vocab"}});
    if (!checkpoint.values.contains("opt") || !checkpoint.values.contains("vocab"))
      refuse_model_of_toolkit("it is not a checkpoint of OpenNMT-py 3: has no vocab or no opt");
    const Json &options = checkpoint.values["opt"], &vocabularies = checkpoint.values["vocab"];
    ToolkitProblems problems;
    check_options(options, vocabularies, problems);
    ToolkitModel model;
    const std::filesystem::path folder = path.parent_path();
    model.source = read_side("src", vocabularies, options, folder, problems);
    model.target = read_side("tgt", vocabularies, options, folder, problems);
    problems.refuse_if_any();
    ToolkitParameters parameters(std::move(checkpoint.tensors));
    model.model = model_of(options, parameters, equal(model.source, model.target), problems);
    model.search = default_search();
    model.tensors = tensors_of_checkpoint(model, parameters);
    return model_of_toolkit(model);
  });
}

}  // namespace heed
