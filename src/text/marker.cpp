#include "text/marker.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include <spdlog/fmt/fmt.h>

#include "base/line_separators.h"
#include "base/utf8.h"

namespace heed {

namespace {

void for_each_part(std::string_view line, const std::string& marker,
                   const std::function<void(std::string_view)>& take) {
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find(marker, begin), line.size());
    take(line.substr(begin, end - begin));
    begin = end + marker.size();
  }
}

// Encodes each part with `encode` and puts a marker between the parts.
template <class Encode>
std::vector<std::string> mark_parts(std::string_view line, const std::string& marker,
                                    Encode encode) {
  std::vector<std::string> pieces;
  for_each_part(line, marker, [&](std::string_view part) {
    std::vector<std::string> own = encode(part);
    if (own.empty()) return;
    if (!pieces.empty()) pieces.emplace_back(kMarkerPiece);
    pieces.insert(pieces.end(), std::make_move_iterator(own.begin()),
                  std::make_move_iterator(own.end()));
  });
  return pieces;
}

constexpr std::string_view kSpaces = " \t";

// Appends the words of a part. `before`: number of words before the part.
void append(const PieceWords& part, int64_t before, PieceWords& words) {
  for (const WordRange& own : part)
    words.push_back(own.empty() ? own : WordRange{own.begin + before, own.end + before});
}

}  // namespace

std::vector<std::string> MarkedTokenizer::encode(std::string_view line) const {
  return mark_parts(line, marker_, [this](std::string_view part) { return inner_->encode(part); });
}

int64_t MarkedTokenizer::empty_parts(std::string_view line) const {
  if (line.find(marker_) == std::string_view::npos) return 0;
  int64_t count = 0;
  for_each_part(line, marker_,
                [&](std::string_view part) { count += inner_->encode(part).empty(); });
  return count;
}

std::vector<bool> MarkedTokenizer::parts_with_pieces(std::string_view line) const {
  std::vector<bool> parts;
  for_each_part(line, marker_,
                [&](std::string_view part) { parts.push_back(!inner_->encode(part).empty()); });
  return parts;
}

std::vector<std::string> MarkedTokenizer::sample(std::string_view line,
                                                 const SubwordRegularizationConfig& how,
                                                 RandomStream& draws) const {
  return mark_parts(line, marker_,
                    [&](std::string_view part) { return inner_->sample(part, how, draws); });
}

std::string MarkedTokenizer::joined(std::string_view line) const {
  std::string text;
  for_each_part(line, marker_, [&](std::string_view part) {
    if (part.data() > line.data()) text += marker_;
    text += inner_->joined(part);
  });
  return text;
}

std::string MarkedTokenizer::decode(const std::vector<std::string>& pieces) const {
  std::string text;
  std::vector<std::string> part;
  for (const std::string& piece : pieces) {
    if (piece != kMarkerPiece) {
      part.push_back(piece);
      continue;
    }
    text += inner_->decode(part) + marker_;
    part.clear();
  }
  return text + inner_->decode(part);
}

std::string MarkedTokenizer::text_of(std::string_view piece) const {
  return piece == kMarkerPiece ? fmt::format(" {} ", marker_) : inner_->text_of(piece);
}

std::vector<std::string> MarkedTokenizer::words(std::string_view line) const {
  std::vector<std::string> words;
  for_each_part(line, marker_, [&](std::string_view part) {
    if (part.data() > line.data() && is_word()) words.emplace_back(trimmed(marker_, kSpaces));
    for (std::string& word : inner_->words(part)) words.push_back(std::move(word));
  });
  return words;
}

PieceWords MarkedTokenizer::piece_words(std::string_view line,
                                        const std::vector<std::string>& pieces) const {
  PieceWords words;
  int64_t count = 0;  // of words before the part
  auto next = pieces.begin();
  for_each_part(line, marker_, [&](std::string_view part) {
    count += part.data() > line.data() && is_word() ? 1 : 0;
    if (next != pieces.end() && !inner_->encode(part).empty()) {
      if (next != pieces.begin()) {
        words.push_back(mark_before(count));
        ++next;
      }
      const auto end = std::find(next, pieces.end(), kMarkerPiece);
      append(inner_->piece_words(part, {next, end}), count, words);
      next = end;
    }
    count += inner_->count_words(part);
  });
  words.resize(pieces.size());  // a text may contain the marker piece
  return words;
}

PieceWords MarkedTokenizer::written_words(const std::vector<std::string>& pieces) const {
  PieceWords words;
  int64_t count = 0;
  for (auto next = pieces.begin();; ++next) {
    const auto end = std::find(next, pieces.end(), kMarkerPiece);
    const std::vector<std::string> part(next, end);
    append(inner_->written_words(part), count, words);
    count += inner_->count_words(on_one_line(inner_->decode(part)));
    if (end == pieces.end()) return words;
    count += is_word() ? 1 : 0;
    words.push_back(mark_before(count));
    next = end;
  }
}

WordRange MarkedTokenizer::mark_before(int64_t word) const {
  return is_word() ? WordRange{word - 1, word} : WordRange{};
}

bool MarkedTokenizer::is_word() const {
  return marker_.find_first_not_of(kSpaces) != std::string::npos;
}

std::vector<std::string> MarkedTokenizer::own_pieces() const {
  std::vector<std::string> pieces = inner_->own_pieces();
  if (!pieces.empty()) pieces.emplace_back(kMarkerPiece);
  return pieces;
}

std::shared_ptr<const Tokenizer> with_marker(std::shared_ptr<const Tokenizer> tokenizer,
                                             const std::optional<std::string>& marker) {
  if (!marker) return tokenizer;
  return std::make_shared<const MarkedTokenizer>(std::move(tokenizer), *marker);
}

LineSource parts_of(const LineSource& lines, const std::optional<std::string>& marker) {
  if (!marker) return lines;
  return [lines, mark = *marker](const std::function<void(std::string_view)>& take) {
    lines([&](std::string_view line) { for_each_part(line, mark, take); });
  };
}

}  // namespace heed
