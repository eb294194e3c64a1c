#include "distill/dropped_pairs.h"

#include <algorithm>
#include <map>

#include "base/file.h"
#include "base/log.h"
#include "data/text_view.h"

namespace heed {

namespace {

using FilterNumbers = std::map<std::string, int64_t>;

// "length 1,200, ratio 30", the highest number first.
std::string numbers_text(const FilterNumbers& numbers) {
  std::vector<std::pair<std::string, int64_t>> sorted(numbers.begin(), numbers.end());
  std::ranges::stable_sort(sorted, std::ranges::greater(),
                           &std::pair<std::string, int64_t>::second);
  std::vector<std::string> words;
  for (const auto& [filter, number] : sorted)
    words.push_back(fmt::format("{} {}", filter, format_count(number)));
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

void expect_pairs(const std::filesystem::path& kept, const std::filesystem::path& rejected) {
  std::string line;
  if (LineReader(kept).next(line)) return;
  FilterNumbers numbers;
  int64_t pairs = 0;
  LineReader reader(rejected);
  reader.next(line);  // the names of the columns
  for (; reader.next(line); ++pairs) {
    const std::string filters(split_row(line).at(1));
    for (size_t begin = 0; begin <= filters.size();) {
      const size_t end = std::min(filters.find(',', begin), filters.size());
      ++numbers[filters.substr(begin, end - begin)];
      begin = end + 1;
    }
  }
  throw_error(ErrorKind::kData,
              "{}: the filters drop all {} pairs ({}; a pair may have several); the file has the "
              "reason of each. Change or turn off these filters in distill.filters, or train a "
              "better teacher",
              rejected.string(), format_count(pairs), numbers_text(numbers));
}

}  // namespace heed
