// Facts of a corpus that filters compare its pairs with, learned from pairs drawn at random.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "clean/corpus_pair.h"

namespace heed {

struct SideProfile {
  std::map<int, double> scripts{};  // fraction of the letters, by code of ICU
  std::string language{};           // of most lines, by CLD2; "": of none
  double language_share = 0;        // of the lines
};

struct CorpusProfile {
  int64_t pairs = 0;
  std::vector<CorpusPair> sample{};  // by number; of long lines the beginning
  std::array<SideProfile, 2> sides{};
  double ratio = 1;                                 // median of target / source characters
  std::array<std::vector<uint32_t>, 2> words{};     // of every pair, if scores need them
  const CorpusPair* sampled(int64_t number) const;  // nullptr: the pair is not in the sample
};

// The script of a letter by code of ICU; nullopt: a character that several scripts use.
std::optional<int> letter_script(char32_t character);

// Draws the sample while the corpus is read for the first time.
class CorpusProfiler {
 public:
  CorpusProfiler(uint64_t seed, bool counts_words);
  // Both sides as they are in the file. is_usable: false for a pair without text.
  void add(int64_t number, const std::array<std::string, 2>& sides, bool is_usable);
  CorpusProfile finish(int64_t pairs);

 private:
  CorpusProfile profile_;
  std::vector<double> ratios_{};  // of the pairs in the sample
  RandomStream random_;
  int64_t usable_ = 0;
  bool counts_words_;
};

}  // namespace heed
