// Words between spaces, for text that was tokenised elsewhere.
//
// With `join: '@@ '` a piece that ends in "@@" is written together with the next one, which undoes
// the segmentation of subword-nmt (Sennrich et al. 2016), as `sed -r 's/(@@ )|(@@ ?$)//g'` does.
#pragma once

#include <memory>
#include <string>

#include "text/tokenizer.h"

namespace heed {

class WordTokenizer final : public Tokenizer {
 public:
  // joiner: the sign at the end of a piece that the next one continues ("@@"), or "".
  WordTokenizer(std::string joiner, bool lower) : joiner_(std::move(joiner)), lower_(lower) {
    set_word_unit(WordUnit::kSpaces);
  }
  std::vector<std::string> encode(std::string_view line) const override;
  std::string decode(const std::vector<std::string>& pieces) const override;
  std::string joined(std::string_view line) const override;
  bool lowers() const override { return lower_; }
  // Pieces that are joined are one word.
  std::vector<std::string> words(std::string_view line) const override;
  std::string text_of(std::string_view piece) const override;

 private:
  bool is_continued(std::string_view piece) const {
    return !joiner_.empty() && piece.ends_with(joiner_);
  }
  std::string joiner_;
  bool lower_;
};

struct WordsConfig final : TokenizerConfig {
  std::string join;
  VocabularyConfig vocabulary;
  void own_fields(Fields& f) override;
  const char* unit() const override { return "words"; }
  bool splits_at_spaces() const override { return true; }
  void validate(Problems& problems) const override;
  std::shared_ptr<Tokenizer> make(const LineSource& lines, uint64_t seed) const override;
  std::shared_ptr<Tokenizer> load(const std::filesystem::path& folder,
                                  const std::string& stem) const override;
  VocabularyConfig* vocabulary_config() override { return &vocabulary; }
};

}  // namespace heed
