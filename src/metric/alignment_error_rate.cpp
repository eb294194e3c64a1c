#include "metric/alignment_error_rate.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/word_pair.h"
#include "metric/words.h"

namespace heed {

namespace {

using Links = std::set<std::pair<int64_t, int64_t>>;

std::string_view marks_of(LineRole role) { return role == LineRole::kReference ? "-?p" : "-"; }

std::string fault_of_word(std::string_view word, LineRole role) {
  if (parse_word_pair(word, marks_of(role))) return {};
  return fmt::format(
      "'{}' is not a link of an alignment; expected SOURCE-TARGET, words from 0, such as 0-3{}",
      word, role == LineRole::kReference ? "; a possible link is 0?3 or 0p3" : "");
}

struct ReadLinks {
  Links sure, possible;  // the sure ones are possible too
};

ReadLinks read_links(std::string_view line, LineRole role) {
  ReadLinks links;
  for (const std::string_view word : words_of(line)) {
    const auto pair = parse_word_pair(word, marks_of(role));
    if (!pair) throw Error(ErrorKind::kData, fault_of_word(word, role));
    const std::pair link{pair->first, pair->second};
    links.possible.insert(link);
    if (pair->mark == '-') links.sure.insert(link);
  }
  return links;
}

double count_common(const Links& links, const Links& others) {
  return static_cast<double>(
      std::ranges::count_if(links, [&](const auto& link) { return others.contains(link); }));
}

double percentage(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

}  // namespace

std::string AlignmentErrorRate::signature(size_t references) const {
  return fmt::format("nrefs:{}|version:heed-{}", references, HEED_VERSION);
}

std::string AlignmentErrorRate::caveat(const Lines& hypotheses,
                                       const References& references) const {
  const auto has_link = [](const std::string& line) { return !words_of(line).empty(); };
  for (const Lines& lines : references) {
    if (std::ranges::any_of(lines, has_link)) return "";
  }
  return std::ranges::any_of(hypotheses, has_link)
             ? "the reference has no link, so that each link counts as an error"
             : "neither text has a link, so that it is 0/0, which counts as 0";
}

std::string AlignmentErrorRate::fault_of(std::string_view line, LineRole role) const {
  for (const std::string_view word : words_of(line)) {
    if (std::string fault = fault_of_word(word, role); !fault.empty()) return fault;
  }
  return {};
}

Statistics AlignmentErrorRate::statistics(std::string_view hypothesis,
                                          const LineReferences& references) const {
  if (references.size() > 1) {
    throw_error(ErrorKind::kUsage,
                "AER: {} references, expected 1 manual alignment: merge them into one, with links "
                "that they do not share as possible ones",
                references.size());
  }
  const Links links = read_links(hypothesis, LineRole::kHypothesis).sure;
  const auto [sure, possible] = read_links(references.front(), LineRole::kReference);
  return {count_common(links, sure), count_common(links, possible),
          static_cast<double>(links.size()), static_cast<double>(sure.size())};
}

Score AlignmentErrorRate::from_sum(const Statistics& sum) const {
  HEED_CHECK(sum.size() == 4);
  const double links = sum[2], sure = sum[3];
  const double precision = percentage(sum[1], links), recall = percentage(sum[0], sure);
  const double error = links + sure > 0 ? 100 - percentage(sum[0] + sum[1], links + sure) : 0;
  return {error,
          fmt::format("(P = {:.1f} R = {:.1f} links = {:.0f} sure = {:.0f})", precision, recall,
                      links, sure),
          {{"precision", precision}, {"recall", recall}, {"links", links}, {"sure", sure}}};
}

}  // namespace heed
