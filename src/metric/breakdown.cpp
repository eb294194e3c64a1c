#include "metric/breakdown.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "metric/bleu_tokenizers.h"
#include "metric/words.h"

namespace heed {

namespace {

struct CountRange {
  int64_t low = 0, high = 0;  // high: -1 for none
  std::string name() const {
    if (high < 0) return fmt::format("{}+", low);
    return low == high ? fmt::format("{}", low) : fmt::format("{}-{}", low, high);
  }
  bool holds(int64_t number) const { return number >= low && (high < 0 || number <= high); }
};

constexpr std::array<CountRange, 7> kLengths = {
    {{0, 9}, {10, 19}, {20, 29}, {30, 39}, {40, 49}, {50, 59}, {60, -1}}};
constexpr std::array<CountRange, 9> kFrequencies = {
    {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 9}, {10, 99}, {100, 999}, {1000, -1}}};

template <size_t N>
size_t index_of(const std::array<CountRange, N>& ranges, int64_t number) {
  const auto found = std::ranges::find_if(
      ranges, [number](const CountRange& range) { return range.holds(number); });
  return static_cast<size_t>(found - ranges.begin());
}

struct Matches {
  int64_t hypotheses = 0, references = 0, both = 0;
  double f1() const {
    const int64_t words = hypotheses + references;
    return words == 0 ? 0 : 200 * static_cast<double>(both) / static_cast<double>(words);
  }
};

WordCounts counts_of(const std::string& line, const WordSplit& split) {
  WordCounts counts;
  count_words(line, counts, split);
  return counts;
}

}  // namespace

std::vector<std::string> WordSplit::words(const std::string& line) const {
  const std::string spaced =
      find_bleu_tokenizer(tokenizer).tokenize(strip_right(letter_case.apply(line)));
  std::vector<std::string> words;
  for (const std::string_view word : words_of(spaced)) words.emplace_back(word);
  return words;
}

std::string WordSplit::signature() const {
  const auto version = find_bleu_tokenizer(tokenizer).version;
  return fmt::format("{}|tok:{}{}", letter_case.signature(), tokenizer,
                     version == nullptr ? "" : "-" + version());
}

std::vector<LineGroup> group_by_length(const Lines& lines, const WordSplit& split) {
  std::vector<LineGroup> groups;
  for (const CountRange& range : kLengths) groups.push_back({range.name(), {}});
  for (size_t i = 0; i < lines.size(); ++i)
    groups[index_of(kLengths, std::ssize(split.words(lines[i])))].lines.push_back(i);
  std::erase_if(groups, [](const LineGroup& group) { return group.lines.empty(); });
  return groups;
}

void count_words(const std::string& line, WordCounts& counts, const WordSplit& split) {
  for (const std::string& word : split.words(line)) ++counts[word];
}

std::vector<WordGroup> f1_by_frequency(const Lines& hypotheses, const Lines& references,
                                       const WordCounts& counts, const WordSplit& split) {
  HEED_CHECK(hypotheses.size() == references.size());
  std::array<Matches, kFrequencies.size()> matches{};
  const auto of = [&](const std::string& word) -> Matches& {
    const auto found = counts.find(word);
    return matches[index_of(kFrequencies, found == counts.end() ? 0 : found->second)];
  };
  for (size_t i = 0; i < references.size(); ++i) {
    const WordCounts own = counts_of(hypotheses[i], split), right = counts_of(references[i], split);
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
