#include "data/corpus_checks.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "base/utf8.h"
#include "data/checks/pair_check.h"

namespace heed {

namespace {

// A line has at least as many tokens as words between spaces.
bool is_too_long(const std::vector<std::string>& lines, const Cleaning& cleaning) {
  if (cleaning.too_long != TooLong::kDrop) return false;
  for (size_t side = 0; side < lines.size(); ++side) {
    if (std::ssize(split_words(lines[side])) > cleaning.longest(side, lines.size())) return true;
  }
  return false;
}

void warn_of_length(CorpusFindings& findings, const Cleaning& cleaning) {
  for (const CorpusCount& count : findings.certain.corpora) {
    if (2 * count.too_long <= count.pairs) continue;
    findings.warnings.push_back(fmt::format(
        "{}: {} of {} pairs have more words than {}, and are left out; raise it, or "
        "split the lines",
        count.name, format_count(count.too_long), format_count(count.pairs), limits_of(cleaning)));
  }
}

// Repairs the lines where that is the policy.
LineFault certain_fault(std::vector<std::string>& lines, const Cleaning& cleaning) {
  const LineFault fault = clean_lines(lines, cleaning).fault;
  if (fault != LineFault::kNone) return fault;
  return is_too_long(lines, cleaning) ? LineFault::kTooLong : LineFault::kNone;
}

}  // namespace

CorpusFindings check_corpora(const TrainingText& text, const CorpusChecks& checks) {
  HEED_CHECK(checks.tabs_expected.size() == text.sides());
  const std::vector<TextPart>& parts = text.parts();
  std::vector<std::unique_ptr<PairCheck>> all;
  all.push_back(same_line_check(parts.size()));
  all.push_back(tab_check(parts.size(), checks.tabs_expected));
  all.push_back(shift_check(parts.size(), checks.sets));
  all.push_back(overlap_check(checks.sets));
  all.push_back(swap_check(checks.sets));
  constexpr int64_t kEvery = 100'000;
  CorpusFindings findings;
  for (size_t part = 0; part < parts.size(); ++part) {
    CorpusCount& count = findings.certain.corpora.emplace_back();
    count.name = parts[part].name;
    PairReader reader(parts[part]);
    for (int64_t number = 1; reader.next(); ++number) {
      for (const auto& check : all) check->see(part, number, reader.lines);
      const LineFault fault = certain_fault(reader.lines, checks.cleaning);
      count.pairs = number;
      count.kept += fault == LineFault::kNone;
      count.leave_out(fault);
      if (number % kEvery == 0)
        show_progress(fmt::format("checking {}: {} of {} pairs", parts[part].name,
                                  format_count(number), format_count(parts[part].lines())));
    }
  }
  end_progress();
  for (const auto& check : all) check->report(parts, findings.warnings);
  warn_of_length(findings, checks.cleaning);
  return findings;
}

}  // namespace heed
