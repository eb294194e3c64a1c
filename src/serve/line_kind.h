// Kinds of lines by what they cost, and room for some of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heed {

// Lines of a kind are searched together. Kinds share the time of a worker, so that short lines do not
// wait for long ones, wide beams or many constraints.
enum class LineKind : size_t { kShort, kLong, kVeryLong };
inline constexpr size_t kLineKinds = 3;

// Room for lines in a batch. Its rows are its lines times the hypotheses of the widest.
struct BatchRoom {
  int64_t most_lines, most_rows;
  int64_t lines = 0, widest = 1;  // that are there

  // A quarter more is for requests that have no line yet: they do not wait for the end of a line of
  // another.
  bool fits(int64_t hypotheses, bool is_first) const {
    const auto most = [&](int64_t usual) { return is_first ? usual + usual / 4 : usual; };
    return lines == 0 || (lines < most(most_lines) &&
                          (lines + 1) * std::max(widest, hypotheses) <= most(most_rows));
  }
  void add(int64_t hypotheses) {
    ++lines;
    widest = std::max(widest, hypotheses);
  }
};

}  // namespace heed
