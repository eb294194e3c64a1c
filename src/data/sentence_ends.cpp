#include "data/sentence_ends.h"

#include <algorithm>

#include "base/sentences.h"

namespace heed {

namespace {

constexpr std::string_view kPunctuation = ",;:!?()[]\"'";

// Calls `take` with each word that has no period, without punctuation around it.
template <class Take>
void for_each_plain_word(std::string_view line, const Take& take) {
  for (size_t begin = 0; begin < line.size();) {
    const size_t end = std::min(line.find(' ', begin), line.size());
    std::string_view word = line.substr(begin, end - begin);
    begin = end + 1;
    word.remove_prefix(std::min(word.find_first_not_of(kPunctuation), word.size()));
    word = word.substr(0, word.find_last_not_of(kPunctuation) + 1);
    if (!word.empty() && word.back() != '.') take(word);
  }
}

}  // namespace

void SentenceEnds::add(std::string_view line) {
  ++lines_;
  const std::vector<std::string_view> sentences = split_sentences(line, language_);
  if (sentences.empty()) return;
  for_each_plain_word(
      line, [this](std::string_view word) { ++counts_[std::string(word) + "."].without_period; });
  ++counts_[last_abbreviation(sentences.back())].at_end;
  if (sentences.size() == 1) return;
  std::vector<std::string>& ends = several_.emplace_back();
  for (size_t i = 0; i + 1 < sentences.size(); ++i) {
    ends.push_back(last_abbreviation(sentences[i]));
    ++counts_[ends.back()].inside;
  }
}

bool SentenceEnds::is_abbreviation(const std::string& word) const {
  constexpr int64_t kFewest = 3, kMostSeveral = 5;
  if (word.empty() || std::ssize(several_) * kMostSeveral > lines_) return false;
  const auto found = counts_.find(word);
  if (found == counts_.end()) return false;
  const auto& [inside, at_end, without_period] = found->second;
  return inside >= kFewest && inside > at_end && inside > without_period;
}

std::vector<std::string> SentenceEnds::abbreviations() const {
  std::vector<std::string> words;
  for (const auto& [word, count] : counts_)
    if (is_abbreviation(word)) words.push_back(word);
  std::ranges::sort(words);
  return words;
}

double SentenceEnds::share_of_several() const {
  const auto are_several = [this](const std::vector<std::string>& ends) {
    return !std::ranges::all_of(ends,
                                [this](const std::string& word) { return is_abbreviation(word); });
  };
  const auto several = std::ranges::count_if(several_, are_several);
  return static_cast<double>(several) / static_cast<double>(std::max<int64_t>(lines_, 1));
}

}  // namespace heed
