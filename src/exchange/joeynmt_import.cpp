#include "nn/torch.h"

#include <algorithm>
#include <set>

#include "base/file.h"
#include "base/folder.h"
#include "base/log.h"
#include "config/sizes.h"
#include "data/example.h"
#include "exchange/imports.h"
#include "exchange/toolkit_model.h"
#include "exchange/torch_file.h"
#include "model/parameter_names_spec.h"

namespace heed {

namespace {

constexpr const char* kTargetTable = "trg_embed.lut.weight";

struct JoeynmtFiles {
  std::filesystem::path folder, checkpoint;
};

JoeynmtFiles find_files(const std::filesystem::path& path) {
  if (is_plain_file(path)) return {path.parent_path(), path};
  const std::filesystem::path best = path / "best.ckpt";
  std::error_code error;
  const std::filesystem::path target = std::filesystem::read_symlink(best, error);
  if (!error && !is_plain_file(best))
    refuse_model_of_toolkit(fmt::format("{}: names {}, which is missing; name another checkpoint",
                                        best.string(), target.string()));
  for (const char* name : {"best.ckpt", "latest.ckpt"}) {
    if (is_plain_file(path / name)) return {path, path / name};
  }
  refuse_model_of_toolkit(
      fmt::format("{}: has neither best.ckpt nor latest.ckpt; name a checkpoint", path.string()));
}

// The lines of a vocabulary file.
std::vector<std::string> lines_of_vocabulary(const std::filesystem::path& path) {
  if (!is_plain_file(path)) refuse_model_of_toolkit(fmt::format("{}: is missing", path.string()));
  const std::string text = read_file(path);
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// JoeyNMT's order: <unk>, <pad>, <s> and </s>, wherever the file has them, and each token once.
// specials: in the order of heed's ids.
std::vector<std::string> tokens_of(const std::vector<std::string>& lines,
                                   const std::vector<std::string>& specials) {
  std::vector<std::string> tokens;
  std::set<std::string> known;
  const auto add = [&](const std::string& token) {
    if (known.insert(token).second) tokens.push_back(token);
  };
  for (const int32_t id : {kUnknown, kPad, kBegin, kEnd}) add(specials.at(id));
  for (const std::string& line : lines) add(line);
  return tokens;
}

void read_special_tokens(const Json& data, ToolkitSide& side, ToolkitProblems& problems) {
  const Json special = setting(data, "special_symbols", Json::object());
  for (const auto& [name, token] :
       {std::pair{"pad", "<pad>"}, {"unk", "<unk>"}, {"bos", "<s>"}, {"eos", "</s>"}})
    side.specials.push_back(setting(special, fmt::format("{}_token", name), token));
  problems.expect("data.special_symbols.sep_token", setting(special, "sep_token"), {nullptr});
  problems.expect("data.special_symbols.lang_tags", setting(special, "lang_tags", Json::array()),
                  {Json::array()});
}

// key: src or trg.
ToolkitSide read_side(const std::string& key, const Json& data, const std::filesystem::path& folder,
                      ToolkitProblems& problems) {
  const Json config = data.at(key), level = setting(config, "level"),
             details = setting(config, "tokenizer_cfg", Json::object());
  const std::string path = "data." + key;
  ToolkitSide side;
  side.lower = is_set(setting(config, "lowercase"));
  problems.expect(path + ".tokenizer_cfg.pretokenizer", setting(details, "pretokenizer", "none"),
                  {"none"});
  problems.expect(path + ".normalize", is_set(setting(config, "normalize")), {false});
  problems.expect(path + ".level", level, {"word", "bpe"});
  if (level == "bpe") {
    problems.expect(path + ".tokenizer_type", setting(config, "tokenizer_type"), {"sentencepiece"});
    const Json name = setting(details, "model_file");
    side.model = find_near(name, folder);
    side.cuts_into_tokens = true;
    if (side.model.empty())
      problems.add(
          fmt::format("{}.tokenizer_cfg.model_file: {} is not there, neither by its path nor in {}",
                      path, name.dump(), folder.string()));
  }
  read_special_tokens(data, side, problems);
  side.tokens = tokens_of(lines_of_vocabulary(folder / (key + "_vocab.txt")), side.specials);
  return side;
}

std::string activation_of(const std::string& key, const Json& config, ToolkitProblems& problems) {
  const Json activation = setting(config, "activation", "relu");
  problems.expect(key + ".activation", activation, {"relu", "gelu", "swish"});
  return activation == "swish" ? "silu" : activation.get<std::string>();
}

// Defaults of JoeyNMT that differ between its encoder and decoder.
struct StackDefaults {
  const char *name, *norm;
  int64_t layers, heads;
};
constexpr StackDefaults kEncoderDefaults{"encoder", "pre", 8, 4},
    kDecoderDefaults{"decoder", "post", 4, 8};

Json attention_of(const Json& config, const StackDefaults& defaults) {
  return {{"score", "scaled_dot"},
          {"heads", setting(config, "num_heads", defaults.heads)},
          {"dropout", setting(config, "dropout", 0.1)}};
}

Json stack_of(const Json& config, const StackDefaults& defaults, ToolkitProblems& problems) {
  const std::string key = fmt::format("model.{}", defaults.name);
  problems.expect(key + ".type", setting(config, "type"), {"transformer"});
  problems.expect(key + ".alpha", setting(config, "alpha", 1.0), {1.0});
  const Json dropout = setting(config, "dropout", 0.1);
  // Without the key layer_norm, an encoder has no norm behind its last layer.
  const Json norm = setting(config, "layer_norm", defaults.norm);
  problems.expect(key + ".layer_norm", norm, {"pre", "post"});
  return {{"type", "transformer"},
          {"layers", setting(config, "num_layers", defaults.layers)},
          {"width", setting(config, "hidden_size", 512)},
          {"feed_forward", setting(config, "ff_size", 2048)},
          {"activation", activation_of(key, config, problems)},
          {"norm", norm},
          {"final_norm", config.contains("layer_norm") || norm == "post"},
          {"positions", {{"type", "sinusoidal"}}},
          {"scale_embedding", is_set(setting(config.at("embeddings"), "scale"))},
          {"dropout", dropout},
          {"activation_dropout", dropout},
          {"self_attention", attention_of(config, defaults)}};
}

void add_transformer(const Json& encoder, const Json& decoder, Json& model,
                     ToolkitProblems& problems) {
  model["encoder"] = stack_of(encoder, kEncoderDefaults, problems);
  model["decoder"] = stack_of(decoder, kDecoderDefaults, problems);
  model["decoder"]["attention"] = attention_of(decoder, kDecoderDefaults);
}

void check_recurrent(const Json& encoder, const Json& decoder, ToolkitProblems& problems) {
  problems.expect("model.decoder.type", setting(decoder, "type"), {"recurrent"});
  problems.expect("model.encoder.bidirectional", is_set(setting(encoder, "bidirectional", true)),
                  {true});
  for (const auto& [part, config] : {std::pair{"encoder", &encoder}, {"decoder", &decoder}}) {
    problems.expect(fmt::format("model.{}.rnn_type", part), setting(*config, "rnn_type", "gru"),
                    {"gru", "lstm"});
    problems.expect(fmt::format("model.{}.embeddings.scale", part),
                    is_set(setting(config->at("embeddings"), "scale")), {false});
  }
  problems.expect("model.decoder.activation", setting(decoder, "activation", "tanh"), {"tanh"});
  problems.expect("model.decoder.init_hidden", setting(decoder, "init_hidden", "bridge"),
                  {"bridge", "zero", "zeros"});
  problems.expect("model.decoder.attention", setting(decoder, "attention", "bahdanau"),
                  {"bahdanau", "luong"});
}

void add_recurrent(const Json& encoder, const Json& decoder, Json& model,
                   ToolkitProblems& problems) {
  check_recurrent(encoder, decoder, problems);
  const Json width = setting(decoder, "hidden_size", 0);
  const bool has_bridge = setting(decoder, "init_hidden", "bridge") == "bridge",
             is_additive = setting(decoder, "attention", "bahdanau") == "bahdanau";
  const Json score = is_additive ? Json{{"type", "concat"}, {"hidden", width}} : Json("general");
  model["encoder"] = {{"type", "rnn"},
                      {"cell", setting(encoder, "rnn_type", "gru")},
                      {"layers", setting(encoder, "num_layers", 1)},
                      {"width", 2 * setting(encoder, "hidden_size", 1).get<int64_t>()},
                      {"bidirectional", true},
                      {"dropout", setting(encoder, "dropout", 0.0)}};
  model["decoder"] = {{"type", "rnn"},
                      {"cell", setting(decoder, "rnn_type", "gru")},
                      {"layers", setting(decoder, "num_layers", 1)},
                      {"width", width},
                      {"attend", "after"},
                      {"input_feeding", is_set(setting(decoder, "input_feeding", true))},
                      {"output_activation", "tanh"},
                      {"deep_output", false},
                      {"bridge", has_bridge ? "shared" : "none"},
                      {"dropout", setting(decoder, "dropout", 0.0)},
                      {"attention", {{"score", score}}}};
}

Json model_of(const Json& config, bool equal_sides, ToolkitProblems& problems) {
  const Json encoder = config.at("encoder"), decoder = config.at("decoder"),
             type = setting(encoder, "type");
  problems.expect("model.encoder.type", type, {"transformer", "recurrent"});
  problems.refuse_if_any();
  const Json width = setting(decoder.at("embeddings"), "embedding_dim", 64);
  problems.expect("model.encoder.embeddings.embedding_dim",
                  setting(encoder.at("embeddings"), "embedding_dim", 64), {width});
  const bool ties_all = is_set(setting(config, "tied_embeddings")) && equal_sides,
             ties_output = is_set(setting(config, "tied_softmax"));
  Json model = {{"embedding",
                 {{"width", width},
                  {"tie", !ties_output ? "none"
                          : ties_all   ? "all"
                                       : "target"}}},
                {"output", {{"type", "vocabulary"}, {"bias", false}}}};
  if (type == "transformer")
    add_transformer(encoder, decoder, model, problems);
  else
    add_recurrent(encoder, decoder, model, problems);
  problems.refuse_if_any();
  return model;
}

// Warns of settings that heed's search does not have. -1 stands for no value.
Json search_of(const YamlFile& config) {
  static const std::set<std::string> kWithoutEffect = {
      "batch_size",       "batch_type",    "eval_batch_size", "eval_batch_type",
      "eval_metrics",     "load_model",    "return_prob",     "sacrebleu",
      "return_attention", "sacrebleu_cfg", "use_cuda",        "fp16"};
  // Bounds of heed's keys, and -1 for none.
  constexpr Range kPenalties{-1, 100};
  constexpr IntRange kCounts{-1, 65'000};
  ToolkitSearchReader read(config, "testing");
  const double old_alpha = read.real("beam_alpha", -1, kPenalties),
               alpha = read.real("alpha", old_alpha, kPenalties),
               penalty = read.real("repetition_penalty", -1, kPenalties);
  const int64_t shortest = read.whole("min_output_length", 1, kCounts),
                longest = read.whole("max_output_length", -1, kCounts),
                ngram = read.whole("no_repeat_ngram_size", -1, kCounts);
  Json search = {{"beam", read.whole("beam_size", 1, kBeams)},
                 {"length_penalty", std::max(alpha, 0.0)},
                 {"length_normalization", "gnmt"},
                 {"min_length", std::max<int64_t>(shortest, 0)},
                 {"allow_unknown", read.flag("generate_unk", true)},
                 {"no_repeat_ngram", ngram > 1 ? ngram : 0},
                 {"repetition_penalty", std::max(penalty, 1.0)}};
  read.refuse_if_any();
  if (ngram > 1 || penalty > 1)
    spdlog::warn(
        "config.yaml: testing: JoeyNMT counts the tokens of the source for no_repeat_ngram_size "
        "and repetition_penalty too, heed those of the translation, so that translations can "
        "differ");
  if (longest > 0) {
    search["max_length_ratio"] = 0;
    search["max_length_extra"] = longest;
  }
  std::vector<std::string> others;
  const Json rest = read.others();
  for (const auto& [key, value] : rest.items()) {
    if (!kWithoutEffect.contains(key) && !(key == "n_best" && value == 1))
      others.push_back(fmt::format("{} ({})", key, value.dump()));
  }
  if (!others.empty())
    spdlog::warn("config.yaml: testing: settings that heed's search does not have are left out: {}",
                 fmt::join(others, ", "));
  return search;
}

LayerNames attention_names(const names::AttentionNames& own, const std::string& other) {
  return {{own.query, other + ".q_layer"},
          {own.key, other + ".k_layer"},
          {own.value, other + ".v_layer"},
          {own.output, other + ".output_layer"}};
}

LayerNames layer_names(const names::TransformerLayerNames& own, const std::string& other,
                       const std::string& norm) {
  return {{own.inner, other + ".feed_forward.pwff_layer.0"},
          {own.outer, other + ".feed_forward.pwff_layer.3"},
          {own.feed_forward_norm, other + ".feed_forward.layer_norm"},
          {own.self_norm, other + "." + norm}};
}

LayerNames transformer_names(const Json& model) {
  const std::string encoder = names::encoder(kSourceSide), decoder = names::kDecoder;
  LayerNames found;
  for (int64_t i = 0; i < model["encoder"]["layers"].get<int64_t>(); ++i) {
    const names::TransformerLayerNames own(names::layer(encoder, i));
    const std::string other = fmt::format("encoder.layers.{}", i);
    found = found + layer_names(own, other, "layer_norm") +
            attention_names(own.self_attention, other + ".src_src_att");
  }
  for (int64_t i = 0; i < model["decoder"]["layers"].get<int64_t>(); ++i) {
    const names::TransformerLayerNames own(names::layer(decoder, i));
    const std::string other = fmt::format("decoder.layers.{}", i);
    found = found + layer_names(own, other, "x_layer_norm") +
            attention_names(own.self_attention, other + ".trg_trg_att") +
            attention_names(own.cross_attention, other + ".src_trg_att");
    found[own.cross_norm] = other + ".dec_layer_norm";
  }
  for (const auto& [own, part] : {std::pair{encoder, "encoder"}, {decoder, "decoder"}}) {
    if (model[part]["norm"] == "pre" && model[part]["final_norm"] == true)
      found[names::TransformerStackNames(own).final_norm] = fmt::format("{}.layer_norm", part);
  }
  return found;
}

void copy_recurrent(const Json& model, ToolkitParameters& from, ToolkitTensors& to) {
  const names::AttentionNames attention(names::kDecoderAttention);
  to.copy_recurrent_encoder("encoder.rnn", model["encoder"]["layers"], /*bidirectional=*/true);
  to.copy_recurrent_decoder("decoder.rnn", model["decoder"]["layers"]);
  to.copy_layers({{names::kReadOut, "decoder.att_vector_layer"}});
  if (model["decoder"]["bridge"] == "shared")
    to.copy_layers({{names::kBridge, "decoder.bridge_layer"}});
  to.copy(names::weight(attention.key), "decoder.attention.key_layer.weight");
  if (model["decoder"]["attention"]["score"] == "general") return;
  to.copy(names::weight(attention.query), "decoder.attention.query_layer.weight");
  to.add(attention.v, from.take("decoder.attention.energy_layer.weight").flatten());
}

NamedTensors tensors_of_model(const ToolkitModel& model, ToolkitParameters& from) {
  ToolkitTensors to(from);
  if (model.model["encoder"]["type"] == "rnn")
    copy_recurrent(model.model, from, to);
  else
    to.copy_layers(transformer_names(model.model));
  const Json& tie = model.model["embedding"]["tie"];
  to.copy_rows(names::kTargetEmbedding, kTargetTable, model.target);
  // The checkpoint has a copy of a tied table.
  for (const auto& [own, other, side, is_own] :
       {std::tuple{names::source_embedding(kSourceSide), "src_embed.lut.weight", &model.source,
                   tie != "all"},
        {names::weight(names::kOutputLayer), "decoder.output_layer.weight", &model.target,
         tie == "none"}}) {
    if (is_own)
      to.copy_rows(own, other, *side);
    else
      from.take_copy(other, kTargetTable);
  }
  from.refuse_rest();
  return to.take();
}

}  // namespace

LoadedModel import_joeynmt(const std::filesystem::path& path) {
  return import_toolkit_model(path, [&] {
    const JoeynmtFiles files = find_files(path);
    const YamlFile file = read_yaml_map(files.folder / "config.yaml");
    const Json& config = file.values;
    ToolkitProblems problems;
    ToolkitModel model;
    model.source = read_side("src", config.at("data"), files.folder, problems);
    model.target = read_side("trg", config.at("data"), files.folder, problems);
    problems.refuse_if_any();
    model.model = model_of(config.at("model"), equal(model.source, model.target), problems);
    model.search = search_of(file);
    ToolkitParameters parameters(
        open_checkpoint(files.checkpoint, {.state_dicts = {{"model_state", ""}}, .values = {}})
            .tensors);
    model.tensors = tensors_of_model(model, parameters);
    return model_of_toolkit(model);
  });
}

}  // namespace heed
