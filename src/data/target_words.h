// Frequent words of the training targets that the sources hardly have. They distinguish a line of
// the target language from one of the source language, whatever the vocabulary: subwords of both
// languages have no unknown words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

#include "data/training_text.h"

namespace heed {

// At most 100, the most frequent first, with a space between two; none where the two sides have one
// language. Reads the first 10,000 lines of each part. Throws Error(kIo).
std::string find_target_words(const TrainingText& text);

// How many words of the line they are, where they are more than a quarter of at least four; else 0.
int64_t count_target_words(std::string_view line, const std::unordered_set<std::string>& words);

}  // namespace heed
