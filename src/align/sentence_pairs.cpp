#include "align/sentence_pairs.h"

namespace heed {

int32_t WordNumbers::add(const std::string& word) {
  const auto [found, is_new] = numbers_.try_emplace(word, size());
  if (is_new) words_.push_back(&found->first);
  return found->second;
}

int32_t WordNumbers::find(const std::string& word) const {
  const auto found = numbers_.find(word);
  return found == numbers_.end() ? -1 : found->second;
}

void SentencePairs::add(const std::vector<int32_t>& source, const std::vector<int32_t>& target) {
  for (const auto& [side, words] : {std::pair(&sides_[0], &source), {&sides_[1], &target}}) {
    side->words.insert(side->words.end(), words->begin(), words->end());
    side->ends.push_back(side->words.size());
  }
}

}  // namespace heed
