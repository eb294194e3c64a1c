#include "data/word_pairs.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "base/word_pair.h"

namespace heed {

namespace {

std::vector<WordPair> parse_pairs(std::string_view line, const PairWords& words,
                                  const std::string& place) {
  constexpr std::string_view kSpaces = " \t\r";
  std::vector<WordPair> pairs;
  for (size_t begin = line.find_first_not_of(kSpaces); begin != std::string_view::npos;) {
    const size_t end = std::min(line.find_first_of(kSpaces, begin), line.size());
    const std::string_view text = line.substr(begin, end - begin);
    const auto pair = parse_word_pair(text);
    if (!pair) {
      throw_error(ErrorKind::kData,
                  "{}: '{}' is not {}; expected word positions from 0, such as {}", place, text,
                  words.one, words.example);
    }
    pairs.push_back(*pair);
    begin = line.find_first_not_of(kSpaces, end);
  }
  return pairs;
}

// Reason why this word position is wrong; "" if it is right.
std::string fault_of_position(int64_t word, const WordPieces& sentence) {
  if (word < std::ssize(sentence.of)) return "";
  return sentence.of.empty() ? sentence.name + " has no words"
                             : fmt::format("the last word of {} is {}{}", sentence.name,
                                           sentence.of.size() - 1, sentence.note);
}

void check_positions(const WordPair& pair, const WordPieces& first, const WordPieces& second,
                     const PairWords& words, const std::string& place) {
  std::string fault = fault_of_position(pair.first, first);
  if (fault.empty()) fault = fault_of_position(pair.second, second);
  if (fault.empty()) return;
  throw_error(ErrorKind::kData, "{}: {} {}-{}, but {}", place, words.name, pair.first, pair.second,
              fault);
}

}  // namespace

std::string count_note(const SentenceText& sentence) {
  const auto parts = std::ssize(split_words(sentence.text));
  const auto words = sentence.tokenizer.count_words(sentence.text);
  if (parts > words)
    return fmt::format(
        " ({} parts between spaces, which `join` makes {} words: count words of the text without "
        "the joiner)",
        parts, words);
  return parts < words
             ? fmt::format(" ({} between spaces; `heed tokenize --words` shows the words)", parts)
             : "";
}

WordPieces word_pieces(const SentenceText& sentence) {
  const Tokenizer& tokenizer = sentence.tokenizer;
  WordPieces words{sentence.name, {}, count_note(sentence)};
  words.of.resize(static_cast<size_t>(tokenizer.count_words(sentence.text)));
  const PieceWords of_pieces = tokenizer.piece_words(sentence.text, sentence.pieces);
  for (size_t p = 0; p < of_pieces.size(); ++p) {
    for (int64_t word = of_pieces[p].begin; word < of_pieces[p].end; ++word)
      words.of[static_cast<size_t>(word)].push_back(static_cast<int64_t>(p));
  }
  return words;
}

PiecePairs read_word_pairs(std::string_view line, const WordPieces& first, const WordPieces& second,
                           const PairWords& words, const std::string& place) {
  PiecePairs pairs;
  for (const WordPair& pair : parse_pairs(line, words, place)) {
    check_positions(pair, first, second, words, place);
    for (const int64_t i : first.of[static_cast<size_t>(pair.first)]) {
      for (const int64_t j : second.of[static_cast<size_t>(pair.second)]) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

}  // namespace heed
