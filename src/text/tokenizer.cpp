#include "text/tokenizer.h"

#include "base/utf8.h"

namespace heed {

std::string Tokenizer::written(std::string_view line) const {
  std::string text = joined(line);
  return lowers() ? lower_case(text) : text;
}

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

void VocabularyConfig::fields(Fields& f) const {
  f.path("file", file,
         "vocabulary file to load, one token a line, in the order of the ids; nothing is counted "
         "then");
  f.field("max_size", max_size, kPositive,
          "maximum vocabulary size: the most frequent tokens, without the four special ones");
  f.field("min_count", min_count, kPositive, "minimum number of occurrences of a token");
}

void VocabularyConfig::validate(Problems& problems) const {
  if (!file) return;
  if (max_size) problems.add("max_size", "has no effect with a vocabulary file; leave it out");
  if (min_count != 1) {
    problems.add("min_count", "has no effect with a vocabulary file; leave it out");
  }
}

void TokenizerConfig::take_files(const std::filesystem::path& folder, const std::string& stem) {
  VocabularyConfig& vocabulary = *vocabulary_config();
  vocabulary = {};
  vocabulary.file = (folder / (stem + ".vocabulary")).string();
}

// A side that shares has no other keys, so that a key beside `share` is refused and none is
// written.
void TokenizerConfig::fields(Fields& f) const {
  f.field("share", share,
          "use tokenizer and vocabulary of this other text (source, target or the name of a "
          "source), trained on both; excludes all other keys");
  if (share) return;
  own_fields(f);
  f.field("lower", lower, "lower-case the text, and the references of validation and test sets");
  f.field("marker", marker,
          "separator between the sentences of a line, such as \"\\t\"; a token of its own");
}

void TokenizerConfig::validate(Problems& problems) const {
  if (marker && marker->empty()) problems.add("marker", "is empty; leave it out");
}

}  // namespace heed
