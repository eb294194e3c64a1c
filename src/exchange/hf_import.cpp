#include "exchange/hf_import.h"

#include <algorithm>

#include "nn/torch.h"

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/sentences.h"
#include "config/reader.h"
#include "exchange/hf_names.h"
#include "exchange/hf_settings.h"
#include "exchange/hf_text.h"
#include "exchange/standard_transformer.h"
#include "exchange/token_rows.h"
#include "exchange/weights_file.h"
#include "nn/positions.h"

namespace heed {

namespace {

constexpr const char* kBannedIds = "bad_words_ids or suppress_tokens";

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

// Its settings with the tokens that it suppresses: heed never generates padding nor the beginning.
SearchConfig search_of(const HfSettings& settings, const HfText& text) {
  SearchConfig search = settings.generation.search;
  const Vocabulary& target = text.codecs.at(kTargetSide)->vocabulary();
  const auto add = [&](int64_t id, const char* setting, std::vector<std::string>& to) {
    const int32_t own = text.target_id(id, setting);
    if (own == kPad || own == kBegin) return;
    if (std::ranges::count(to, target.piece(own)) == 0) to.push_back(target.piece(own));
  };
  for (const int64_t id : settings.generation.banned) add(id, kBannedIds, search.suppress_tokens);
  for (const int64_t id : settings.generation.banned_first)
    add(id, "begin_suppress_tokens", search.begin_suppress_tokens);
  search.allow_unknown = std::erase(search.suppress_tokens, kUnknownPiece) == 0;
  return search;
}

SavedModelConfig config_of(const HfSettings& settings, const HfText& text,
                           const HfLanguages& languages, const std::filesystem::path& folder) try {
  SavedModelConfig config;
  read_config_text(model_text(settings), "config.json", config.model);
  config.text = text.config;
  config.search = search_of(settings, text);
  config.source_language =
      language_code(languages.source.empty() ? settings.source_language : languages.source);
  config.target_language =
      language_code(languages.target.empty() ? settings.target_language : languages.target);
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
    bias[kBegin] = kNeverBias;
  if (!settings.generation.renormalizes) return;
  bias[kPad] = kNeverBias;
  for (const int64_t id : settings.generation.banned)
    bias[text.target_id(id, kBannedIds)] = kNeverBias;
}

// The tables of a file by the names that they may have: the first that there is of each is taken.
struct TableNames {
  std::vector<std::string> source, target, output;
};

TableNames table_names(const HfSettings& settings) {
  const std::string shared = "model.shared.weight", source = "model.encoder.embed_tokens.weight",
                    target = "model.decoder.embed_tokens.weight", output = "lm_head.weight";
  TableNames names{{source, shared}, {target, shared, source}, {output}};
  if (settings.shares_embeddings) names.target = {shared, target, source};
  if (settings.ties_output) names.target.insert(names.target.begin() + 2, output);
  return names;
}

void read_embeddings(ParameterReader& to, WeightsFile& file, const HfSettings& settings,
                     const HfText& text) {
  const TableNames names = table_names(settings);
  to.take_rows("target.embedding", names.target, settings.target_vocabulary, text.target_rows);
  if (to.wants("source_source.embedding"))
    to.take_rows("source_source.embedding", names.source, settings.source_vocabulary,
                 text.source_rows);
  if (to.wants("output.weight"))
    to.take_rows("output.weight", names.output, settings.target_vocabulary, text.target_rows);
  read_output_bias(to, file, settings, text);
}

// Compares tensors that were not taken: tables of positions with sines and cosines, tables of
// embeddings with the one that was taken.
class KnownRest {
 public:
  KnownRest(const WeightsFile& file, const HfSettings& settings)
      : file_(file), settings_(settings), names_(table_names(settings)) {}

  // "" if the tensor equals it.
  std::string problem(const std::string& name) const {
    if (name.ends_with("embed_positions.weight") || name.ends_with("embed_positions.weights"))
      return are_positions(file_.read(name))
                 ? ""
                 : fmt::format("{} holds other numbers than sines and cosines", name);
    const std::string taken = taken_for(name);
    if (taken.empty()) return name;
    return file_.read(name).equal(file_.read(taken))
               ? ""
               : fmt::format("{} differs from {}, which it is a copy of by {}", name, taken,
                             kHfConfig);
  }

 private:
  // "" if there is none.
  std::string taken_for(const std::string& name) const {
    for (const auto* names : {&names_.source, &names_.target}) {
      if (std::ranges::count(*names, name) == 0) continue;
      const auto taken = std::ranges::find_if(
          *names, [this](const std::string& one) { return file_.is_taken(one); });
      if (taken != names->end()) return *taken;
    }
    return "";
  }

  // Tables of fairseq have two rows before the first position. Their numbers may have 16 bits.
  bool are_positions(const Tensor& table) const {
    constexpr double kRounding = 5e-3;
    const bool is_fairseq = settings_.kind.has_languages;
    const int64_t first = is_fairseq ? 2 : 0;
    if (table.dim() != 2 || table.size(1) != settings_.width || table.size(0) < first) return false;
    const Tensor rows = table.narrow(0, first, table.size(0) - first);
    return rows.allclose(sinusoids(rows.size(0), settings_.width, torch::kFloat,
                                   is_fairseq ? SinusoidLayout::kFairseq : SinusoidLayout::kHalves),
                         0, kRounding);
  }

  const WeightsFile& file_;
  const HfSettings& settings_;
  TableNames names_;
};

void refuse_rest(const WeightsFile& file, const HfSettings& settings) {
  const KnownRest known(file, settings);
  std::vector<std::string> problems;
  for (const std::string& name : file.rest()) {
    if (const std::string problem = known.problem(name); !problem.empty())
      problems.push_back(problem);
  }
  if (!problems.empty())
    throw_error(ErrorKind::kModel, "{}: {} parameters are of another architecture: {}",
                file.path().string(), problems.size(),
                fmt::format("{}", fmt::join(problems, "; ")));
}

}  // namespace

LoadedModel import_hf(const std::filesystem::path& folder, const HfLanguages& languages) {
  const HfSettings settings = read_hf_settings(folder);
  const HfText text = read_hf_text(folder, settings, languages);
  LoadedModel model;
  model.config = config_of(settings, text, languages, folder);
  model.codecs = text.codecs;
  model.network = std::make_shared<Seq2Seq>(model.config.model,
                                            vocabulary_sizes(model.config, model.codecs), 0);
  const torch::NoGradGuard no_grad;
  WeightsFile file(folder);
  ParameterReader to(*model.network, file);
  for (const NamePair& name : hf_names(standard_transformer(model.config, "heed")))
    to.take(name.own, {name.other});
  read_embeddings(to, file, settings, text);
  refuse_rest(file, settings);
  model.network->eval();
  return model;
}

}  // namespace heed
