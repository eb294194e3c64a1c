// Text that is the same in source and translation: placeholders, URLs, e-mail addresses and numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

struct ProtectedKinds {
  bool placeholders = false;  // {0}, {{name}}, ${name}, %s, %1$d, %(name)s, ⟦1⟧
  bool urls = false;          // with a scheme, or beginning with www.
  bool emails = false;
  bool numbers = false;  // digits, also with . , : / - between them

  bool any() const { return placeholders || urls || emails || numbers; }
};

// "placeholders,urls"; nullopt: a word is none of the kinds.
std::optional<ProtectedKinds> parse_protected_kinds(std::string_view words);

struct TextRange {
  size_t begin, end;  // bytes
  bool operator==(const TextRange&) const = default;
};
// In their order, without overlaps; the longest at each position.
std::vector<TextRange> find_protected(std::string_view text, const ProtectedKinds& kinds);

}  // namespace heed
