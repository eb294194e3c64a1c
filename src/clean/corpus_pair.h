// A sentence pair as the filters read it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

inline constexpr std::array<const char*, 2> kSideNames{"source", "target"};

// One side of a pair: well-formed UTF-8, with its code points.
struct SideLine {
  std::string text{};
  std::u32string characters{};
  size_t letters = 0;
  bool is_unspaced = false;

  SideLine() = default;
  explicit SideLine(std::string line);
  // Words between spaces; characters of text without spaces between words.
  std::vector<std::string> words() const;
};

struct CorpusPair {
  int64_t number = 0;  // from 0
  std::array<SideLine, 2> sides{};
};

// The words of a side that reads like a link or an e-mail address.
bool is_link(std::string_view word);

// Letters and digits in lower case: what is left of a line without case, punctuation and spaces. A line
// without any is itself.
std::string normalized(const SideLine& line, bool without_digits = false);

}  // namespace heed
