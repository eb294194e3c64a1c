// The sentence pairs of a corpus as numbers of words, in a few bytes a word.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace heed {

// Words by number, from 0, in the order in which they come first.
class WordNumbers {
 public:
  WordNumbers() = default;
  WordNumbers(WordNumbers&&) = default;
  WordNumbers& operator=(WordNumbers&&) = default;
  int32_t add(const std::string& word);
  // -1: none has this word.
  int32_t find(const std::string& word) const;
  const std::string& word(int32_t number) const { return *words_.at(static_cast<size_t>(number)); }
  int32_t size() const { return static_cast<int32_t>(words_.size()); }

 private:
  std::unordered_map<std::string, int32_t> numbers_{};
  std::vector<const std::string*> words_{};  // keys of numbers_
};

class SentencePairs {
 public:
  using Words = std::span<const int32_t>;
  void add(const std::vector<int32_t>& source, const std::vector<int32_t>& target);
  size_t size() const { return sides_[0].ends.size(); }
  Words source(size_t pair) const { return sides_[0].of(pair); }
  Words target(size_t pair) const { return sides_[1].of(pair); }
  int64_t source_words() const { return std::ssize(sides_[0].words); }
  int64_t target_words() const { return std::ssize(sides_[1].words); }

 private:
  struct Side {
    std::vector<int32_t> words{};
    std::vector<size_t> ends{};
    Words of(size_t pair) const {
      const size_t begin = pair == 0 ? 0 : ends[pair - 1];
      return {words.data() + begin, ends[pair] - begin};
    }
  };
  Side sides_[2];
};

}  // namespace heed
