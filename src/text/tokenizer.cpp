#include "text/tokenizer.h"

#include "base/utf8.h"

namespace heed {

std::vector<int64_t> Tokenizer::words_of(const std::vector<std::string>& pieces) const {
  std::vector<int64_t> words;
  words.reserve(pieces.size());
  int64_t word = -1;
  for (const std::string& piece : pieces) {
    if (word < 0 || begins_word(piece)) ++word;
    words.push_back(word);
  }
  return words;
}

int64_t Tokenizer::count_words(std::string_view line) const {
  return static_cast<int64_t>(split_words(line).size());
}

void VocabularyConfig::fields(Fields& f) {
  f.path("file", file, "one piece a line, in the order of the ids; nothing is counted then");
  f.field("max_size", max_size, kPositive,
          "how many pieces get an id, the most frequent first, besides the four special ones");
  f.field("min_count", min_count, kPositive, "how often a piece must occur to get an id");
}

void VocabularyConfig::validate(Problems& problems) const {
  if (!file) return;
  if (max_size) problems.add("max_size", "a vocabulary from a file is taken whole; leave this out");
  if (min_count != 1) {
    problems.add("min_count", "a vocabulary from a file is taken whole; leave this out");
  }
}

// A side that shares has no other keys, so that a key beside `share` is refused and none is
// written.
void TokenizerConfig::fields(Fields& f) {
  f.field("share", share,
          "the side whose tokenizer and vocabulary this one uses too, learned from both; no other "
          "key may stand beside it");
  if (share) return;
  own_fields(f);
  f.field("lower", lower, "lower-case the text first");
  f.field("marker", marker,
          "what stands between the sentences of a line, such as \"\\t\": a piece of its own");
}

void TokenizerConfig::validate(Problems& problems) const {
  if (marker && marker->empty()) problems.add("marker", "is empty; leave it out");
}

}  // namespace heed
