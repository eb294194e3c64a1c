#include "exchange/imports.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nn/torch.h"

#include "base/error.h"
#include "base/file.h"
#include "base/language_code.h"
#include "base/log.h"
#include "config/reader.h"
#include "exchange/hf_names.h"
#include "exchange/hf_settings.h"
#include "exchange/hf_t5.h"
#include "exchange/hf_text.h"
#include "exchange/token_rows.h"
#include "exchange/weights_file.h"
#include "inference/engine_shape.h"
#include "model/model_size.h"
#include "model/parameter_names_spec.h"
#include "nn/positions.h"

namespace heed {

namespace {

constexpr const char* kBannedIds = "bad_words_ids or suppress_tokens";

std::string positions_text(const HfSettings& from) {
  if (from.kind.learns_positions)
    return fmt::format("{{type: learned, max_positions: {}}}, embedding_norm: true",
                       from.positions);
  return fmt::format("{{type: sinusoidal, layout: {}}}",
                     from.kind.has_languages ? "fairseq" : "halves");
}

std::string stack_text(const HfSettings& from, const HfStack& stack) {
  return fmt::format(
      "type: transformer, layers: {}, width: {}, feed_forward: {}, activation: {}, norm: {}, "
      "positions: {}, scale_embedding: {}, dropout: {}, activation_dropout: {}, layer_dropout: {}",
      stack.layers, from.width, stack.feed_forward, from.activation,
      from.kind.post_norm ? "post" : "pre", positions_text(from), from.scale_embedding,
      from.dropout, from.activation_dropout, stack.layer_dropout);
}

std::string model_text(const HfSettings& from) {
  if (from.kind.is_t5()) return t5_model_text(from);
  const auto attention = [&from](const HfStack& stack) {
    return fmt::format("{{score: scaled_dot, heads: {}, dropout: {}}}", stack.heads,
                       from.attention_dropout);
  };
  const char* tie = !from.ties_output ? "none" : from.shares_embeddings ? "all" : "target";
  return fmt::format(
      "{{embedding: {{width: {}, tie: {}}}, encoder: {{{}, self_attention: {}}}, decoder: {{{}, "
      "self_attention: {}, attention: {}}}, output: {{type: vocabulary, bias: true}}, source_end: "
      "{}}}",
      from.width, tie, stack_text(from, from.encoder), attention(from.encoder),
      stack_text(from, from.decoder), attention(from.decoder), attention(from.decoder),
      !from.language_at_end);
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
                           const std::filesystem::path& folder) try {
  SavedModelConfig config;
  read_config_text(model_text(settings), "config.json", config.model);
  config.text = text.config;
  config.search = search_of(settings, text);
  const auto& [source, target] = text.languages;
  config.source_language = language_code(source.empty() ? settings.source_language : source);
  config.target_language = language_code(target.empty() ? settings.target_language : target);
  return config;
} catch (const Error& error) {
  throw_error(ErrorKind::kModel, "{}: {}", folder.string(), error.what());
}

Tensor rows_of(const Tensor& table, const std::vector<int64_t>& rows) {
  return table.index_select(0, torch::tensor(rows, torch::kLong));
}

// Layers of T5 have no biases.
void remove_biases(const NamedTensors& tensors) {
  for (const auto& [name, tensor] : tensors) {
    if (name.ends_with(".bias")) tensor.zero_();
  }
}

void read_output_bias(Tensor bias, WeightsFile& file, const HfSettings& settings,
                      const HfText& text) {
  constexpr const char* kBias = "final_logits_bias";
  if (file.has(kBias))
    bias.copy_(
        rows_of(file.take({kBias}, {1, settings.target_vocabulary}).squeeze(0), text.target_rows));
  if (std::ranges::count(text.target_rows, text.begin_id) > 1) bias[kBegin] = kNeverBias;
  if (!settings.generation.renormalizes) return;
  bias[kPad] = kNeverBias;
  for (const int64_t id : settings.generation.banned)
    bias[text.target_id(id, kBannedIds)] = kNeverBias;
}

constexpr const char* kOutputTable = "lm_head.weight";

// The tables of a file by the names that they may have: the first that there is of each is taken.
struct TableNames {
  std::vector<std::string> source, target, output;
};

TableNames table_names(const HfSettings& settings) {
  const std::string root = settings.kind.is_t5() ? "" : "model.", shared = root + "shared.weight",
                    source = root + "encoder.embed_tokens.weight",
                    target = root + "decoder.embed_tokens.weight", output = kOutputTable;
  TableNames names{{source}, {target}, {output}};
  if (settings.shares_embeddings) names = {{source, shared}, {shared, target, source}, {output}};
  if (settings.ties_output) names.target.push_back(output);
  return names;
}

// A parameter of the network, and what it is in the file.
struct Parameter {
  std::string own;
  std::vector<std::string> others;  // the first that there is
  std::vector<int64_t> shape{};     // in the file
  std::vector<int64_t> rows{};      // of a table: those that are taken, in this order; empty: all
};

std::vector<NamePair> names_of(const SavedModelConfig& config, const HfSettings& settings) {
  if (settings.kind.is_t5()) return t5_names(settings);
  const auto engine = engine_shape(config);
  HEED_CHECK(engine, "{}", settings.kind.name);
  return hf_names(std::get<TransformerShape>(*engine));
}

// All but the bias of the output layer. tensors: of the network, maybe without memory.
std::vector<Parameter> parameters_of(const NamedTensors& tensors, const SavedModelConfig& config,
                                     const HfSettings& settings, const HfText& text) {
  std::vector<Parameter> parameters;
  for (const NamePair& name : names_of(config, settings))
    parameters.push_back({name.own, {name.other}, tensors.at(name.own).sizes().vec()});
  const TableNames tables = table_names(settings);
  const auto add_table = [&](const std::string& own, const std::vector<std::string>& others,
                             int64_t size, const std::vector<int64_t>& rows) {
    parameters.push_back({own, others, {size, tensors.at(own).size(1)}, rows});
  };
  if (settings.kind.learns_positions) {
    std::vector<int64_t> rows(static_cast<size_t>(settings.positions));
    std::iota(rows.begin(), rows.end(), kFairseqPositions);
    for (const auto& [own, other] :
         {std::pair{names::encoder(kSourceSide), "encoder"}, {names::kDecoder, "decoder"}})
      add_table(names::TransformerStackNames(own).positions,
                {fmt::format("model.{}.embed_positions.weight", other)},
                settings.positions + kFairseqPositions, rows);
  }
  add_table(names::kTargetEmbedding, tables.target, settings.target_vocabulary, text.target_rows);
  const std::string source = names::source_embedding(kSourceSide),
                    output = names::weight(names::kOutputLayer);
  if (tensors.contains(source))
    add_table(source, tables.source, settings.source_vocabulary, text.source_rows);
  if (tensors.contains(output))
    add_table(output, tables.output, settings.target_vocabulary, text.target_rows);
  return parameters;
}

// Throws before tokens are made up for rows that the tables do not have.
void check_vocabularies(const HfSettings& settings, const WeightsFile& file) {
  const TableNames names = table_names(settings);
  for (const auto& [tables, size] : {std::pair(&names.target, settings.target_vocabulary),
                                     std::pair(&names.source, settings.source_vocabulary)}) {
    const bool is_stored =
        std::ranges::any_of(*tables, [&file](const std::string& name) { return file.has(name); });
    if (!is_stored) continue;
    std::vector<int64_t> shape = file.shape(*tables);
    if (shape.size() != 2) continue;  // check_shapes() names it
    shape.front() = size;
    file.expect(*tables, shape);
  }
}

// Throws before memory is taken that the file does not have.
void check_shapes(const SavedModelConfig& config, const VocabularySizes& sizes,
                  const HfSettings& settings, const HfText& text, const WeightsFile& file) try {
  const std::shared_ptr<Seq2Seq> outline = model_without_memory(config.model, sizes);
  for (const Parameter& one : parameters_of(tensors_of(*outline), config, settings, text))
    file.expect(one.others, one.shape);
  check_memory(size_of_model(*outline), 1, "to be imported", ErrorKind::kModel);
} catch (const Error& error) {
  if (error.kind() == ErrorKind::kModel) throw;
  throw_error(ErrorKind::kModel, "{}: {}", file.path().parent_path().string(), error.what());
}

// Compares tensors that were not taken and that transformers reads: tables of positions with sines and cosines, tables of
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
    if (settings_.kind.is_t5() && name == kUnusedByT5) return "";
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

