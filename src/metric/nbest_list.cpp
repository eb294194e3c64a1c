#include "metric/nbest_list.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "metric/words.h"

namespace heed {

namespace {

constexpr std::string_view kBar = " ||| ";

bool is_number(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return end != text.c_str() && *end == '\0';
}

// Behind the score may stand alignments, as Moses writes them.
bool is_nbest_line(const std::string& line) {
  const size_t first = line.find(kBar);
  if (first == std::string::npos || first == 0) return false;
  const bool is_numbered = std::all_of(line.begin(), line.begin() + static_cast<int64_t>(first),
                                       [](char c) { return c >= '0' && c <= '9'; });
  bool has_score = false;
  for (size_t bar = line.find(kBar, first + kBar.size()); bar != std::string::npos;) {
    const size_t begin = bar + kBar.size();
    bar = line.find(kBar, begin);
    has_score |= is_number(line.substr(begin, std::min(bar, line.size()) - begin));
  }
  return is_numbered && has_score;
}

// A word alignment, hard (0-0 1-2) or soft (0.9,0.1 …), or scores of words.
bool is_column_of_marian(std::string_view column) {
  const std::vector<std::string_view> words = words_of(column);
  if (words.empty()) return false;
  return words.front().starts_with("WordScores=") ||
         std::ranges::all_of(words, [](std::string_view word) {
           return word.find_first_of("0123456789") == 0 &&
                  word.find_first_not_of("0123456789.,-e") == std::string_view::npos &&
                  word.find_first_of(",-") != std::string_view::npos;
         });
}

// A translation by marian-decoder with --alignment or --word-scores.
bool has_columns_of_marian(std::string_view line) {
  const size_t bar = line.rfind(kBar);
  return bar != std::string_view::npos && is_column_of_marian(line.substr(bar + kBar.size()));
}

bool is_json_line(const std::string& line) {
  return line.starts_with("{\"line\":") && line.find("\"translations\":[") != std::string::npos;
}

}  // namespace

void refuse_nbest_list(const std::vector<std::string>& lines, const std::string& name) {
  if (lines.empty()) return;
  const bool is_json = is_json_line(lines.front()), is_list = is_nbest_line(lines.front());
  if (!is_list && has_columns_of_marian(lines.front()))
    throw_error(
        ErrorKind::kData,
        "{}: translations with alignments or scores behind ||| (TEXT ||| 0-0 1-1), expected "
        "plain text; translate without --alignment and --word-scores writes it",
        name);
  if (!is_json && !is_list) return;
  throw_error(ErrorKind::kData,
              "{}: {}, expected plain text, a line for each source line; translate without {} "
              "writes it",
              name, is_json ? "translations as JSON" : "an n-best list (NUMBER ||| TEXT ||| SCORE)",
              is_json ? "--format json" : "--nbest");
}

}  // namespace heed
