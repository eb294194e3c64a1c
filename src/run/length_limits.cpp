#include "run/length_limits.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/error.h"
#include "base/log.h"
#include "search/length_ratio.h"

namespace heed {

namespace {

// Lines of a set with more tokens than `limit` of each.
struct LongLines {
  int64_t count = 0;
  int64_t line = 0, tokens = 0, limit = 0;  // of the first one, lines from 1
  void add(const Example& example, int64_t own, int64_t allowed) {
    if (own <= allowed || count++ > 0) return;
    line = example.index + 1;
    tokens = own;
    limit = allowed;
  }
  std::string text(const EvaluationSet& set, std::string_view what) const {
    return fmt::format("{}: {} of {} {}, the first is line {} with {} tokens (at most {})",
                       set.name, format_count(count), format_count(std::ssize(set.references)),
                       what, format_count(line), format_count(tokens), format_count(limit));
  }
};

}  // namespace

std::vector<std::string> find_cuts(const EvaluationSet& set, const SearchConfig& search,
                                   const KnownLengths& known) {
  LongLines sources, targets, beyond_source, beyond_target, beyond_scores;
  double ratio = 0;  // that is enough for all
  int64_t longest = 0, extra = 0;
  for (const Example& example : set.examples) {
    const int64_t whole = longest_source(example);
    if (whole == 0) continue;  // it has an empty translation
    const int64_t read = std::min(whole, search.longest_source(known.trained));
    const int64_t tokens = std::ssize(example.target);
    sources.add(example, whole, read);
    beyond_source.add(example, whole, known.source_positions.value_or(whole));
    beyond_scores.add(example, whole, known.scored_positions.value_or(whole));
    beyond_target.add(example, tokens, known.target_positions.value_or(tokens));
    targets.add(example, tokens, search.max_length(read));
    longest = std::max(longest, whole);
    ratio = std::max(
        ratio, static_cast<double>(tokens - search.max_length_extra) / static_cast<double>(read));
    extra = std::max(
        extra, tokens - static_cast<int64_t>(search.max_length_ratio * static_cast<double>(read)));
  }
  std::vector<std::string> warnings;
  if (targets.count > 0)
    warnings.push_back(fmt::format(
        "{}: no translation can equal them, and scores are too low; {} is enough for all",
        targets.text(set, "references are longer than search allows"),
        ratio > kMostLengthRatio
            ? fmt::format("search.max_length_extra: {}", extra)
            : fmt::format("search.max_length_ratio: {:.1f}", std::ceil(10 * ratio) / 10)));
  if (sources.count > 0)
    warnings.push_back(fmt::format(
        "{}: they are cut for translation; search.max_source_length: {} is enough for all",
        sources.text(set, "source lines are longer than search reads"), longest));
  for (const auto& [lines, what] :
       {std::pair(&beyond_source, "source lines are longer than the model's table of positions"),
        std::pair(&beyond_target, "references are longer than the model's table of positions")}) {
    if (lines->count > 0)
      warnings.push_back(lines->text(set, what) + ": later tokens share the last position");
  }
  if (beyond_scores.count > 0)
    warnings.push_back(
        beyond_scores.text(set, "source lines are longer than score: location_based knows") +
        ": later tokens are not read; a larger max_positions reads them");
  return warnings;
}

}  // namespace heed
