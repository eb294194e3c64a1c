#include "distill/best_translation.h"

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "metric/registry.h"

namespace heed {

namespace {

std::vector<Candidate> read_candidates(const std::string& line) {
  std::vector<Candidate> candidates;
  const auto json = nlohmann::json::parse(line);
  for (const auto& translation : json.at("translations"))
    candidates.push_back({.text = translation.at("text").get<std::string>(),
                          .log_probability = translation.at("log_probability").get<double>()});
  return candidates;
}

}  // namespace

size_t best_candidate(const std::vector<Candidate>& candidates, const std::string& reference,
                      const Metric* metric) {
  if (metric == nullptr || reference.empty()) return 0;
  size_t best = 0;
  double highest = 0;
  for (size_t i = 0; i < candidates.size(); ++i) {
    const double value = metric->score_line(candidates[i].text, {reference}).value;
    if (i > 0 && value <= highest) continue;
    best = i;
    highest = value;
  }
  return best;
}

int64_t choose_translations(const ChoiceFiles& files, const std::optional<std::string>& metric) {
  const auto judge = metric ? make_metric(*metric, of_sentences()) : nullptr;
  LineReader nbest(files.nbest), references(files.reference);
  AtomicFile target(files.target), scores(files.scores);
  int64_t others = 0;
  for (std::string line, reference;;) {
    const bool more = nbest.next(line);
    if (more != references.next(reference))
      throw_error(ErrorKind::kData, "{}: has {} lines than {}", files.nbest.string(),
                  more ? "more" : "fewer", files.reference.string());
    if (!more) break;
    const std::vector<Candidate> candidates = read_candidates(line);
    const size_t best = candidates.empty() ? 0 : best_candidate(candidates, reference, judge.get());
    const Candidate chosen = candidates.empty() ? Candidate{} : candidates[best];
    others += best != 0;
    target.write(chosen.text + "\n");
    scores.write(fmt::format("{}\n", chosen.log_probability));
  }
  commit_all({&target, &scores});
  return others;
}

}  // namespace heed
