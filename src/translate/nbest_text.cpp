#include "translate/nbest_text.h"

#include <algorithm>

namespace heed {

namespace {

constexpr char kBarSign = '|', kBackslash = '\\';

// The number of backslashes at the beginning of the text if a bar follows them, else npos.
size_t backslashes_before_bar(std::string_view text) {
  const size_t count = std::min(text.find_first_not_of(kBackslash), text.size());
  return count < text.size() && text[count] == kBarSign ? count : std::string_view::npos;
}

bool has_escape(std::string_view text) {
  for (size_t bar = text.find(kBarSign); bar != std::string_view::npos;
       bar = text.find(kBarSign, bar + 1)) {
    const size_t count = backslashes_before_bar(text.substr(bar + 1));
    if (count != std::string_view::npos && count > 0) return true;
  }
  return false;
}

// Changes the number of backslashes between two bars by `change`.
template <class Change>
std::string with_backslashes(std::string_view text, Change change) {
  std::string result;
  for (size_t at = 0; at < text.size(); ++at) {
    result += text[at];
    if (text[at] != kBarSign) continue;
    const size_t count = backslashes_before_bar(text.substr(at + 1));
    if (count == std::string_view::npos) continue;
    result.append(change(count), kBackslash);
    at += count;
  }
  return result;
}

}  // namespace

std::string text_column(std::string_view text) {
  if (text.find("|||") == std::string_view::npos && !has_escape(text)) return std::string(text);
  return with_backslashes(text, [](size_t count) { return count + 1; });
}

std::string column_text(std::string_view column) {
  if (!has_escape(column)) return std::string(column);
  return with_backslashes(column, [](size_t count) { return count - std::min<size_t>(count, 1); });
}

}  // namespace heed
