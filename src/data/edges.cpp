#include "data/edges.h"

#include <algorithm>

#include "base/error.h"
#include "base/word_pair.h"

namespace heed {

namespace {

Edges parse_line(std::string_view line, const std::string& place) {
  constexpr std::string_view kSpaces = " \t\r";
  Edges edges;
  for (size_t begin = line.find_first_not_of(kSpaces); begin != std::string_view::npos;) {
    const size_t end = std::min(line.find_first_of(kSpaces, begin), line.size());
    const std::string_view text = line.substr(begin, end - begin);
    const auto edge = parse_word_pair(text);
    if (!edge) {
      throw_error(ErrorKind::kData,
                  "{}: '{}' is not an edge; expected word positions from 0, such as 0-3: word 0 "
                  "attends to word 3",
                  place, text);
    }
    edges.emplace_back(edge->first, edge->second);
    begin = line.find_first_not_of(kSpaces, end);
  }
  return edges;
}

}  // namespace

Edges read_edges(std::string_view line, std::string_view text,
                 const std::vector<std::string>& pieces, const Tokenizer& tokenizer,
                 const std::string& place) {
  const std::vector<int64_t> words = tokenizer.words_of(pieces);
  const int64_t count = words.empty() ? 0 : words.back() + 1;
  if (const int64_t written = tokenizer.count_words(text); written != count) {
    throw_error(ErrorKind::kData,
                "{}: {} words by spaces, {} by the tokenizer; remove unusual whitespace", place,
                written, count);
  }
  std::vector<std::vector<int64_t>> pieces_of(static_cast<size_t>(count));
  for (size_t p = 0; p < words.size(); ++p) pieces_of[words[p]].push_back(static_cast<int64_t>(p));
  Edges edges;
  for (const auto& [from, to] : parse_line(line, place)) {
    if (std::max(from, to) >= count) {
      throw_error(ErrorKind::kData, "{}: edge {}-{}, but {}", place, from, to,
                  count == 0 ? "the sentence has no words"
                             : fmt::format("the last word of the sentence is {}", count - 1));
    }
    for (const int64_t i : pieces_of[from]) {
      for (const int64_t j : pieces_of[to]) edges.emplace_back(i, j);
    }
  }
  return edges;
}

}  // namespace heed
