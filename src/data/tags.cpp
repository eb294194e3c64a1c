#include "data/tags.h"

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "base/suggest.h"
#include "base/utf8.h"

namespace heed {

bool is_tag(std::string_view text) {
  const auto fits = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
  };
  return !text.empty() && std::ranges::all_of(text, fits);
}

std::string no_such_tag(const Tags& tags, std::string_view text) {
  return fmt::format("is not one of {}{}", fmt::join(tags, ", "), did_you_mean(text, tags));
}

int64_t tag_number(const Tags& tags, std::string_view line, const std::string& place) {
  const std::string_view tag = trimmed(line, " \t\r");
  const auto found = std::ranges::find(tags, tag);
  if (found == tags.end())
    throw_error(ErrorKind::kData, "{}: the tag '{}' {}", place, tag, no_such_tag(tags, tag));
  return found - tags.begin();
}

}  // namespace heed
