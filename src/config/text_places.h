// Converts byte offsets of a text, and the marks of YAML, to lines and columns.
#pragma once

#include <string_view>
#include <vector>

#include "config/tree.h"

namespace heed {

class TextPlaces {
 public:
  explicit TextPlaces(std::string_view text);
  std::string_view text() const { return text_; }
  FilePlace at(size_t offset) const;
  // line, byte: from 0, as YAML marks count.
  FilePlace at(int line, int byte) const;
  // The text of this line, from 0; "" where there is none.
  std::string_view line(int number) const;

 private:
  std::string_view text_;
  std::vector<size_t> line_starts_;
  // Last result. The next position is usually further on in the same line, which may be as long as
  // the text.
  struct Last {
    size_t start = 0, offset = 0;
    int column = 1;
  };
  mutable Last last_;
};

// Offset of the first byte that a config must not contain (malformed UTF-8, control characters), or
// npos.
size_t find_unreadable(std::string_view text);

// True if the quoted text that begins at `offset` is closed before the text ends. (yaml-cpp accepts
// the end of a file as closing single quote.)
bool quote_is_closed(std::string_view text, size_t offset);

}  // namespace heed
