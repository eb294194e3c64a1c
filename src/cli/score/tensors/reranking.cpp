#include "cli/score/tensors/reranking.h"

#include "base/error.h"
#include "base/file.h"
#include "cli/score/options.h"
#include "cli/score/tensors/scored_pairs.h"
#include "translate/nbest_file.h"

namespace heed {

namespace {

ScoredPairs pairs_of(const NbestList& list, const std::vector<SourceLine>& sources) {
  ScoredPairs pairs;
  for (const NbestLine& line : list.lines) {
    pairs.sources.push_back(sources.at(static_cast<size_t>(line.sentence)));
    pairs.targets.push_back(line.text());
    pairs.numbers.push_back(line.sentence + 1);
  }
  return pairs;
}

std::vector<double> model_scores(const NetworkModel& model, const ScoredPairs& pairs,
                                 const ScoreOptions& options, double length_penalty) {
  SearchConfig search = model.search;
  search.length_penalty = length_penalty;
  const bool has_language = model.target_codec().opening().has_value();
  std::vector<double> scores;
  score_pairs(model, pairs, options.decoding, [&](const std::vector<LineScore>& lines) {
    for (const LineScore& line : lines) {
      const TargetScore& score = line.score;
      const bool is_given = has_language && score.log_probabilities.size() > 1;
      const double given = is_given ? score.log_probabilities.front() : 0;  // 1 in search
      scores.push_back(
          search.score(score.log_probability - given, std::ssize(score.log_probabilities)));
    }
  });
  return scores;
}

void refuse_feature(const NbestList& list, const std::string& name) {
  for (size_t i = 0; i < list.lines.size(); ++i) {
    if (!parse_features(list.lines[i].features(), list.place(i)).contains(name)) continue;
    throw_error(ErrorKind::kData, "{}: has a feature {} already; give another name by --feature",
                list.place(i), name);
  }
}

// Sets the total score of each line, and returns it.
std::vector<double> weigh(NbestList& list, const FeatureValues& weights) {
  std::vector<double> totals;
  for (size_t i = 0; i < list.lines.size(); ++i) {
    NbestLine& line = list.lines[i];
    const std::string place = list.place(i);
    totals.push_back(weighted_sum(parse_features(line.features(), place), weights, place));
    line.set_score(totals.back());
  }
  return totals;
}

void write(const NbestList& list, const std::vector<double>& scores, bool best_only,
           const std::string& path) {
  AtomicFile out(path);
  int64_t written = 0;  // sentences
  for (const size_t i : ranked_lines(list, scores)) {
    const NbestLine& line = list.lines[i];
    if (!best_only) {
      out.write(line.written());
    } else if (line.sentence == written) {
      out.write(line.text() + "\n");
      ++written;
    }
  }
  out.commit();
}

}  // namespace

void rerank(const ScoreOptions& options, const RerankingOptions& reranking,
            const NetworkModel& model) {
  FeatureValues weights;
  if (reranking.weights) weights = read_feature_weights(*reranking.weights);
  NbestList list = read_nbest_list(reranking.list);
  refuse_feature(list, reranking.feature);
  const std::string counterpart = fmt::format(
      "{}: translations of {}; NUMBER counts the source lines from 0", list.path, list.sentences());
  const auto sources = read_sources(model, options, list.sentences(), counterpart);
  std::vector<double> scores =
      model_scores(model, pairs_of(list, sources), options, reranking.length_penalty);
  for (size_t i = 0; i < list.lines.size(); ++i)
    list.lines[i].add_feature(reranking.feature, scores[i]);
  if (reranking.weights) scores = weigh(list, weights);
  write(list, scores, reranking.best, options.output);
}

}  // namespace heed
