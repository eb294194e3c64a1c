// Random choice of words of a line.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "data/augment/word_line.h"

namespace heed {

// Positions of the plain words with is_fit(word), each drawn with probability `rate`, but at least one
// of them.
template <class IsFit>
std::vector<size_t> drawn_words(const WordLine& line, double rate, RandomStream& draws,
                                const IsFit& is_fit) {
  std::vector<size_t> fit, drawn;
  for (size_t i = 0; i < line.words.size(); ++i) {
    if (is_plain_word(line.words[i].text) && is_fit(line.words[i])) fit.push_back(i);
  }
  for (const size_t i : fit) {
    if (draws.uniform() < rate) drawn.push_back(i);
  }
  if (drawn.empty() && !fit.empty()) drawn.push_back(fit[draws.below(fit.size())]);
  return drawn;
}

}  // namespace heed
