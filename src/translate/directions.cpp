#include "translate/directions.h"

#include <algorithm>

#include "base/error.h"
#include "base/language_code.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "text/line_language.h"

namespace heed {

namespace {

using Codes = std::vector<std::string>;

// The tokenizer of a side whose lines may begin with their language; nullptr for others.
const LanguageTokenizer* language_tokenizer_of(const Codec& codec) {
  const auto* tokenizer = dynamic_cast<const LanguageTokenizer*>(&codec.tokenizer());
  return tokenizer != nullptr && tokenizer->language().in_lines ? tokenizer : nullptr;
}

// False for lines whose text has the token (OPUS-MT).
bool names_own_language(const Codec& codec) {
  const LanguageTokenizer* tokenizer = language_tokenizer_of(codec);
  return tokenizer != nullptr && !tokenizer->language().is_in_text;
}

std::string code_among(const std::string& code, const Codes& codes, const char* place) {
  if (codes.empty())
    throw_error(ErrorKind::kUsage, "{}found {}, but the model has no choice of it; leave it out",
                place, code);
  if (std::ranges::count(codes, code) > 0) return code;
  Codes found;
  const std::string language = language_code(code);
  std::ranges::copy_if(codes, std::back_inserter(found), [&](const std::string& one) {
    return !language.empty() && language_code(one) == language;
  });
  if (found.size() == 1) return found.front();
  if (found.size() > 1)
    throw_error(ErrorKind::kUsage, "{}'{}' stands for several languages of the model: {}", place,
                code, fmt::join(found, ", "));
  throw_error(ErrorKind::kUsage, "{}found '{}', expected a language of the model{}: {}", place,
              code, did_you_mean(code, codes), fmt::join(codes, " "));
}

std::shared_ptr<const Codec> in_language(const std::shared_ptr<const Codec>& codec,
                                         const std::string& code) {
  return std::make_shared<const Codec>(language_tokenizer_of(*codec)->in_language(code),
                                       codec->shared_vocabulary());
}

}  // namespace

Directions::Directions(const TextModel& model) : model_(model) {
  if (model.sources.size() != 1) return;
  const Codec &source = model.aligned_codec(), &target = model.target_codec();
  target_is_in_source_ = language_tokenizer_of(source) != nullptr && !names_own_language(source);
  if (names_own_language(source)) sources_ = language_codes(source.vocabulary());
  if (names_own_language(target)) targets_ = language_codes(target.vocabulary());
  if (target_is_in_source_) targets_ = language_codes(source.vocabulary());
  needs_source_ = source.tokenizer().needs_language();
  needs_target_ = target.tokenizer().needs_language();
}

std::string Directions::source(const std::string& code, const char* place) const {
  return code_among(code, sources_, place);
}

std::string Directions::target(const std::string& code, const char* place) const {
  return code_among(code, targets_, place);
}

TextModel Directions::choose(const Direction& direction) const {
  TextModel model = model_;
  if (!direction.source.empty()) {
    const std::string code = source(direction.source);
    auto& codec = model.codecs.at(model.sources.front());
    codec = in_language(codec, code);
    model.source_language = language_code(code);
  }
  if (!direction.target.empty()) {
    const std::string code = target(direction.target);
    auto& codec =
        model.codecs.at(target_is_in_source_ ? model.sources.front() : std::string(kTargetSide));
    codec = in_language(codec, code);
    model.target_language = language_code(code);
  }
  return model;
}

std::string target_language_in(const TextModel& model, std::string_view prefix) {
  return std::string(names_own_language(model.target_codec()) ? first_language_piece(prefix)
                                                              : std::string_view());
}

LineLanguages languages_in(const TextModel& model, const std::string& line) {
  LineLanguages languages{.source = "", .target = "", .text = line};
  if (model.sources.size() != 1 || !names_own_language(model.aligned_codec())) return languages;
  languages.source = first_language_piece(line);
  if (languages.source.empty() || !names_own_language(model.target_codec())) return languages;
  const size_t second = line.find_first_not_of(' ', languages.source.size());
  if (second == std::string::npos) return languages;
  languages.target = first_language_piece(std::string_view(line).substr(second));
  if (!languages.target.empty()) languages.text.erase(second, languages.target.size());
  return languages;
}

}  // namespace heed
