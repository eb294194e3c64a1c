// A corpus small enough to learn in seconds: the target repeats the source, words of one letter.
#pragma once

#include <filesystem>
#include <string>

#include "base/random.h"
#include "base/temporary_folder.h"

namespace heed {

// Lines of one to six of the letters a to j.
inline std::string toy_lines(uint64_t seed, int count) {
  RandomStream random(stream_key(seed, "toy corpus"));
  std::string text;
  for (int line = 0; line < count; ++line) {
    const uint64_t words = 1 + random.below(6);
    for (uint64_t word = 0; word < words; ++word) {
      if (word > 0) text += ' ';
      text += static_cast<char>('a' + random.below(10));
    }
    text += '\n';
  }
  return text;
}

// train.src, train.tgt, valid.src, valid.tgt
inline void write_toy_corpus(const std::filesystem::path& folder) {
  for (const char* side : {"src", "tgt"}) {
    write_plainly(folder / (std::string("train.") + side), toy_lines(1, 1000));
    write_plainly(folder / (std::string("valid.") + side), toy_lines(2, 50));
  }
}

}  // namespace heed
