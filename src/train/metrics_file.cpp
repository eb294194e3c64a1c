#include "train/metrics_file.h"

#include <fcntl.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/json_text.h"
#include "base/log.h"
#include "base/small_file.h"

namespace heed {

namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson parse(const std::string& line) {
  return OrderedJson::parse(line, nullptr, /*exceptions=*/false);
}

// An incomplete line of a killed writer is dropped.
bool belongs_to(const OrderedJson& line, const Progress& progress) {
  if (!line.is_object() || !line.contains("update") || !line.contains("kind")) return false;
  if (line["kind"] == "end") return false;
  const int64_t validated = progress.validations.empty() ? 0 : progress.validations.back().update;
  return line["update"] <= (line["kind"] == "validation" ? validated : progress.update);
}

void warn_of_missing(const fs::path& path, const std::set<int64_t>& kept,
                     const Validations& validations) {
  const int64_t missing = std::ranges::count_if(
      validations, [&](const Validation& one) { return !kept.contains(one.update); });
  if (missing == 0) return;
  spdlog::warn(
      "{}: lacks {} of {} validations of the checkpoint: `heed runs` and `heed plot curves` show "
      "the others alone",
      path.string(), missing, validations.size());
}

// Keeps the lines written up to this progress.
const fs::path& cut_back(const fs::path& path, const Progress& progress) {
  std::set<int64_t> validated;
  if (is_there(path)) {
    expect_regular_file(path);
    std::string kept, line;
    for (LineReader reader(path); reader.next(line);) {
      const OrderedJson json = parse(line);
      if (!belongs_to(json, progress)) continue;
      kept += line + "\n";
      if (json["kind"] == "validation" && json["update"].is_number_integer())
        validated.insert(json["update"].get<int64_t>());
    }
    write_file(path, kept);
  }
  warn_of_missing(path, validated, progress.validations);
  return path;
}

// Under its usual name.
std::string tag_of(const std::string& kind, const std::string& figure) {
  return kind + "/" + (figure == "rate" ? "learning_rate" : figure);
}

// Adds the counts if something was translated.
void add_cuts(const CutLines& cut, OrderedJson& line) {
  if (cut.translated == 0) return;
  line["cut"] = cut.targets;
  if (cut.sources > 0) line["cut_sources"] = cut.sources;
}

void add_identity(const ScoreIdentity& identity, OrderedJson& line) {
  if (!identity.is_known()) return;
  line["set"] = identity.set;
  line["settings"] = identity.metrics;
}

ScoreIdentity identity_in(const OrderedJson& line) {
  if (!line.contains("set") || !line.contains("settings")) return {};
  return {.set = line["set"], .metrics = line["settings"]};
}

// The figures of a line that TensorBoard draws over the updates.
Scalars scalars_of(const OrderedJson& line) {
  static const std::set<std::string> others = {"update",        "epoch",    "tokens",
                                               "source_tokens", "examples", "seconds"};
  Scalars scalars;
  for (const auto& [name, value] : line.items()) {
    if (value.is_number() && !others.contains(name))
      scalars.emplace_back(tag_of(line["kind"], name), value);
  }
  return scalars;
}

}  // namespace

MetricsFile::MetricsFile(fs::path path, const Progress& progress,
                         const std::optional<fs::path>& events)
    : path_(std::move(path)),
      file_(Descriptor::open_to_write(cut_back(path_, progress), O_CREAT | O_APPEND)) {
  if (events) events_.emplace(*events, progress.update + 1);
}

void MetricsFile::updates(const Progress& progress, const UpdateReport& report,
                          const Throughput& throughput) {
  const TokenSums& sums = progress.since_log;
  const double nll = sums.per_token(sums.negative_log_probability);
  OrderedJson line{{"kind", "train"},
                   {"update", progress.update},
                   {"epoch", progress.epoch()},
                   {"loss", sums.per_token(sums.loss)},
                   {"negative_log_probability", nll},
                   {"perplexity", std::exp(nll)},
                   {"accuracy", sums.per_token(static_cast<double>(sums.correct))},
                   {"rate", report.rate},
                   {"gradient_norm", report.gradient_norm},
                   {"tokens", sums.tokens},
                   {"source_tokens", sums.source_tokens},
                   {"examples", sums.examples},
                   {"skipped", progress.skipped},
                   {"tokens_per_second", throughput.tokens_per_second},
                   {"seconds", progress.seconds}};
  if (throughput.waiting > 0) line["waiting"] = throughput.waiting;
  append(json_text(line));
  if (events_) events_->write(progress.update, scalars_of(line));
}

void MetricsFile::validated(const Validation& validation, bool is_best, double seconds) {
  OrderedJson line{{"kind", "validation"},
                   {"update", validation.update},
                   {"loss", validation.loss},
                   {"perplexity", validation.perplexity()},
                   {"accuracy", validation.accuracy}};
  for (const auto& [metric, value] : validation.translated) line[metric] = value;
  add_cuts(validation.cut, line);
  add_identity(validation.identity, line);
  line["best"] = is_best;
  line["seconds"] = seconds;
  append(json_text(line));
  if (events_) events_->write(validation.update, scalars_of(line));
}

// In one write, so that a set has all its scores or none.
void MetricsFile::tested(const std::string& name, const std::vector<TextScore>& scores,
                         const ScoreIdentity& identity, int64_t update, int64_t checkpoint) {
  std::vector<std::string> lines;
  for (const TextScore& score : scores) {
    OrderedJson line{{"kind", "test"}, {"update", update},          {"checkpoint", checkpoint},
                     {"name", name},   {score.metric, score.value}, {"signature", score.signature}};
    add_cuts(score.cut, line);
    add_identity(identity, line);
    lines.push_back(json_text(line));
  }
  append(fmt::format("{}", fmt::join(lines, "\n")));
}

void MetricsFile::ended(int64_t update, const char* state, const std::string& reason) {
  append(json_text({{"kind", "end"}, {"update", update}, {"state", state}, {"reason", reason}}));
}

std::map<std::string, ScoreIdentity> MetricsFile::tested(int64_t update) const {
  std::map<std::string, ScoreIdentity> names;
  if (!file_) return names;
  std::string line;
  for (LineReader reader(path_); reader.next(line);) {
    const OrderedJson json = parse(line);
    if (json.is_object() && json.value("kind", "") == "test" &&
        json.value("update", -1) == update) {
      names[json.value("name", "")] = identity_in(json);
    }
  }
  return names;
}

void MetricsFile::append(const std::string& line) {
  if (file_) file_->write(line + "\n");
}

}  // namespace heed
