// Language of a line as a token, ">>code<<", before its text (OPUS-MT, M2M-100, NLLB, mBART-50) or behind
// it (mBART-cc25).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace heed {

struct LineLanguage {
  bool in_lines = false;    // true: a line may begin with the token of its language
  bool is_needed = false;   // true: a line without it is refused, unless a language is chosen
  std::string otherwise{};  // code of lines that do not begin with one; "": none
  bool is_in_text = false;  // whether the token is part of decoded text
  bool is_at_end = false;   // whether it stands behind </s>
  bool is_used() const { return in_lines || !otherwise.empty(); }
};

std::string language_piece(const std::string& code);  // ">>code<<"; of "" ""
// True for a language token with any code.
bool is_language_piece(std::string_view piece);
// True for letters, digits, _ and -, at least one.
bool is_language_code(std::string_view code);
// Language piece ">>code<<" at the beginning of the text, or "".
std::string_view first_language_piece(std::string_view text);
// Lists the first language tokens of a vocabulary for messages: ">>deu<< >>fra<< and 7 more". Returns ""
// without such tokens.
std::string language_codes_text(const Vocabulary& vocabulary);
// Codes of the languages in a vocabulary, in its order; without >>s<< and >>mask<<, which imports make of
// <s> and <mask>.
std::vector<std::string> language_codes(const Vocabulary& vocabulary);

// Adds the language to the pieces of another tokenizer.
class LanguageTokenizer final : public Tokenizer {
 public:
  LanguageTokenizer(std::shared_ptr<const Tokenizer> inner, LineLanguage language);
  // Throws Error(kData) for a line without a language that needs one.
  std::vector<std::string> encode(std::string_view line) const override;
  std::vector<std::string> encode_without_language(std::string_view text) const override {
    return inner_->encode(text);
  }
  std::vector<std::string> sample(std::string_view line, const SubwordRegularizationConfig& how,
                                  RandomStream& draws) const override;
  std::string decode(const std::vector<std::string>& pieces) const override;
  std::string joined(std::string_view line) const override { return inner_->joined(line); }
  bool lowers() const override { return inner_->lowers(); }
  std::string_view opening() const override;
  size_t closing() const override { return language_.is_at_end ? 2 : 0; }
  bool needs_language() const override { return language_.is_needed; }
  std::vector<std::string> words(std::string_view line) const override {
    return inner_->words(line);
  }
  std::string text_of(std::string_view piece) const override { return inner_->text_of(piece); }
  std::vector<std::string> own_pieces() const override { return inner_->own_pieces(); }
  void save(const std::filesystem::path& folder, const std::string& stem) const override {
    inner_->save(folder, stem);
  }
  const Tokenizer& inner() const { return *inner_; }
  const LineLanguage& language() const { return language_; }
  // The same with lines in the language of this code.
  std::shared_ptr<const Tokenizer> in_language(const std::string& code) const;

 protected:
  // The piece of a language has no text unless the text contains it.
  std::vector<std::string> texts_of(const std::vector<std::string>& pieces,
                                    std::string_view text) const override;

 private:
  template <class Encode>
  std::vector<std::string> encode_with_language(std::string_view line, Encode encode) const;

  std::shared_ptr<const Tokenizer> inner_;
  LineLanguage language_;
  std::string piece_;  // of `otherwise`
};

// Returns the tokenizer unchanged without a language.
std::shared_ptr<const Tokenizer> with_language(std::shared_ptr<const Tokenizer> tokenizer,
                                               const LineLanguage& language);

}  // namespace heed
