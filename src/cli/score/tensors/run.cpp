#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/json_text.h"
#include "base/log.h"
#include "cli/evaluate/scored_texts.h"
#include "cli/score/options.h"
#include "cli/score/tensors/reranking.h"
#include "cli/score/tensors/scored_pairs.h"
#include "cli/tensors/entry.h"
#include "data/column_reader.h"
#include "metric/nbest_list.h"
#include "network/line_scores.h"
#include "network/network_path.h"
#include "translate/directions.h"
#include "translate/translation_json.h"

namespace heed {

namespace {

std::vector<std::string> read_lines(const std::string& path,
                                    const std::vector<std::string>& beside) {
  ColumnReader reader(path, beside);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

// How well the model foretells all of it.
class Summary {
 public:
  void add(const TargetScore& score) {
    ++lines_;
    if (std::isinf(score.log_probability)) {
      ++impossible_;
      return;
    }
    tokens_ += static_cast<int64_t>(score.log_probabilities.size());
    log_probability_ += score.log_probability;
  }
  void log() const {
    if (impossible_ > 0) {
      spdlog::warn(
          "{} of {} lines have probability 0 (-inf); the loss is that of the others, that of "
          "validation counts them",
          format_count(impossible_), format_count(lines_));
    }
    if (tokens_ == 0) return;
    const double loss = -log_probability_ / static_cast<double>(tokens_);
    spdlog::info("{} tokens: loss {:.4f}, perplexity {:.2f}", format_count(tokens_), loss,
                 std::exp(loss));
  }

 private:
  int64_t lines_ = 0, impossible_ = 0, tokens_ = 0;
  double log_probability_ = 0;
};

// The last log-probability is that of the end. -∞ is written as null.
std::string json_line(int64_t number, const LineScore& line) {
  const auto finite = [](double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
  };
  nlohmann::ordered_json json;
  json["line"] = number;
  json["log_probability"] = finite(line.score.log_probability);
  json["tokens"] = line.pieces;
  json["log_probabilities"] = nlohmann::ordered_json::array();
  for (const double value : line.score.log_probabilities)
    json["log_probabilities"].push_back(finite(value));
  json["warnings"] = warnings_json(line.warnings);
  return json_text(json) + "\n";
}

void score_text(const ScoreOptions& options, const NetworkModel& model) {
  std::vector<std::string> targets = read_lines(options.target, options.sources);
  refuse_nbest_list(targets, options.target);
  const std::string counterpart =
      fmt::format("{}: {} lines; line N of one must belong to line N of the other", options.target,
                  targets.size());
  if (!model.target_codec().marker())
    warn_of_columns(options.target, targets, Lines(targets.size()));
  auto sources = read_sources(model, options, std::ssize(targets), counterpart);
  const ScoredPairs pairs{std::move(sources), std::move(targets)};
  AtomicFile out(options.output);
  Summary summary;
  int64_t number = 0;
  score_pairs(model, pairs, options.decoding, [&](const std::vector<LineScore>& scores) {
    for (const LineScore& line : scores) {
      out.write(options.tokens ? json_line(++number, line)
                               : fmt::format("{:.6f}\n", line.score.log_probability));
      summary.add(line.score);
    }
    out.flush();
  });
  out.commit();
  summary.log();
}

int run_score(const ScoreOptions& options) {
  NetworkModel model = load_network_model(options.models, options.decoding.device);
  if (options.direction.is_chosen())
    static_cast<TextModel&>(model) = Directions(model).choose(options.direction);
  if (options.reranking) {
    rerank(options, *options.reranking, model);
  } else {
    score_text(options, model);
  }
  return 0;
}

}  // namespace

}  // namespace heed

extern "C" int heed_score(const heed::ScoreOptions& options) {
  return heed::run_tensor_command(
      [&] { return heed::run_score(options); },
      "scoring; smaller batches (--batch) or fewer --workers need less");
}
