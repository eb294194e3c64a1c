#include "text/marker.h"

#include <algorithm>
#include <functional>
#include <iterator>

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

// What `encode` makes of the parts, with a mark between them.
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

}  // namespace

std::vector<std::string> MarkedTokenizer::encode(std::string_view line) const {
  return mark_parts(line, marker_, [this](std::string_view part) { return inner_->encode(part); });
}

std::vector<std::string> MarkedTokenizer::sample(std::string_view line,
                                                 const SubwordRegularization& how,
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

bool MarkedTokenizer::begins_word(std::string_view piece) const {
  return piece == kMarkerPiece || inner_->begins_word(piece);
}

std::vector<int64_t> MarkedTokenizer::words_of(const std::vector<std::string>& pieces) const {
  std::vector<int64_t> words;
  int64_t next = 0;
  for (auto begin = pieces.begin(); begin != pieces.end();) {
    const auto end = std::find(begin, pieces.end(), kMarkerPiece);
    const int64_t first = next;
    for (const int64_t word : inner_->words_of({begin, end})) {
      words.push_back(first + word);
      next = words.back() + 1;
    }
    begin = end;
    if (begin == pieces.end()) break;
    words.push_back(is_word() ? next++ : kNoWord);
    ++begin;
  }
  return words;
}

int64_t MarkedTokenizer::count_words(std::string_view line) const {
  int64_t words = 0, parts = 0;
  for_each_part(line, marker_, [&](std::string_view part) {
    const int64_t own = inner_->count_words(part);
    words += own;
    parts += own > 0 ? 1 : 0;
  });
  return words + (is_word() ? std::max<int64_t>(parts - 1, 0) : 0);
}

bool MarkedTokenizer::is_word() const {
  return marker_.find_first_not_of(" \t") != std::string::npos;
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
