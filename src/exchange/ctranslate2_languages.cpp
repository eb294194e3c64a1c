#include "exchange/ctranslate2_vocabulary.h"

#include <algorithm>
#include <cctype>

#include "base/error.h"

namespace heed {

namespace {

bool has_form(const std::string& text, std::string_view form) {
  return text.size() == form.size() &&
         std::ranges::equal(text, form, [](unsigned char c, char wanted) {
           return wanted == 'a'   ? std::islower(c) != 0
                  : wanted == 'A' ? std::isupper(c) != 0
                                  : c == wanted;
         });
}

// Returns the code in __de__ (M2M-100), deu_Latn (NLLB), de_DE (mBART); "" for other tokens.
std::string code_of(const std::string& token) {
  if (token.size() > 4 && token.starts_with("__") && token.ends_with("__"))
    return token.substr(2, token.size() - 4);
  return has_form(token, "aaa_Aaaa") || has_form(token, "aa_AA") ? token : "";
}

// Makes a code of any token, such as 2de of <2de>.
std::string made_code(const std::string& token) {
  std::string code = code_of(token);
  if (!code.empty()) return code;
  std::ranges::copy_if(token, std::back_inserter(code), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
  return code;
}

class LanguageFinder {
 public:
  LanguageFinder(const CTranslate2Settings& settings, const CTranslate2Vocabularies& vocabularies)
      : settings_(settings), vocabularies_(vocabularies) {
    for (const std::string& token : vocabularies.target.tokens) {
      const std::string code = code_of(token);
      if (!code.empty()) tokens_.emplace(code, token);
    }
    // In models of Marian, which begin targets with an embedding of zeros, such tokens are text.
    const bool begins_with_end = !settings.begin || *settings.begin == settings.end;
    if (tokens_.size() < 2 || !begins_with_end || settings.begins_with_zero) tokens_.clear();
  }

  CTranslate2Languages find(const HfLanguages& chosen) {
    check(chosen);
    CTranslate2Languages found;
    for (const auto& [code, token] : tokens_) found.renamed[token] = name_of(code);
    // No part of a text, and no token of heed either.
    if (!tokens_.empty())
      found.renamed.insert({{"<s>", name_of("s")}, {"<mask>", name_of("mask")}});
    const std::string source = token_of(chosen.source, vocabularies_.source),
                      target = token_of(chosen.target, vocabularies_.target);
    for (const std::string& token : {source, target}) {
      if (!token.empty()) found.renamed[token] = name_of(made_code(token));
    }
    found.source = made_code(source);
    found.begin = settings_.begin.value_or(target);
    if (settings_.begin) found.target = made_code(target);
    return found;
  }

 private:
  static std::string name_of(const std::string& code) { return fmt::format(">>{}<<", code); }

  void check(const HfLanguages& chosen) const {
    std::vector<std::string> problems;
    const auto add = [&](const CTranslate2Side& side, const std::string& problem) {
      problems.push_back(tokens_.empty() ? fmt::format("{}: {}, expected a token of its vocabulary",
                                                       side.file.string(), problem)
                                         : problem);
    };
    const CTranslate2Side &source = vocabularies_.source, &target = vocabularies_.target;
    if (!tokens_.empty() && chosen.source.empty()) add(source, "--source-language is missing");
    if ((!tokens_.empty() || !settings_.begin) && chosen.target.empty())
      add(target, "--target-language is missing");
    for (const auto& [option, code, side] :
         {std::tuple{"--source-language", chosen.source, &source},
          {"--target-language", chosen.target, &target}}) {
      if (!code.empty() && made_code(token_of(code, *side)).empty())
        add(*side, fmt::format("{} is '{}'", option, code));
    }
    if (problems.empty()) return;
    if (tokens_.empty()) throw_error(ErrorKind::kUsage, "{}", fmt::join(problems, "; "));
    std::vector<std::string> codes;
    for (const auto& [code, token] : tokens_) codes.push_back(code);
    throw_error(ErrorKind::kUsage, "{}: {}, expected codes of its languages: {}",
                target.file.string(), fmt::join(problems, " and "), fmt::join(codes, " "));
  }
  // Finds the token of a code, or the token itself; "" if the model has neither. A model of many
  // languages has other tokens as text.
  std::string token_of(const std::string& word, const CTranslate2Side& side) const {
    const auto found = std::ranges::find_if(tokens_, [&word](const auto& language) {
      return language.first == word || language.second == word;
    });
    if (found == tokens_.end() && !tokens_.empty()) return "";
    const std::string token = found == tokens_.end() ? word : found->second;
    return std::ranges::find(side.tokens, token) == side.tokens.end() ? "" : token;
  }

  const CTranslate2Settings& settings_;
  const CTranslate2Vocabularies& vocabularies_;
  std::map<std::string, std::string> tokens_;  // by code; none: no model of many languages
};

}  // namespace

CTranslate2Languages find_ctranslate2_languages(const CTranslate2Settings& settings,
                                                const CTranslate2Vocabularies& vocabularies,
                                                const HfLanguages& chosen) {
  return LanguageFinder(settings, vocabularies).find(chosen);
}

}  // namespace heed
