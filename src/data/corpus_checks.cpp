#include "data/corpus_checks.h"

#include "base/error.h"
#include "base/log.h"
#include "data/checks/pair_check.h"

namespace heed {

std::vector<std::string> check_corpora(const TrainingText& text, const CorpusChecks& checks) {
  HEED_CHECK(checks.tabs_expected.size() == text.sides());
  const std::vector<TextPart>& parts = text.parts();
  std::vector<std::unique_ptr<PairCheck>> all;
  all.push_back(same_line_check(parts.size()));
  all.push_back(tab_check(parts.size(), checks.tabs_expected));
  all.push_back(shift_check(parts.size(), checks.sets));
  if (checks.max_length) all.push_back(length_check(parts.size(), *checks.max_length));
  all.push_back(overlap_check(checks.sets));
  all.push_back(swap_check(checks.sets));
  constexpr int64_t kEvery = 100'000;
  for (size_t part = 0; part < parts.size(); ++part) {
    PairReader reader(parts[part]);
    for (int64_t number = 1; reader.next(); ++number) {
      for (const auto& check : all) check->see(part, number, reader.lines);
      if (number % kEvery == 0)
        show_progress(fmt::format("checking {}: {} of {} pairs", parts[part].name,
                                  format_count(number), format_count(parts[part].lines())));
    }
  }
  end_progress();
  std::vector<std::string> found;
  for (const auto& check : all) check->report(parts, found);
  return found;
}

}  // namespace heed
