#include "data/cleaning.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "base/utf8.h"

namespace heed {

bool is_blank(const std::string& line) {
  return line.find_first_not_of(" \t\r\v\f") == std::string::npos;
}

namespace {

// "3 empty, 7 too long": the numbers that are not 0.
std::string list_counts(std::initializer_list<std::pair<int64_t, const char*>> counts) {
  std::string text;
  for (const auto& [count, name] : counts) {
    if (count == 0) continue;
    text += (text.empty() ? "" : ", ") + format_count(count) + " " + name;
  }
  return text;
}

CorpusCount total(const std::vector<CorpusCount>& corpora) {
  CorpusCount sum;
  sum.name = "all corpora";
  for (const CorpusCount& c : corpora) {
    sum.pairs += c.pairs, sum.kept += c.kept;
    sum.bad_rows += c.bad_rows, sum.malformed += c.malformed, sum.empty += c.empty;
    sum.too_long += c.too_long, sum.uneven += c.uneven, sum.not_copied += c.not_copied;
    sum.repaired += c.repaired, sum.joined += c.joined;
    sum.unmarked += c.unmarked, sum.truncated += c.truncated, sum.facts_cut += c.facts_cut;
  }
  return sum;
}

}  // namespace

std::string limits_of(const Cleaning& cleaning) {
  return cleaning.max_source_length || cleaning.max_target_length
             ? "data.max_source_length and data.max_target_length allow"
             : fmt::format("data.max_length: {} allows", cleaning.max_length);
}

bool repair(std::string& line) {
  if (is_utf8(line)) return false;
  line = replace_malformed(line);
  return true;
}

std::optional<size_t> missing_side(const std::vector<bool>& empty) {
  HEED_CHECK(!empty.empty());
  if (std::all_of(empty.begin(), empty.end() - 1, [](bool is) { return is; }) && empty.size() > 1)
    return 0;
  if (empty.back()) return empty.size() - 1;
  return std::nullopt;
}

Verdict clean_lines(std::vector<std::string>& lines, const Cleaning& cleaning) {
  Verdict verdict;
  for (size_t side = 0; side < lines.size(); ++side) {
    if (cleaning.malformed == Malformed::kReplace) {
      verdict.repaired |= repair(lines[side]);
    } else if (!is_utf8(lines[side])) {
      return {.fault = LineFault::kMalformed, .side = side};
    }
  }
  std::vector<bool> empty;
  for (const std::string& line : lines) empty.push_back(is_blank(line));
  if (const auto side = missing_side(empty)) return {.fault = LineFault::kEmpty, .side = *side};
  return verdict;
}

bool is_uneven(const std::vector<int64_t>& lengths, const Cleaning& cleaning) {
  if (!cleaning.max_ratio || lengths.size() < 2) return false;
  const int64_t source = *std::max_element(lengths.begin(), lengths.end() - 1),
                target = lengths.back();
  return static_cast<double>(std::max(source, target)) >
         *cleaning.max_ratio * static_cast<double>(std::min(source, target));
}

void enforce(const Verdict& verdict, const Cleaning& cleaning, size_t sides,
             const std::string& place) {
  const LineFault fault = verdict.fault;
  const auto fail = [&place](const std::string& what, const char* key, const char* choices) {
    throw_error(ErrorKind::kData, "{}: {}; correct it, or set data.{} to {}", place, what, key,
                choices);
  };
  if (fault == LineFault::kBadRow && cleaning.malformed == Malformed::kError)
    fail(verdict.what, "malformed", "drop");
  if (fault == LineFault::kMalformed && cleaning.malformed == Malformed::kError) {
    fail("malformed UTF-8", "malformed", "drop or replace");
  }
  if (fault == LineFault::kEmpty && cleaning.empty == EmptyLine::kError) {
    fail("empty line", "empty", "drop");
  }
  if (fault == LineFault::kTooLong && cleaning.too_long == TooLong::kError) {
    fail(fmt::format("more than {} tokens", cleaning.longest(verdict.side, sides)), "too_long",
         "drop or truncate");
  }
}

std::string CorpusCount::text() const {
  std::string text =
      fmt::format("{}: {} pairs, {} kept", name, format_count(pairs), format_count(kept));
  if (weight != 1) text += fmt::format(" (weight {:.4g})", weight);
  if (fraction) text += fmt::format(", {:.1f}% of an epoch", 100 * *fraction);
  const std::string out = list_counts({{bad_rows, "bad rows"},
                                       {malformed, "malformed"},
                                       {empty, "empty"},
                                       {too_long, "too long"},
                                       {uneven, "of unequal lengths"},
                                       {not_copied, "with a target that the model cannot write"}});
  const std::string changed = list_counts({{repaired, "repaired"},
                                           {joined, "with line breaks, now spaces"},
                                           {unmarked, "with empty parts between markers, left out"},
                                           {truncated, "truncated"},
                                           {facts_cut, "without a supporting fact, cut off"}});
  if (!out.empty()) text += "; left out: " + out;
  if (!changed.empty()) text += "; changed: " + changed;
  return text;
}

void CorpusCount::leave_out(LineFault fault) {
  bad_rows += fault == LineFault::kBadRow;
  malformed += fault == LineFault::kMalformed;
  empty += fault == LineFault::kEmpty;
  too_long += fault == LineFault::kTooLong;
  uneven += fault == LineFault::kUneven;
  not_copied += fault == LineFault::kNotCopied;
}

int64_t CorpusReport::pairs() const { return total(corpora).pairs; }

int64_t CorpusReport::kept() const { return total(corpora).kept; }

void CorpusReport::require(double min_kept) const {
  const CorpusCount sum = total(corpora);
  if (static_cast<double>(sum.kept) >= min_kept * static_cast<double>(sum.pairs)) return;
  throw_error(ErrorKind::kData,
              "{}: only {:.1f} % of the training pairs are left, expected at least {:.4g} %; check "
              "the files, data.max_length and text, or set data.min_kept lower",
              corpora.size() == 1 ? corpora.front().text() : sum.text(),
              100 * static_cast<double>(sum.kept) / static_cast<double>(sum.pairs), 100 * min_kept);
}

std::vector<std::string> CorpusReport::lines() const {
  std::vector<std::string> lines;
  for (const CorpusCount& count : corpora) lines.push_back(count.text());
  if (corpora.size() > 1) lines.push_back(total(corpora).text());
  return lines;
}

}  // namespace heed
