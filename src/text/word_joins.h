// Tokens that make one word, one behind the other: "in" and "to" do, "in" and "▁to" do not.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace heed {

// Facts of tokens, by id.
struct WordJoins {
  std::vector<bool> open_start;  // it begins with a letter or digit, not with a space
  std::vector<bool> open_end;    // the same of its end
  std::optional<int32_t> space;  // the token that is a space and nothing else, if there is one

  bool join(int32_t first, int32_t second) const {
    return is_open(open_end, first) && is_open(open_start, second);
  }
  static bool is_open(const std::vector<bool>& tokens, int32_t id) {
    return static_cast<size_t>(id) < tokens.size() && tokens[static_cast<size_t>(id)];
  }
};

}  // namespace heed
