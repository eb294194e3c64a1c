// Supporting facts of a question about a story, in a file parallel to its text: a line has the
// numbers of the sentences that the answer follows from, counted from 1, in the order in which they
// are needed; an empty line has none. A `marker` separates the sentences of the story.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/word_pairs.h"

namespace heed {

// Sentences as the model has them, counted from 0: those without pieces are left out.
struct SupportingFacts {
  std::vector<int64_t> begins;                // first piece of each sentence
  std::vector<std::optional<int64_t>> facts;  // in order; nullopt: the limit of length cut it off
  // Cuts the story to its first pieces. A sentence that begins behind them is no longer there.
  void cut(int64_t pieces);
  bool lack_some() const;  // true if a fact was cut off
};

// Throws Error(kData), which begins with `place`, for text that is not a number and for a number
// without a sentence.
SupportingFacts read_supporting_facts(std::string_view line, const SentenceText& story,
                                      const std::string& place);

}  // namespace heed