  // Tables of fairseq have two rows before the first position.
  bool are_positions(const Tensor& table) const {
    const bool is_fairseq = settings_.kind.has_languages;
    const int64_t first = is_fairseq ? kFairseqPositions : 0;
    if (table.dim() != 2 || table.size(1) != settings_.width || table.size(0) < first) return false;
    return has_sinusoids(table.narrow(0, first, table.size(0) - first),
                         is_fairseq ? SinusoidLayout::kFairseq : SinusoidLayout::kHalves);
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
  HfSettings settings = read_hf_settings(folder);
  WeightsFile file(folder);
  if (settings.t5.may_be_untied && file.has(kOutputTable)) settings.ties_output = false;
  check_vocabularies(settings, file);
  const HfText text = read_hf_text(folder, settings, languages);
  LoadedModel model;
  model.config = config_of(settings, text, folder);
  model.codecs = text.codecs;
  const VocabularySizes sizes = vocabulary_sizes(model.config, model.codecs);
  check_shapes(model.config, sizes, settings, text, file);
  model.network = std::make_shared<Seq2Seq>(model.config.model, sizes, 0);
  const torch::NoGradGuard no_grad;
  NamedTensors tensors = tensors_of(*model.network);
  if (settings.kind.is_t5()) remove_biases(tensors);
  for (const Parameter& one : parameters_of(tensors, model.config, settings, text)) {
    const Tensor stored = file.take(one.others, one.shape);
    tensors.at(one.own).copy_(one.rows.empty() ? stored : rows_of(stored, one.rows));
  }
  if (settings.t5.scales_output)
    tensors.at(names::weight(names::TransformerStackNames(names::kDecoder).final_norm))
        .div_(std::sqrt(static_cast<double>(settings.width)));
  read_output_bias(tensors.at(names::bias(names::kOutputLayer)), file, settings, text);
  refuse_rest(file, settings);
  model.network->eval();
  return model;
}

}  // namespace heed
