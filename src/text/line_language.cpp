#include "text/line_language.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "base/error.h"
#include "text/line.h"

namespace heed {

namespace {

using Pieces = std::vector<std::string>;

constexpr std::string_view kEndPiece = "</s>";

}  // namespace

std::string language_piece(const std::string& code) {
  return code.empty() ? "" : fmt::format(">>{}<<", code);
}

bool is_language_piece(std::string_view piece) {
  return piece.starts_with(">>") && piece.ends_with("<<");
}

bool is_language_code(std::string_view code) {
  return !code.empty() && std::ranges::all_of(code, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
}

std::string_view first_language_piece(std::string_view text) {
  const size_t end = text.starts_with(">>") ? text.find("<<") : std::string_view::npos;
  const bool is_there = end != std::string_view::npos && is_language_code(text.substr(2, end - 2));
  return is_there ? text.substr(0, end + 2) : std::string_view();
}

std::string language_codes_text(const Vocabulary& vocabulary) {
  constexpr size_t kShown = 5;
  Pieces codes;
  for (const std::string& code : language_codes(vocabulary)) codes.push_back(language_piece(code));
  const size_t rest = codes.size() - std::min(codes.size(), kShown);
  codes.resize(codes.size() - rest);
  return fmt::format("{}{}", fmt::join(codes, " "),
                     rest > 0 ? fmt::format(" and {} more", rest) : "");
}

std::vector<std::string> language_codes(const Vocabulary& vocabulary) {
  constexpr size_t kMarks = 2;  // ">>" and "<<"
  Pieces codes;
  for (int32_t id = kSpecials; id < vocabulary.size(); ++id) {
    const std::string& piece = vocabulary.piece(id);
    if (piece.empty() || first_language_piece(piece) != piece) continue;
    const std::string code = piece.substr(kMarks, piece.size() - 2 * kMarks);
    if (code != "s" && code != "mask") codes.push_back(code);
  }
  return codes;
}

LanguageTokenizer::LanguageTokenizer(std::shared_ptr<const Tokenizer> inner, LineLanguage language)
    : inner_(std::move(inner)),
      language_(std::move(language)),
      piece_(language_piece(language_.otherwise)) {
  set_word_unit(inner_->word_unit());
}

template <class Encode>
Pieces LanguageTokenizer::encode_with_language(std::string_view line, Encode encode) const {
  const std::string text = prepare_line(line, lowers());
  std::string_view piece = language_.in_lines ? first_language_piece(text) : std::string_view();
  Pieces pieces = encode(std::string_view(text).substr(piece.size()));
  if (piece.empty() && !pieces.empty()) {
    if (language_.is_needed)
      throw Error(ErrorKind::kData,
                  "a line does not name its language, which the model does not know; expected its "
                  "token, such as >>eng_Latn<<, at the beginning of the line, or a language for "
                  "all lines (--source-language, --target-language)");
    piece = piece_;
  }
  if (piece.empty()) return pieces;
  if (!language_.is_at_end) {
    pieces.insert(pieces.begin(), std::string(piece));
    return pieces;
  }
  pieces.emplace_back(kEndPiece);
  pieces.emplace_back(piece);
  return pieces;
}

Pieces LanguageTokenizer::encode(std::string_view line) const {
  return encode_with_language(line, [this](std::string_view text) { return inner_->encode(text); });
}

Pieces LanguageTokenizer::sample(std::string_view line, const SubwordRegularizationConfig& how,
                                 RandomStream& draws) const {
  return encode_with_language(
      line, [&](std::string_view text) { return inner_->sample(text, how, draws); });
}

std::string LanguageTokenizer::decode(const Pieces& pieces) const {
  if (language_.is_in_text) return inner_->decode(pieces);
  Pieces text;
  std::ranges::remove_copy_if(pieces, std::back_inserter(text), is_language_piece);
  return inner_->decode(text);
}

std::string_view LanguageTokenizer::opening() const {
  return language_.is_at_end ? std::string_view() : piece_;
}

Pieces LanguageTokenizer::texts_of(const Pieces& pieces, std::string_view text) const {
  Pieces texts = Tokenizer::texts_of(pieces, text);
  if (language_.is_in_text) return texts;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (is_language_piece(pieces[i]) && text.find(pieces[i]) == std::string_view::npos)
      texts[i].clear();
  }
  const bool is_closed =
      closing() > 0 && texts.size() >= closing() && is_language_piece(pieces.back());
  for (size_t i = 0; is_closed && i < closing(); ++i) texts[texts.size() - 1 - i].clear();
  return texts;
}

std::shared_ptr<const Tokenizer> LanguageTokenizer::in_language(const std::string& code) const {
  LineLanguage own = language_;
  own.otherwise = code;
  own.is_needed = own.is_in_text = false;
  return std::make_shared<const LanguageTokenizer>(inner_, std::move(own));
}

std::shared_ptr<const Tokenizer> with_language(std::shared_ptr<const Tokenizer> tokenizer,
                                               const LineLanguage& language) {
  if (!language.is_used()) return tokenizer;
  return std::make_shared<const LanguageTokenizer>(std::move(tokenizer), language);
}

}  // namespace heed
