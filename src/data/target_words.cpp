#include "data/target_words.h"

#include <algorithm>
#include <unordered_map>

#include "base/log.h"
#include "base/utf8.h"

namespace heed {

namespace {

constexpr int64_t kLines = 10'000;
constexpr size_t kWords = 100, kLongest = 40;  // bytes; longer ones are lines without spaces
constexpr int64_t kOften = 5;
constexpr double kFrequent = 1e-3;  // of all words of the targets
constexpr double kHardly = 0.05;    // of its frequency in the targets

struct Counts {
  std::unordered_map<std::string, int64_t> of_word{};
  int64_t all = 0;
  void add(const std::string& line) {
    for (std::string& word : split_words(line)) ++of_word[std::move(word)], ++all;
  }
  double frequency(const std::string& word) const {
    const auto found = of_word.find(word);
    if (found == of_word.end()) return 0;
    return static_cast<double>(found->second) / static_cast<double>(all);
  }
};

}  // namespace

std::string find_target_words(const TrainingText& text) {
  if (text.sides() < 2) return {};
  Counts source, target;
  for (const TextPart& part : text.parts()) {
    PairReader reader(part);
    for (int64_t line = 0; line < kLines && reader.next(); ++line) {
      std::for_each(reader.lines.begin(), reader.lines.end() - 1,
                    [&](const std::string& own) { source.add(own); });
      target.add(reader.lines.back());
    }
  }
  std::vector<std::string> words;
  for (const auto& [word, count] : target.of_word) {
    if (count < kOften || word.size() > kLongest || find_malformed(word) != std::string::npos)
      continue;
    const double frequency = target.frequency(word);
    if (frequency >= kFrequent && source.frequency(word) < kHardly * frequency)
      words.push_back(word);
  }
  std::ranges::sort(words, [&](const std::string& a, const std::string& b) {
    const int64_t left = target.of_word.at(a), right = target.of_word.at(b);
    return left != right ? left > right : a < b;
  });
  words.resize(std::min(words.size(), kWords));
  return fmt::format("{}", fmt::join(words, " "));
}

int64_t count_target_words(std::string_view line, const std::unordered_set<std::string>& words) {
  constexpr int64_t kFew = 4, kOneIn = 4;
  if (words.empty()) return 0;
  const std::vector<std::string> own = split_words(line);
  const auto found =
      std::ranges::count_if(own, [&](const std::string& word) { return words.contains(word); });
  return std::ssize(own) >= kFew && found * kOneIn > std::ssize(own) ? found : 0;
}

}  // namespace heed
