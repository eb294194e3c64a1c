#include "results/run_score.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"

namespace heed {

namespace {

constexpr const char *kBest = "best", *kValidation = "validation.", *kTest = "test.";

// Figures of a validation that are no scores.
bool is_score(const std::string& figure) {
  return figure != "seconds" && figure != "cut" && figure != "cut_sources";
}

std::set<std::string> names_in(const std::vector<RunSummary>& runs) {
  std::set<std::string> names;
  for (const RunSummary& run : runs) {
    if (run.best) names.insert(kBest);
    for (const auto& figure : run.validation) {
      if (is_score(figure.first)) names.insert(kValidation + figure.first);
    }
    for (const TestScore& test : run.tests) names.insert(kTest + test.set + "." + test.metric);
  }
  return names;
}

// The metric of the best scores. Throws Error(kUsage) if there are several.
std::string metric_of_best(const std::vector<RunSummary>& runs) {
  std::set<std::string> metrics;
  for (const RunSummary& run : runs) {
    if (run.best) metrics.insert(run.metric);
  }
  if (metrics.size() > 1) {
    throw_error(ErrorKind::kUsage,
                "the best scores of these runs are of different metrics ({}), which have no common "
                "table; choose one score of all by --score, such as validation.loss, or name fewer "
                "runs",
                fmt::join(metrics, ", "));
  }
  return *metrics.begin();
}

}  // namespace

const TestScore* RunScore::test_of(const RunSummary& run) const {
  const auto found = std::ranges::find_if(
      run.tests, [&](const TestScore& one) { return one.set == set && one.metric == metric; });
  return set.empty() || found == run.tests.end() ? nullptr : &*found;
}

std::optional<double> RunScore::of(const RunSummary& run) const {
  if (!set.empty()) {
    const TestScore* test = test_of(run);
    return test == nullptr ? std::nullopt : std::optional(test->value);
  }
  if (name == kBest) return run.best ? std::optional(run.best->value) : std::nullopt;
  const auto figure = run.validation.find(metric);
  if (figure == run.validation.end() || !std::isfinite(figure->second)) return std::nullopt;
  return figure->second;
}

RunScore find_score(const std::vector<RunSummary>& runs, const std::string& name) {
  const auto known = names_in(runs);
  if (!known.contains(name)) {
    throw_error(ErrorKind::kUsage, "--score {}: none of these runs has this score; they have {}",
                name, known.empty() ? "no score" : fmt::format("{}", fmt::join(known, ", ")));
  }
  if (name == kBest) return {.name = name, .metric = metric_of_best(runs)};
  const size_t point = name.rfind('.');
  const std::string metric = name.substr(point + 1);
  if (name.starts_with(kValidation)) return {.name = name, .metric = metric};
  const size_t set = std::string(kTest).size();
  return {.name = name, .set = name.substr(set, point - set), .metric = metric};
}

int decimals_of(const std::string& metric) {
  constexpr int kOfFractions = 4;
  return metric == "loss" || metric == "accuracy" ? kOfFractions : 2;
}

int paper_decimals_of(const std::string& metric) {
  constexpr int kOfFractions = 3;
  if (metric == "loss" || metric == "accuracy") return kOfFractions;
  return metric == "perplexity" ? 2 : 1;
}

}  // namespace heed
