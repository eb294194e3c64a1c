#include "metric/breakdown.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "metric/bleu_tokenizers.h"
#include "metric/words.h"

namespace heed {

namespace {

std::vector<std::string> words_by_13a(const std::string& line) {
  static const BleuTokenizer& tokenizer = find_bleu_tokenizer("13a");
  const std::string spaced = tokenizer.tokenize(strip_right(line));
  std::vector<std::string> words;
  for (const std::string_view word : words_of(spaced)) words.emplace_back(word);
  return words;
}

struct Range {
  int64_t low = 0, high = 0;  // high: -1 for none
  std::string name() const {
    if (high < 0) return fmt::format("{}+", low);
    return low == high ? fmt::format("{}", low) : fmt::format("{}-{}", low, high);
  }
  bool holds(int64_t number) const { return number >= low && (high < 0 || number <= high); }
};

constexpr std::array<Range, 7> kLengths = {
    {{0, 9}, {10, 19}, {20, 29}, {30, 39}, {40, 49}, {50, 59}, {60, -1}}};
constexpr std::array<Range, 9> kFrequencies = {
    {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 9}, {10, 99}, {100, 999}, {1000, -1}}};

template <size_t N>
size_t index_of(const std::array<Range, N>& ranges, int64_t number) {
  const auto found =
      std::ranges::find_if(ranges, [number](const Range& range) { return range.holds(number); });
  return static_cast<size_t>(found - ranges.begin());
}

struct Matches {
  int64_t hypotheses = 0, references = 0, both = 0;
  double f1() const {
    const int64_t words = hypotheses + references;
    return words == 0 ? 0 : 200 * static_cast<double>(both) / static_cast<double>(words);
  }
};

WordCounts counts_of(const std::string& line) {
  WordCounts counts;
  count_words(line, counts);
  return counts;
}

}  // namespace

std::vector<LineGroup> group_by_length(const Lines& lines) {
  std::vector<LineGroup> groups;
  for (const Range& range : kLengths) groups.push_back({range.name(), {}});
  for (size_t i = 0; i < lines.size(); ++i)
    groups[index_of(kLengths, std::ssize(words_by_13a(lines[i])))].lines.push_back(i);
  std::erase_if(groups, [](const LineGroup& group) { return group.lines.empty(); });
  return groups;
}

void count_words(const std::string& line, WordCounts& counts) {
  for (const std::string& word : words_by_13a(line)) ++counts[word];
}

std::vector<WordGroup> f1_by_frequency(const Lines& hypotheses, const Lines& references,
                                       const WordCounts& counts) {
  HEED_CHECK(hypotheses.size() == references.size());
  std::array<Matches, kFrequencies.size()> matches{};
  const auto of = [&](const std::string& word) -> Matches& {
    const auto found = counts.find(word);
    return matches[index_of(kFrequencies, found == counts.end() ? 0 : found->second)];
  };
  for (size_t i = 0; i < references.size(); ++i) {
    const WordCounts own = counts_of(hypotheses[i]), right = counts_of(references[i]);
    for (const auto& [word, count] : own) of(word).hypotheses += count;
    for (const auto& [word, count] : right) {
      Matches& group = of(word);
      group.references += count;
      const auto found = own.find(word);
      if (found != own.end()) group.both += std::min(count, found->second);
    }
  }
  std::vector<WordGroup> groups;
  for (size_t i = 0; i < matches.size(); ++i) {
    if (matches[i].references > 0)
      groups.push_back({kFrequencies[i].name(), matches[i].references, matches[i].f1()});
  }
  return groups;
}

}  // namespace heed
