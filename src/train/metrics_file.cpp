#include "train/metrics_file.h"

#include <fcntl.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"

namespace heed {

namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson parse(const std::string& line) {
  return OrderedJson::parse(line, nullptr, /*exceptions=*/false);
}

// An incomplete line of a killed writer is dropped.
bool belongs_to(const OrderedJson& line, const Progress& progress) {
  if (!line.is_object() || !line.contains("update") || !line.contains("kind")) return false;
  const int64_t validated = progress.validations.empty() ? 0 : progress.validations.back().update;
  return line["update"] <= (line["kind"] == "validation" ? validated : progress.update);
}

// Keeps the lines written up to this progress.
const fs::path& cut_back(const fs::path& path, const Progress& progress) {
  if (!is_there(path)) return path;
  std::string kept, line;
  for (LineReader reader(path); reader.next(line);) {
    if (belongs_to(parse(line), progress)) kept += line + "\n";
  }
  write_file(path, kept);
  return path;
}

}  // namespace

MetricsFile::MetricsFile(fs::path path, const Progress& progress)
    : path_(std::move(path)),
      file_(Descriptor::open_to_write(cut_back(path_, progress), O_CREAT | O_APPEND)) {}

void MetricsFile::updates(const Progress& progress, const UpdateReport& report,
                          double tokens_per_second) {
  const TokenSums& sums = progress.since_log;
  const double nll = sums.per_token(sums.negative_log_probability);
  append(OrderedJson{{"kind", "train"},
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
                     {"tokens_per_second", tokens_per_second},
                     {"seconds", progress.seconds}}
             .dump());
}

void MetricsFile::validated(const Validation& validation, bool is_best, double seconds) {
  OrderedJson line{{"kind", "validation"},
                   {"update", validation.update},
                   {"loss", validation.loss},
                   {"perplexity", validation.perplexity()},
                   {"accuracy", validation.accuracy}};
  for (const auto& [metric, value] : validation.translated) line[metric] = value;
  line["best"] = is_best;
  line["seconds"] = seconds;
  append(line.dump());
}

// In one write, so that a set has all its scores or none.
void MetricsFile::tested(const std::string& name, const std::vector<TextScore>& scores,
                         int64_t update, int64_t checkpoint) {
  std::vector<std::string> lines;
  for (const TextScore& score : scores)
    lines.push_back(OrderedJson{{"kind", "test"},
                                {"update", update},
                                {"checkpoint", checkpoint},
                                {"name", name},
                                {score.metric, score.value},
                                {"signature", score.signature}}
                        .dump(-1, ' ', false, OrderedJson::error_handler_t::replace));
  append(fmt::format("{}", fmt::join(lines, "\n")));
}

std::set<std::string> MetricsFile::tested(int64_t update) const {
  std::set<std::string> names;
  std::string line;
  for (LineReader reader(path_); reader.next(line);) {
    const OrderedJson json = parse(line);
    if (json.is_object() && json.value("kind", "") == "test" &&
        json.value("update", -1) == update) {
      names.insert(json.value("name", ""));
    }
  }
  return names;
}

void MetricsFile::append(const std::string& line) { file_.write(line + "\n"); }

}  // namespace heed
