#include "document/lines.h"

#include <algorithm>
#include <numeric>

#include "base/sentences.h"
#include "base/unspaced.h"
#include "base/utf8.h"

namespace heed {

bool ContentLine::is_blank() const { return without_outer_space(text).empty(); }

std::vector<ContentLine> lines_of(std::string_view content) {
  std::vector<ContentLine> lines;
  while (!content.empty()) {
    const size_t feed = content.find('\n');
    const bool has_feed = feed != std::string_view::npos;
    const size_t next = has_feed ? feed + 1 : content.size();
    size_t length = has_feed ? feed : next;
    if (has_feed && length > 0 && content[length - 1] == '\r') --length;
    lines.push_back({content.substr(0, length), content.substr(length, next - length)});
    content.remove_prefix(next);
  }
  return lines;
}

namespace {

bool is_unspaced_at(std::string_view characters, bool at_end) {
  const auto points = code_points(characters);
  if (points.empty()) return false;
  size_t offset = 0;
  const auto point = next_code_point(at_end ? points.back() : points.front(), offset);
  return point && is_unspaced(*point);
}

}  // namespace

std::string join_lines(const std::vector<std::string_view>& parts) {
  std::string line;
  bool ends_unspaced = false;
  for (const std::string_view part : parts) {
    const std::string_view words = without_outer_space(part);
    if (words.empty()) continue;
    if (!line.empty() && !(ends_unspaced && is_unspaced_at(words, false))) line += ' ';
    line += words;
    ends_unspaced = is_unspaced_at(words, true);
  }
  return line;
}

std::vector<std::string> wrap(const std::vector<std::string>& words, size_t width) {
  std::vector<std::string> lines;
  size_t used = 0;
  for (const std::string& word : words) {
    const size_t needed = display_width(word);
    if (lines.empty() || used + 1 + needed > width) {
      lines.push_back(word);
      used = needed;
    } else {
      lines.back() += " " + word;
      used += 1 + needed;
    }
  }
  return lines;
}

size_t visible_size(std::string_view text) {
  size_t size = 0;
  while (!text.empty()) {
    const size_t begin = std::min(text.find('<'), text.size());
    const size_t end = text.find('>', begin);
    const size_t next = end == std::string_view::npos ? text.size() : end + 1;
    size += count_code_points(text.substr(0, end == std::string_view::npos ? text.size() : begin));
    text.remove_prefix(next);
  }
  return size;
}

std::vector<std::string> divide(const std::string& text, const std::vector<size_t>& shares) {
  const std::vector<std::string> words = split_words(text);
  const size_t all_shares =
      std::max<size_t>(1, std::accumulate(shares.begin(), shares.end(), size_t{0}));
  const size_t length = visible_size(text);
  std::vector<std::string> parts(shares.size());
  size_t part = 0, written = 0, sum = shares.empty() ? 0 : shares[0];
  for (size_t i = 0; i < words.size(); ++i) {
    const size_t middle = written + visible_size(words[i]) / 2;
    const size_t words_left = words.size() - i, parts_left = parts.size() - part;
    const bool is_full = middle * all_shares > sum * length || words_left < parts_left;
    if (part + 1 < parts.size() && !parts[part].empty() && is_full) sum += shares[++part];
    parts[part] += (parts[part].empty() ? "" : " ") + words[i];
    written += visible_size(words[i]) + 1;
  }
  return parts;
}

void DocumentBuilder::add(std::string original, std::string text,
                          std::function<std::string(const std::string&)> write) {
  texts_.push_back({std::move(kept_), std::move(original), std::move(text), std::move(write)});
  kept_.clear();
}

void DocumentBuilder::add_whole(std::string original, std::string text,
                                std::function<std::string(const std::string&)> write) {
  add(std::move(original), std::move(text), std::move(write));
  texts_.back().is_always_written = true;
}

Document DocumentBuilder::finish(MarkupFormat markup) {
  return {std::move(texts_), std::move(kept_), markup};
}

}  // namespace heed
