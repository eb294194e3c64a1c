#include "text/tokenizer.h"

#include "base/line_separators.h"
#include "base/utf8.h"
#include "text/line.h"
#include "text/line_language.h"

namespace heed {

std::string Tokenizer::written(std::string_view line) const {
  std::string text = on_one_line(joined(line));
  return lowers() ? lower_case(text) : text;
}

std::vector<std::string> Tokenizer::words(std::string_view line) const {
  return split_words(prepare_line(line, lowers()), word_unit_);
}

PieceWords Tokenizer::piece_words(std::string_view line,
                                  const std::vector<std::string>& pieces) const {
  const WordUnit unit = unit_of(word_unit_, prepare_line(line, lowers()));
  const std::vector<std::string> texts = texts_of(pieces, line);
  std::vector<std::string> own = words(line);
  if (has_text_of(texts, own, unit)) return find_words(texts, own, unit);
  // Pieces hold normalized text, so the text of each word alone shows where it ends.
  for (std::string& word : own) {
    std::string text;
    for (const std::string& part : texts_of(encode_without_language(word), word)) text += part;
    word = std::move(text);
  }
  return find_words(texts, own, unit);
}

PieceWords Tokenizer::written_words(const std::vector<std::string>& pieces) const {
  const std::string text = on_one_line(decode(pieces));
  const WordUnit unit = unit_of(word_unit_, text);
  return find_words(texts_of(pieces, text), split_words(text, unit), unit);
}

std::vector<std::string> Tokenizer::texts_of(const std::vector<std::string>& pieces,
                                             std::string_view) const {
  std::vector<std::string> texts;
  texts.reserve(pieces.size());
  for (const std::string& piece : pieces) texts.push_back(text_of(piece));
  return texts;
}

void VocabularyConfig::fields(Fields& f) {
  f.path("file", file, PathRoot::kConfigFolder,
         "vocabulary file to load, one token a line, in the order of the ids; nothing is counted "
         "then");
  f.field("max_size", max_size, kPositive,
          "maximum vocabulary size: the most frequent tokens, without the four special ones");
  f.field("min_count", min_count, kPositive, "minimum number of occurrences of a token");
  f.peers("file",
          {.joeynmt = "data.src.voc_file", .opennmt = "src_vocab, tgt_vocab", .marian = "vocabs"});
  f.peers("max_size", {.joeynmt = "data.src.voc_limit",
                       .opennmt = "src_vocab_size, tgt_vocab_size",
                       .marian = "dim-vocabs",
                       .also = "vocab_size"});
  f.peers("min_count", {.joeynmt = "data.src.voc_min_freq",
                        .opennmt = "src_words_min_frequency, tgt_words_min_frequency"});
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

LineLanguage TokenizerConfig::line_language() const { return {}; }

// Lists only `share` for a side that shares, so other keys beside it are refused and none is
// written.
void TokenizerConfig::fields(Fields& f) {
  f.field("share", share,
          "use tokenizer and vocabulary of this other text (source, target or the name of a "
          "source), trained on both; excludes all other keys");
  f.peers("share: source",
          {.opennmt = "share_vocab", .marian = "(the same file twice in `vocabs`)"});
  if (share) return;
  own_fields(f);
  f.field("lower", lower, "lower-case the text, and the references of validation and test sets");
  f.field("marker", marker,
          "separator between the sentences of a line, such as \"\\t\"; a separate token");
  if (vocabulary_config() != nullptr)
    f.field("features", features,
            "characters that separate feature labels: a line may have labels behind a tab, such as "
            "`V;PST`, and each is a token; ~: a tab is white space");
}

void TokenizerConfig::validate(Problems& problems) const {
  if (marker && marker->empty()) problems.add("marker", "is empty; leave it out");
  if (features && features->empty())
    problems.add("features", "is empty, expected the characters between labels, such as \";\"");
  if (features && marker && marker->find('\t') != std::string::npos)
    problems.add("marker", "holds a tab, behind which `features` expects labels; use another");
}

}  // namespace heed
