#include "data/word_pairs.h"

#include <algorithm>

#include "base/error.h"
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

// What is wrong with this word; "": nothing.
std::string fault_of_position(int64_t word, const WordPieces& sentence) {
  if (word < std::ssize(sentence.of)) return "";
  return sentence.of.empty()
             ? sentence.name + " has no words"
             : fmt::format("the last word of {} is {}", sentence.name, sentence.of.size() - 1);
}

void check_positions(const WordPair& pair, const WordPieces& first, const WordPieces& second,
                     const PairWords& words, const std::string& place) {
  std::string fault = fault_of_position(pair.first, first);
  if (fault.empty()) fault = fault_of_position(pair.second, second);
  if (fault.empty()) return;
  throw_error(ErrorKind::kData, "{}: {} {}-{}, but {}", place, words.name, pair.first, pair.second,
              fault);
}

using Words = std::vector<std::vector<int64_t>>;

// The pieces of each word that the tokenizer sees.
Words words_seen(const SentenceText& sentence) {
  const std::vector<int64_t> numbers = sentence.tokenizer.words_of(sentence.pieces);
  Words words(numbers.empty() ? 0 : static_cast<size_t>(std::ranges::max(numbers)) + 1);
  for (size_t p = 0; p < numbers.size(); ++p) {
    if (numbers[p] != kNoWord)
      words[static_cast<size_t>(numbers[p])].push_back(static_cast<int64_t>(p));
  }
  return words;
}

}  // namespace

bool has_words(const SentenceText& sentence) {
  return std::ssize(words_seen(sentence)) == sentence.tokenizer.count_words(sentence.text);
}

WordPieces word_pieces(const SentenceText& sentence, const std::string& place) {
  const int64_t written = sentence.tokenizer.count_words(sentence.text);
  WordPieces pieces{sentence.name, words_seen(sentence)};
  if (std::ssize(pieces.of) != written) {
    throw_error(ErrorKind::kData,
                "{}: {} has {} words by spaces, {} by the tokenizer; remove unusual whitespace "
                "there",
                place, sentence.name, written, pieces.of.size());
  }
  return pieces;
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
