#include "exchange/hf_import.h"

#include "nn/torch.h"

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "config/reader.h"
#include "exchange/hf_names.h"
#include "exchange/hf_settings.h"
#include "exchange/hf_text.h"
#include "exchange/standard_transformer.h"
#include "exchange/weights_file.h"

namespace heed {

namespace {

// As output bias of a token that is never generated: e^-100 is 0 beside any probability, and label
// smoothing, which averages over the vocabulary, still computes with it.
constexpr double kNever = -100;

std::string stack_text(const HfSettings& from, const HfStack& stack) {
  return fmt::format(
      "type: transformer, layers: {}, width: {}, feed_forward: {}, activation: {}, norm: {}, "
      "positions: {{type: sinusoidal, layout: {}}}, scale_embedding: {}, dropout: {}, "
      "activation_dropout: {}, layer_dropout: {}",
      stack.layers, from.width, stack.feed_forward, from.activation,
      from.kind.post_norm ? "post" : "pre", from.kind.has_languages ? "fairseq" : "halves",
      from.scale_embedding, from.dropout, from.activation_dropout, stack.layer_dropout);
}

std::string model_text(const HfSettings& from) {
  const auto attention = [&from](const HfStack& stack) {
    return fmt::format("{{score: scaled_dot, heads: {}, dropout: {}}}", stack.heads,
                       from.attention_dropout);
  };
  const char* tie = !from.ties_output ? "none" : from.shares_embeddings ? "all" : "target";
  return fmt::format(
      "{{embedding: {{width: {}, tie: {}}}, encoder: {{{}, self_attention: {}}}, decoder: {{{}, "
      "self_attention: {}, attention: {}}}, output: {{type: vocabulary, bias: true}}}}",
      from.width, tie, stack_text(from, from.encoder), attention(from.encoder),
      stack_text(from, from.decoder), attention(from.decoder), attention(from.decoder));
}

SavedModelConfig config_of(const HfSettings& settings, const HfText& text,
                           const std::filesystem::path& folder) try {
  SavedModelConfig config;
  read_config_text(model_text(settings), "config.json", config.model);
  config.text = text.config;
  config.search = settings.search;
  return config;
} catch (const Error& error) {
  throw_error(ErrorKind::kModel, "{}: {}", folder.string(), error.what());
}

Tensor rows_of(const Tensor& table, const std::vector<int64_t>& rows) {
  return table.index_select(0, torch::tensor(rows, torch::kLong));
}

// Fills the parameters of a network.
class ParameterReader {
 public:
  ParameterReader(Seq2Seq& network, WeightsFile& file)
      : tensors_(tensors_of(network)), file_(file) {}

  void take(const std::string& own, const std::vector<std::string>& others) {
    Tensor& to = tensors_.at(own);
    to.copy_(file_.take(others, to.sizes().vec()));
  }
  // The rows of a table of `size` rows.
  void take_rows(const std::string& own, const std::vector<std::string>& others, int64_t size,
                 const std::vector<int64_t>& rows) {
    Tensor& to = tensors_.at(own);
    to.copy_(rows_of(file_.take(others, {size, to.size(1)}), rows));
  }
  Tensor& operator[](const std::string& own) { return tensors_.at(own); }
  bool wants(const std::string& own) const { return tensors_.contains(own); }

 private:
  NamedTensors tensors_;
  WeightsFile& file_;
};

void read_output_bias(ParameterReader& to, WeightsFile& file, const HfSettings& settings,
                      const HfText& text) {
  constexpr const char* kBias = "final_logits_bias";
  Tensor& bias = to["output.bias"];
  if (file.has(kBias))
    bias.copy_(
        rows_of(file.take({kBias}, {1, settings.target_vocabulary}).squeeze(0), text.target_rows));
  if (settings.begin_id == settings.pad_id || settings.begin_id == settings.end_id)
    bias[kBegin] = kNever;
  if (settings.renormalizes) bias[kPad] = kNever;
}

void read_embeddings(ParameterReader& to, WeightsFile& file, const HfSettings& settings,
                     const HfText& text) {
  const std::string shared = "model.shared.weight", source = "model.encoder.embed_tokens.weight",
                    target = "model.decoder.embed_tokens.weight", output = "lm_head.weight";
  std::vector<std::string> targets = {target, shared, source};
  if (settings.shares_embeddings) targets = {shared, target, source};
  if (settings.ties_output) targets.insert(targets.begin() + 2, output);
  to.take_rows("target.embedding", targets, settings.target_vocabulary, text.target_rows);
  if (to.wants("source_source.embedding"))
    to.take_rows("source_source.embedding", {source, shared}, settings.source_vocabulary,
                 text.source_rows);
  if (to.wants("output.weight"))
    to.take_rows("output.weight", {output}, settings.target_vocabulary, text.target_rows);
  read_output_bias(to, file, settings, text);
}

// Copies of what was taken, and positions, which are computed.
bool is_known_rest(const std::string& name) {
  return name.ends_with("embed_tokens.weight") || name.ends_with("embed_positions.weight") ||
         name.ends_with("embed_positions.weights") || name == "model.shared.weight" ||
         name == "lm_head.weight";
}

void refuse_rest(const WeightsFile& file) {
  std::vector<std::string> unknown;
  for (const std::string& name : file.rest()) {
    if (!is_known_rest(name)) unknown.push_back(name);
  }
  if (!unknown.empty())
    throw_error(ErrorKind::kModel, "{}: {} parameters are of another architecture: {}",
                file.path().string(), unknown.size(), fmt::format("{}", fmt::join(unknown, ", ")));
}

}  // namespace

LoadedModel import_hf(const std::filesystem::path& folder, const HfLanguages& languages) {
  const HfSettings settings = read_hf_settings(folder);
  const HfText text = read_hf_text(folder, settings, languages);
  LoadedModel model;
  model.config = config_of(settings, text, folder);
  model.config.search.allow_unknown = text.may_generate_unknown;
  model.codecs = text.codecs;
  model.network = std::make_shared<Seq2Seq>(model.config.model,
                                            vocabulary_sizes(model.config, model.codecs), 0);
  const torch::NoGradGuard no_grad;
  WeightsFile file(folder);
  ParameterReader to(*model.network, file);
  for (const NamePair& name : hf_names(standard_transformer(model.config, "heed")))
    to.take(name.own, {name.other});
  read_embeddings(to, file, settings, text);
  refuse_rest(file);
  model.network->eval();
  return model;
}

}  // namespace heed
