#include "cli/inspect/inspection.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/columns.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_text.h"
#include "base/log.h"
#include "base/model_folder.h"
#include "base/printable.h"
#include "cli/inspect/model_description.h"
#include "cli/model_path.h"
#include "config/settings_tree.h"
#include "config/writer.h"
#include "load/pack_model.h"
#include "model/parameter_counts_spec.h"
#include "model/saved_model_config.h"
#include "packed/stored_tensors.h"
#include "run/adapter_names.h"
#include "run/checkpoint_files.h"

namespace heed {

namespace {

using Json = nlohmann::ordered_json;

// The adapter of a run with train.lora.
struct InspectedAdapter {
  std::string file;
  int64_t rank = 0, matrices = 0, parameters = 0;
};

// A model and its description.
struct Inspected {
  std::string name;  // as the user wrote it
  fs::path folder;
  ModelText model;
  TensorSizes sizes;
  std::optional<Precision> packed;  // of a packed model
  std::string card{};               // of the same
  std::string written_by;
  std::optional<Progress> progress;           // of the checkpoint around it, if there is one
  std::optional<InspectedAdapter> adapter{};  // of the same
};

std::optional<InspectedAdapter> adapter_of(const fs::path& checkpoint) {
  const fs::path file = adapter_file(checkpoint);
  if (!is_plain_file(file)) return std::nullopt;
  InspectedAdapter adapter{.file = file.string()};
  const StoredTensors tensors(file);
  for (const auto& [name, entry] : tensors.entries()) {
    const bool is_a = name.ends_with(kAdapterA);
    if (!is_a && !name.ends_with(kAdapterB)) continue;
    adapter.parameters += entry.numbers();
    if (!is_a || entry.shape.size() < 2) continue;
    ++adapter.matrices;
    adapter.rank = *(entry.shape.end() - 2);
  }
  return adapter;
}

// Reads what the checkpoint around the model has, if there is one.
void inspect_checkpoint(Inspected& one) {
  const fs::path checkpoint = fs::weakly_canonical(one.folder).parent_path();
  if (!is_plain_file(progress_file(checkpoint))) return;
  check_manifest(checkpoint);
  one.progress = read_progress(checkpoint);
  one.adapter = adapter_of(checkpoint);
}

TensorSizes sizes_of(const StoredTensors& weights) {
  TensorSizes sizes;
  for (const auto& [name, entry] : weights.entries()) sizes[name] = entry.numbers();
  return sizes;
}

Inspected inspect(const std::string& path) {
  refuse_other_than_model(path);
  Inspected result;
  result.name = path;
  read_model(path, [&](const fs::path& folder) {
    result.folder = folder;
    result.model = read_model_text(folder);
    const StoredTensors weights(folder / kModelTensors);
    result.sizes = sizes_of(weights);
    if (weights.packed() != nullptr) {
      result.packed = weights.packed()->precision();
      result.card = find_packed(folder / kModelCard).value_or("");
    }
    const auto extra = nlohmann::json::parse(check_manifest(folder), nullptr, false);
    result.written_by = "heed " + (extra.is_object() ? extra.value("heed", "?") : std::string("?"));
    inspect_checkpoint(result);
  });
  return result;
}

const Vocabulary& vocabulary_of(const Inspected& one, const std::string& side) {
  return one.model.codecs.at(side)->vocabulary();
}

using Row = DescriptionRow;

void add_network(const Inspected& one, std::vector<Row>& rows) {
  std::ranges::copy(describe_model(one.model.config.model), std::back_inserter(rows));
}

void add_parameters(const Inspected& one, std::vector<Row>& rows) {
  rows.push_back({"parameters", format_count(parameter_counts(one.sizes, 1).at("all"))});
  if (one.packed) rows.push_back({"packed in", precision_word(*one.packed)});
}

void add_vocabularies(const Inspected& one, std::vector<Row>& rows) {
  const TextConfigs& text = one.model.config.text;
  for (const auto& [side, codec] : one.model.codecs) {
    if (!text.contains(side)) {
      rows.push_back({"labels, " + side, format_count(vocabulary_of(one, side).size())});
      rows.push_back({"  hash", vocabulary_of(one, side).hash()});
      continue;
    }
    const TokenizerConfig& tokenizer = *text.at(side).tokenizer;
    const std::string kind = tokenizer.share ? "that of " + *tokenizer.share : tokenizer.type;
    rows.push_back({"vocabulary, " + side,
                    fmt::format("{} {} ({})", format_count(vocabulary_of(one, side).size()),
                                text.at(owner_of(text, side)).tokenizer->unit(), kind)});
    rows.push_back({"  hash", vocabulary_of(one, side).hash()});
  }
  if (!one.model.config.tags.empty())
    rows.push_back({"tags", fmt::format("{}", fmt::join(one.model.config.tags, ", "))});
}

void add_training(const Inspected& one, std::vector<Row>& rows) {
  if (!one.progress) return;
  if (one.adapter)
    rows.push_back(
        {"adapter", fmt::format("rank {}, {} matrices, {} parameters: {}", one.adapter->rank,
                                one.adapter->matrices, format_count(one.adapter->parameters),
                                one.adapter->file)});
  const Progress& progress = *one.progress;
  rows.push_back({"updates", format_count(progress.update)});
  rows.push_back({"epoch", format_count(progress.epoch())});
  rows.push_back({"examples", format_count(progress.examples)});
  rows.push_back({"training time", format_duration(progress.seconds)});
  if (progress.skipped > 0) rows.push_back({"updates skipped", format_count(progress.skipped)});
  if (progress.validations.empty()) return;
  rows.push_back({"validation", describe(progress.validations.back())});
}

std::vector<Row> rows_of(const Inspected& one) {
  std::vector<Row> rows{{"model", one.folder.string()}, {"written by", one.written_by}};
  for (const auto add : {add_network, add_parameters, add_vocabularies, add_training})
    add(one, rows);
  return rows;
}

// All validations but the last, which is among the rows.
std::string earlier_validations(const Inspected& one) {
  if (!one.progress || one.progress->validations.size() < 2) return "";
  constexpr size_t kMost = 8;
  const Validations& all = one.progress->validations;
  const size_t last = all.size() - 1, first = last > kMost ? last - kMost : 0;
  std::string text = "earlier validations";
  if (first > 0) text += fmt::format(" (and {} before them)", first);
  text += "\n";
  for (size_t i = first; i < last; ++i)
    text += fmt::format("  update {}: {}\n", format_count(all[i].update), describe(all[i]));
  return text;
}

// Each line behind two spaces.
std::string indented(const std::string& text) {
  std::string lines;
  std::istringstream from(text);
  for (std::string line; std::getline(from, line);) lines += "  " + printable(line) + "\n";
  return lines;
}

std::string one_screen(const Inspected& one) {
  const std::vector<Row> rows = rows_of(one);
  size_t widest = 20;
  for (const Row& row : rows) widest = std::max(widest, row.name.size());
  std::string text;
  for (const Row& row : rows)
    text += fmt::format("{:<{}} {}\n", row.name, widest, printable(row.value));
  if (!one.card.empty()) text += "card\n" + indented(one.card);
  text += "parameters of each part\n" + parameter_table(one.sizes, 1);
  return text + earlier_validations(one);
}

// The rows of several models, with the values of each; "-" for a value that a model lacks.
using Rows = std::vector<std::pair<std::string, std::vector<std::string>>>;

Rows rows_of(const std::vector<Inspected>& all) {
  constexpr const char* kModel = "model";
  Rows rows{{kModel, {}}};
  for (size_t i = 0; i < all.size(); ++i) {
    rows.front().second.push_back(all[i].name);  // shorter than the name of its folder
    std::string above;                           // "  hash" stands below its vocabulary
    for (Row& row : rows_of(all[i])) {
      if (row.name == kModel) continue;
      if (row.name.starts_with(' '))
        row.name = above + "," + row.name.substr(1);
      else
        above = row.name;
      auto found = std::ranges::find(rows, row.name, &Rows::value_type::first);
      if (found == rows.end())
        found = rows.insert(found, {row.name, std::vector<std::string>(all.size(), "-")});
      found->second[i] = row.value;
    }
  }
  return rows;
}

// A table: the names, then one column for each model.
std::string columns_of(const Rows& rows) {
  std::vector<TextColumn> columns(rows.empty() ? 0 : 1 + rows.front().second.size());
  for (const auto& [name, values] : rows) {
    columns.front().cells.push_back(name);
    for (size_t i = 0; i < values.size(); ++i) columns[i + 1].cells.push_back(values[i]);
  }
  return fmt::format("{}\n", fmt::join(align_columns(columns), "\n"));
}

// The differences, then the rows that all models have in common.
std::string side_by_side(const std::vector<Inspected>& all) {
  Rows different, common;
  for (auto& [name, values] : rows_of(all)) {
    const bool is_common = std::ranges::count(values, values.front()) == std::ssize(values);
    if (is_common) values.resize(1);
    (is_common ? common : different).emplace_back(name, values);
  }
  return columns_of(different) + (common.empty() ? "" : "\nthe same in all\n" + columns_of(common));
}

// Numbers, true and false as such, all else as texts.
Json json_of(const Node& node) {
  switch (node.form) {
    case Node::Form::kNull:
      return nullptr;
    case Node::Form::kScalar: {
      const auto value = Json::parse(node.text, nullptr, false);
      return node.quoted || value.is_discarded() ? Json(node.text) : value;
    }
    case Node::Form::kMap: {
      Json map = Json::object();
      for (const Node::Entry& entry : node.entries) map[entry.key] = json_of(entry.value);
      return map;
    }
    case Node::Form::kList: {
      Json list = Json::array();
      for (const Node::Entry& entry : node.entries) list.push_back(json_of(entry.value));
      return list;
    }
  }
  return nullptr;
}

Json to_json(const Validation& validation) {
  Json json{{"update", validation.update},
            {"loss", validation.loss},
            {"perplexity", validation.perplexity()},
            {"accuracy", validation.accuracy}};
  for (const auto& [metric, value] : validation.translated) json[metric] = value;
  return json;
}

Json to_json(Inspected& one) {
  Json json{{"model", one.folder.string()}, {"written_by", one.written_by}};
  if (one.packed) json["packed"] = {{"precision", precision_word(*one.packed)}, {"card", one.card}};
  for (const auto& [part, count] : parameter_counts(one.sizes, 1)) json["parameters"][part] = count;
  for (const auto& [side, codec] : one.model.codecs)
    json["vocabularies"][side] = {{"size", codec->vocabulary().size()},
                                  {"hash", codec->vocabulary().hash()}};
  if (one.progress) {
    const Progress& progress = *one.progress;
    json["training"] = {{"updates", progress.update},    {"epoch", progress.epoch()},
                        {"examples", progress.examples}, {"skipped", progress.skipped},
                        {"seconds", progress.seconds},   {"validations", Json::array()}};
    for (const Validation& validation : progress.validations)
      json["training"]["validations"].push_back(to_json(validation));
  }
  if (one.adapter)
    json["adapter"] = {{"file", one.adapter->file},
                       {"rank", one.adapter->rank},
                       {"matrices", one.adapter->matrices},
                       {"parameters", one.adapter->parameters}};
  json["config"] = json_of(settings_tree(one.model.config));
  return json;
}

std::string answer(const InspectOptions& options) {
  std::vector<Inspected> all;
  for (const std::string& path : options.models) all.push_back(inspect(path));
  if (options.json) {
    Json list = Json::array();
    for (Inspected& one : all) list.push_back(to_json(one));
    return json_text(list, 2) + "\n";
  }
  if (options.config) return write_config(all.front().model.config);
  return all.size() == 1 ? one_screen(all.front()) : side_by_side(all);
}

}  // namespace

int run_inspect(const InspectOptions& options) {
  if (options.config && options.models.size() > 1)
    throw_error(ErrorKind::kUsage, "--config prints the config of one model, {} were named",
                options.models.size());
  print_result(answer(options));
  return 0;
}

}  // namespace heed
