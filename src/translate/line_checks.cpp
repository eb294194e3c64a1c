#include "translate/line_checks.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/unicode/unicode.h"
#include "base/unspaced.h"
#include "base/utf8.h"
#include "data/target_words.h"
#include "markup/text_units.h"
#include "text/line_language.h"
#include "translate/repetition.h"

namespace heed {

namespace {

// The unknown tokens of a line if they are most of it: a text in another language or tokenized in
// another way than in the training; else 0. A few words may all be names.
int64_t count_mostly_unknown(const Ids& ids) {
  constexpr size_t kFew = 4;
  const auto unknown = std::ranges::count(ids, kUnknown);
  return ids.size() >= kFew && unknown * 2 > std::ssize(ids) ? unknown : 0;
}

// The first few of the tokens that are unknown: "☃ ☂".
std::string unknown_tokens_of(const Ids& ids, const std::vector<std::string>& pieces) {
  constexpr size_t kShown = 5;
  std::set<std::string> known;
  std::vector<std::string> shown;
  for (size_t i = 0; i < ids.size() && shown.size() < kShown; ++i)
    if (ids[i] == kUnknown && known.insert(pieces[i]).second) shown.push_back(pieces[i]);
  return fmt::format("{}", fmt::join(shown, " "));
}

// Warns of a code such as >>ger<< that is none of the model's, such as >>deu<<.
void check_language_code(const Codec& codec, const Ids& ids, const std::vector<std::string>& pieces,
                         WarningList& warnings) {
  const size_t at = codec.tokenizer().closing() > 0 && !ids.empty() ? ids.size() - 1 : 0;
  if (ids.empty() || ids[at] != kUnknown || !is_language_piece(pieces[at])) return;
  const std::string_view own = codec.tokenizer().opening();
  const std::string known =
      own.empty() ? language_codes_text(codec.vocabulary()) : fmt::format("{} or none", own);
  if (!known.empty())
    warnings.push_back(
        {WarningKind::kUnknown,
         fmt::format("a language code that the model does not have, read as <unk>; expected {}",
                     known),
         pieces[at]});
}

void check_tokens(const TextModel& model, const std::string& text, const EncodedLine& encoded,
                  bool unknown_is_rare, WarningList& warnings) {
  const Ids& ids = encoded.example.sources.at(model.aligned);
  if (const int64_t words = count_target_words(text, model.target_words); words > 0) {
    warnings.push_back({WarningKind::kTargetLanguage,
                        "looks like the model's target language, expected its source language",
                        fmt::format("{} words", words)});
  } else if (model.copies) {
    return;
  } else if (const int64_t unknown = count_mostly_unknown(ids); unknown > 0) {
    warnings.push_back({WarningKind::kUnknown,
                        "mostly words that the model does not know; expected its source language, "
                        "tokenized as its training data",
                        fmt::format("{} of {} tokens", unknown, ids.size())});
  } else if (unknown_is_rare && std::ranges::count(ids, kUnknown) > 0) {
    warnings.push_back(
        {WarningKind::kUnknown,
         "words or characters that the model does not know, which hardly a line of its "
         "training data has",
         unknown_tokens_of(ids, encoded.pieces.at(model.aligned))});
  }
}

std::vector<std::string> words_with_letters(const std::string& text) {
  const auto has_letter = [](const std::string& word) {
    for (size_t at = 0; at < word.size();) {
      const auto c = next_code_point(word, at);
      if (c && is_of_kind(*c, CharacterKind::kLetter)) return true;
    }
    return false;
  };
  std::vector<std::string> words = unit_texts(text, units_of(text));
  std::erase_if(words, [&](const std::string& word) { return !has_letter(word); });
  return words;
}

void check_letters(const SourceFacts& facts, const LineProperties& own, WarningList& warnings) {
  const auto warn = [&](bool is_so, const std::optional<double>& share, const char* what) {
    if (is_so && is_rare(share))
      warnings.push_back({WarningKind::kSourceUnlike,
                          fmt::format("{}, as hardly a line of the training data; translations may "
                                      "be poor",
                                      what)});
    return is_so && is_rare(share);
  };
  if (!warn(own.all_capitals, facts.all_capitals, "all in capital letters"))
    warn(own.first_capital, facts.first_capital, "begins with a capital letter");
  warn(own.first_small, facts.first_small, "begins with a small letter");
  warn(own.inline_tags, facts.inline_tags, "has tags such as <b>");
}

}  // namespace

void check_positions(WarningKind kind, const char* side, int64_t tokens,
                     const std::optional<int64_t>& positions, WarningList& warnings) {
  if (!positions || tokens <= *positions) return;
  warnings.push_back({kind,
                      fmt::format("{} longer than the model's table of {} positions: later tokens "
                                  "share the last one, the result may be poor",
                                  side, *positions),
                      fmt::format("{} tokens", tokens)});
}

void check_tabs(std::string_view text, WarningList& warnings) {
  if (text.find('\t') == std::string_view::npos) return;
  warnings.push_back({WarningKind::kTab,
                      "a tab in the line (if this is a table, take its source column out: cut -f1 "
                      "FILE > NEW)"});
}

void check_line(const TextModel& model, const SourceLine& line, const EncodedLine& encoded,
                WarningList& warnings) {
  if (model.sources.empty()) return;
  if (model.scored_positions && encoded.length() > *model.scored_positions)
    warnings.push_back({WarningKind::kSourceLong,
                        fmt::format("source longer than the {} positions of score: "
                                    "location_based, later tokens are not read",
                                    *model.scored_positions),
                        fmt::format("{} tokens", encoded.length())});
  const std::string& text = line.at(model.aligned);
  const Codec& codec = model.aligned_codec();
  if (!codec.marker()) check_tabs(text, warnings);
  if (const int64_t empty = codec.tokenizer().empty_parts(text); empty > 0)
    warnings.push_back({WarningKind::kEmptyParts, "empty parts between markers, which are left out",
                        fmt::format("{} parts", empty)});
  const SourceFacts facts = model.source_lines.value_or(SourceFacts());
  const Ids& ids = encoded.example.sources.at(model.aligned);
  check_language_code(codec, ids, encoded.pieces.at(model.aligned), warnings);
  check_tokens(model, text, encoded, is_rare(facts.unknown_tokens), warnings);
  if (!model.source_lines) return;
  check_letters(facts, properties_of(text, ids, codec), warnings);
}

void check_target(const Ids& target, const std::vector<std::string>& pieces,
                  WarningList& warnings) {
  Ids written = target;
  for (size_t i = 0; i < target.size(); ++i)
    if (pieces[i] == kUnknownPiece) written[i] = kEnd;
  if (const std::string unknown = unknown_tokens_of(written, pieces); !unknown.empty())
    warnings.push_back({WarningKind::kUnknown,
                        "tokens of the target that the model does not know have the probability of "
                        "<unk>",
                        unknown});
}

void check_copy(const TextModel& model, const EncodedLine& source, const std::string& target,
                WarningList& warnings) {
  // The words of a training between two languages are known.
  if (model.copies || model.target_words.empty()) return;
  const std::string text = lower_case(replace_malformed(source.texts.at(model.aligned)));
  const std::vector<std::string> words = words_with_letters(text);
  constexpr size_t kFew = 4;
  if (words.size() >= kFew && words == words_with_letters(lower_case(target)))
    warnings.push_back({WarningKind::kCopied, "the translation is the source itself",
                        fmt::format("{} words", words.size())});
}

void check_repetition(const TextModel& model, const EncodedLine& source, const std::string& target,
                      WarningList& warnings) {
  const std::string& text = source.texts.at(model.aligned);
  Repetition found = find_repetition(model.aligned_codec().tokenizer().words(text),
                                     model.target_codec().tokenizer().words(target),
                                     count_scripts(target).is_unspaced());
  if (found.count == 0) found = find_character_run(replace_malformed(text), target);
  if (found.count > 0)
    warnings.push_back({WarningKind::kRepeated,
                        "the translation repeats itself; no_repeat_ngram or repetition_penalty may "
                        "help",
                        fmt::format("'{}' {} times", found.words, found.count)});
}

}  // namespace heed
