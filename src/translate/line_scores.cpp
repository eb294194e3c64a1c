#include "translate/line_scores.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "config/sizes.h"
#include "translate/forced_scores.h"
#include "translate/line_checks.h"
#include "translate/workers.h"

namespace heed {

namespace {

void refuse_malformed(const std::string& text, const char* side, int64_t number) {
  const size_t malformed = find_malformed(text), zero = text.find('\0');
  if (malformed != std::string::npos)
    throw_error(ErrorKind::kData, "line {} of the {}: malformed UTF-8 at byte {}; correct the file",
                number, side, malformed + 1);
  if (zero != std::string::npos)
    throw_error(ErrorKind::kData, "line {} of the {}: a zero byte (U+0000) at byte {}; remove it",
                number, side, zero + 1);
}

void expect_tag(const TextModel& model, const EncodedLine& line, int64_t number) {
  if (model.tags.empty() || line.example.tag) return;
  throw_error(ErrorKind::kData, "line {}: has no tag; expected one of {}", number,
              fmt::join(model.tags, ", "));
}

// is_new: the source has not been looked at.
void check_pair(const TextModel& model, const SourceLine& source, const EncodedLine& encoded,
                const Ids& target, bool is_new, WarningList& warnings) {
  if (is_new) {
    check_line(model, source, encoded, warnings);
    check_positions(WarningKind::kSourceLong, "source", encoded.length(), model.source_positions,
                    warnings);
  }
  check_positions(WarningKind::kTargetLong, "target", std::ssize(target), model.target_positions,
                  warnings);
}

std::vector<TargetScore> score_by_engine(const Engine& engine, const ScoredGroup& group) {
  std::vector<const Example*> sentences;
  for (const size_t i : group.chosen) sentences.push_back(&group.lines[i].example);
  return forced_scores(engine, sentences, group.targets);
}

// Each of them is computed.
void expect_short(const char* side, int64_t tokens, int64_t number) {
  if (tokens > kLengths.high)
    throw_error(ErrorKind::kData,
                "line {}: the {} has {} tokens, expected at most {}; split the line", number, side,
                format_count(tokens), format_count(kLengths.high));
}

}  // namespace

std::vector<LineScore> score_lines(const TextModel& model, const std::vector<SourceLine>& sources,
                                   const std::vector<std::string>& targets,
                                   const LineScoreOptions& options,
                                   const std::vector<int64_t>& numbers, const GroupScorer& score,
                                   const DecodingThreads& threads) {
  HEED_CHECK(sources.size() == targets.size());
  HEED_CHECK(numbers.empty() || numbers.size() == targets.size());
  std::vector<EncodedLine> encoded;
  std::vector<Ids> ids(targets.size());
  std::vector<LineScore> scores(targets.size());
  std::vector<int64_t> lengths;
  for (size_t i = 0; i < targets.size(); ++i) {
    const int64_t number = numbers.empty() ? static_cast<int64_t>(i) + 1 : numbers[i];
    for (const std::string& text : sources[i]) refuse_malformed(text, "source", number);
    refuse_malformed(targets[i], "target", number);
    encoded.push_back(encode_line(model, sources[i], number));
    const bool is_same = i > 0 && !numbers.empty() && numbers[i] == numbers[i - 1];
    expect_tag(model, encoded[i], number);
    ids[i] = encode_target(model, targets[i], encoded[i], &scores[i].pieces);
    expect_short("source", encoded[i].length(), number);
    expect_short("target", std::ssize(ids[i]), number);
    check_pair(model, sources[i], encoded[i], ids[i], !is_same, scores[i].warnings);
    check_target(ids[i], scores[i].pieces, scores[i].warnings);
    add_to(options.warnings, scores[i].warnings, number);
    lengths.push_back(std::max(encoded[i].length(), static_cast<int64_t>(ids[i].size())) + 1);
  }
  constexpr int64_t kLongLine = 512;
  const auto groups = groups_by_length(lengths, options.batch, kLongLine);
  run_in_workers(
      options.workers, groups.size(),
      [&](size_t g) {
        if (options.before_batch) options.before_batch();
        std::vector<Ids> group_targets;
        for (const size_t i : groups[g]) group_targets.push_back(ids[i]);
        const auto what = [&] {
          return fmt::format("the scores of {} lines; a smaller --batch needs less",
                             groups[g].size());
        };
        auto found = with_memory_for(what, [&] {
          return score({encoded, groups[g], group_targets});
        });
        for (size_t i = 0; i < found.size(); ++i) scores[groups[g][i]].score = std::move(found[i]);
      },
      threads);
  return scores;
}

std::vector<LineScore> score_lines(const TextModel& model, const std::vector<SourceLine>& sources,
                                   const std::vector<std::string>& targets,
                                   const LineScoreOptions& options) {
  const auto score = [&](const ScoredGroup& group) {
    return score_by_engine(*model.engine, group);
  };
  return score_lines(model, sources, targets, options, {}, score, *model.engine->threads());
}

}  // namespace heed
