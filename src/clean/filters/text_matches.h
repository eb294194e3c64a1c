// Parts of a text that match a pattern, by the regular expressions of ICU. Repetitions in a pattern have
// bounds, so that no line takes long or exhausts the stack.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace heed {

class TextPattern {
 public:
  explicit TextPattern(const char* pattern);
  ~TextPattern();
  // Any thread may call it.
  std::vector<std::string> matches(const std::string& text) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Texts that one list has more often than the other, for a reason: "<b>, %s"; "": nothing.
std::string missing_items(const std::vector<std::string>& in,
                          const std::vector<std::string>& items);

}  // namespace heed
