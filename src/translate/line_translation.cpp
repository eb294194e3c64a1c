#include "translate/line_translation.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "search/phrases.h"
#include "text/line_language.h"
#include "translate/directions.h"
#include "translate/line_checks.h"
#include "translate/phrase_forms.h"
#include "translate/search_overrides.h"

namespace heed {

namespace {

// Lines of a file are fewer than 2 to the power of it, so that sentences have other numbers.
constexpr int kSentenceBits = 40;

std::vector<RequiredPhrase> required_of(const LineInput& input) {
  std::vector<RequiredPhrase> all = input.phrases;
  for (const RequiredTerm& term : input.terms)
    if (!term.phrase.forms.empty()) all.push_back(term.phrase);
  return all;
}

// All of them are decoded, one by one.
void expect_few_given(const LineInput& input, int64_t most) {
  int64_t tokens = std::ssize(input.prefix);
  for (const RequiredPhrase& phrase : required_of(input)) tokens += phrase.longest();
  if (tokens > most)
    throw_error(
        ErrorKind::kData,
        "line {}: its prefix and the phrases that it has to contain have {} tokens, expected "
        "at most {}, as of a source (max_source_length); shorten them",
        input.number, format_count(tokens), format_count(most));
}

}  // namespace

LineInput LineTranslation::read(const SourceLine& line, int64_t number,
                                const LexicalConstraints& constraints, int64_t sentence) const {
  LineInput input = encode(line, number);
  input.sentence = sentence;
  take(constraints, input);
  return input;
}

LineInput LineTranslation::encode(const SourceLine& line, int64_t number) const {
  WarningList warnings;
  SourceLine text;
  for (const std::string& part : line) text.push_back(well_formed(part, warnings));
  LineLanguages languages;
  if (!text.empty()) {
    languages = languages_in(model_, text.front());
    text.front() = languages.text;
    if (trimmed(languages.text, " \t").size() > languages.source.size())
      expect_language(model_.source_codec(0), !languages.source.empty(), "source", number);
  }
  const int64_t longest = options_.search.longest_source(model_.max_length);
  EncodedLine encoded = encode_line(model_, text, number);
  const int64_t length = encoded.length();
  if (length > longest) encoded = encode_line(model_, text, number, longest);
  LineInput input{.line = std::move(encoded),
                  .number = number,
                  .is_whole = length <= longest,
                  .language = languages.target.empty()
                                  ? std::nullopt
                                  : std::optional(language_id(languages.target, number)),
                  .has_target_word = !languages.target.empty(),
                  .warnings = std::move(warnings)};
  check_length(length, input);
  check_line(model_, line, input.line, input.warnings);
  return input;
}

void LineTranslation::check_length(int64_t length, LineInput& input) const {
  const std::string detail = fmt::format("{} tokens", length);
  if (!input.is_whole)
    input.warnings.push_back(
        {WarningKind::kSourceCut,
         fmt::format("cut to the first {} tokens (max_source_length); split the line",
                     options_.search.longest_source(model_.max_length)),
         detail});
  else if (model_.max_length && length > *model_.max_length)
    input.warnings.push_back(
        {WarningKind::kSourceLong,
         fmt::format("longer than any training sentence ({} tokens), translations may be poor",
                     *model_.max_length),
         detail});
  check_positions(WarningKind::kSourceLong, "source", input.line.length(), model_.source_positions,
                  input.warnings);
}

int32_t LineTranslation::language_id(const std::string& piece, int64_t number) const {
  const Vocabulary& vocabulary = model_.target_codec().vocabulary();
  const int32_t id = vocabulary.id(piece);
  if (id != kUnknown) return id;
  std::vector<std::string> pieces;
  for (const std::string& code : language_codes(vocabulary)) pieces.push_back(language_piece(code));
  throw_error(ErrorKind::kData, "line {}: {} is no language of the model, expected one of {}{}",
              number, piece, language_codes_text(vocabulary), did_you_mean(piece, pieces));
}

void LineTranslation::expect_language(const Codec& codec, bool is_named, const char* which,
                                      int64_t number) const {
  if (is_named || !codec.tokenizer().needs_language()) return;
  throw_error(ErrorKind::kData,
              "line {}: its {} language is not known, and the model has many: choose one for all "
              "lines (--{}-language, or {}_language of a request), or begin the line with its "
              "languages, such as >>eng_Latn<< >>deu_Latn<<; expected {}",
              number, which, which, which, language_codes_text(codec.vocabulary()));
}

Ids LineTranslation::encode_target_text(const std::string& text, const LineInput& input) const {
  std::string own = replace_malformed(text);
  if (input.language && first_language_piece(own).empty())
    own.insert(0, model_.target_codec().vocabulary().piece(*input.language));
  return encode_target(model_, own, input.line);
}

Ids LineTranslation::encode_phrase(const std::string& text, const LineInput& input) const {
  Ids ids = encode_target_text(text, input);
  if ((input.language || model_.target_codec().opening()) && !ids.empty()) ids.erase(ids.begin());
  return ids;
}

Ids LineTranslation::within_text(const std::string& phrase, Ids ids) const {
  return model_.target_codec().within_text(replace_malformed(phrase), std::move(ids));
}

void LineTranslation::warn_of_unknown(const Ids& ids, const char* what, const std::string& text,
                                      LineInput& input) {
  if (std::ranges::count(ids, kUnknown) > 0)
    input.warnings.push_back({WarningKind::kConstraintUnknown,
                              fmt::format("{} with words outside the vocabulary, as <unk>", what),
                              text});
}

void LineTranslation::take_prefix(const std::string& text, LineInput& input) const {
  const Codec& target = model_.target_codec();
  const std::string named = target_language_in(model_, text);
  if (!named.empty() && !input.language) input.language = language_id(named, input.number);
  if (input.length() > 0)
    expect_language(target, input.language.has_value(), "target", input.number);
  if (!text.empty()) input.prefix = encode_target_text(text, input);
  warn_of_unknown(input.prefix, "prefix", text, input);
  const std::optional<int32_t> language = input.language ? input.language : target.opening();
  if (!language) return;
  input.given = 1;
  if (input.prefix.empty()) input.prefix = {*language};
}

void LineTranslation::take(const LexicalConstraints& constraints, LineInput& input) const {
  take_prefix(constraints.prefix, input);
  for (const std::string& text : constraints.phrases) {
    Ids ids = within_text(text, encode_phrase(text, input));
    warn_of_unknown(ids, "constraint", text, input);
    if (!ids.empty()) input.phrases.emplace_back(std::move(ids));
  }
  take_terms(input);
  expect_few_given(input, options_.search.longest_source(model_.max_length));
  for (const std::string& text : constraints.avoided) {
    // A word outside the vocabulary is not written anyway, and <unk> stands for others too.
    for (Ids& form :
         phrase_forms(model_.target_codec(), replace_malformed(text), encode_phrase(text, input)))
      input.avoided.push_back(std::move(form));
  }
}

void LineTranslation::take_terms(LineInput& input) const {
  if (!options_.glossary || model_.sources.empty()) return;
  std::vector<Glossary::Match> matches =
      options_.glossary->find(replace_malformed(input.line.texts[model_.aligned]));
  if (std::ssize(matches) > options_.most_terms)
    throw_error(ErrorKind::kData,
                "line {}: a sentence has {} terms of the glossary, expected {} at most; shorten it",
                input.number, matches.size(), options_.most_terms);
  for (Glossary::Match& match : matches) {
    RequiredPhrase phrase{std::vector<Ids>()};
    for (const auto* texts : {&match.targets, &match.forms}) {
      for (const std::string& text : *texts)
        for (Ids& form : phrase_forms(model_.target_codec(), text, encode_phrase(text, input)))
          if (std::ranges::count(phrase.forms, form) == 0) phrase.forms.push_back(std::move(form));
    }
    input.terms.push_back({std::move(match), std::move(phrase)});
  }
}

Request LineTranslation::request(const LineInput& input) const {
  Request request{.source = input.line.example,
                  .config = options_.search,
                  .number = input.number + (input.sentence << kSentenceBits),
                  .prefix = input.prefix,
                  .given = input.given,
                  .phrases = required_of(input),
                  .avoided = input.avoided,
                  .joins = options_.joins,
                  .suppressed = suppressed_,
                  .attention = options_.reads_attention(),
                  .scores = options_.scores};
  request.config.nbest = wanted_hypotheses(options_.search);
  limit_max_length(request.config, input.line.length(), options_.longest_target);
  const auto& shortlist = options_.shortlist ? options_.shortlist : model_.shortlist;
  if (shortlist) {
    std::vector<Ids> wanted{input.prefix};
    for (const RequiredPhrase& phrase : request.phrases)
      wanted.insert(wanted.end(), phrase.forms.begin(), phrase.forms.end());
    request.source.candidates =
        shortlist->candidates(request.source.sources[model_.aligned], wanted);
  }
  return request;
}

TranslatedLine LineTranslation::translation(const LineInput& input,
                                            std::vector<Hypothesis> hypotheses,
                                            const Choice& choose) const {
  TranslatedLine result;
  result.whole_source = input.is_whole;
  result.source = input.line.pieces[model_.aligned];
  result.warnings = input.warnings;
  result.constraints_met = has_all(input.phrases, hypotheses.front());
  if (!result.constraints_met)
    result.warnings.push_back(
        {WarningKind::kConstraint,
         "a phrase of the constraints is missing: other constraints or the probability 0 forbid it",
         beginning(input, hypotheses.front())});
  check_terms(input, hypotheses.front(), result);
  bool separated = false;
  for (Hypothesis& hypothesis : hypotheses)
    result.best.push_back(to_text(input, std::move(hypothesis), separated));
  check_separators(separated, result.warnings);
  keep_distinct(options_.search, result.best, result.warnings);
  if (choose) choose(result.best);
  check_translation(input, result.best.front(), result.warnings);
  return result;
}

void LineTranslation::check_translation(const LineInput& input, const Translated& best,
                                        WarningList& warnings) const {
  check_end(best, warnings);
  check_positions(WarningKind::kTargetLong, "translation", std::ssize(best.pieces),
                  model_.target_positions, warnings);
  check_copy(model_, input.line, best.text, warnings);
  check_repetition(model_, input.line, best.text, warnings);
}

TranslatedLine LineTranslation::of_empty(const LineInput& input) {
  TranslatedLine result;
  result.best.emplace_back();
  result.constraints_met = input.phrases.empty();
  result.warnings = input.warnings;
  if (std::ssize(input.prefix) > input.given || !input.phrases.empty())
    result.warnings.push_back(
        {WarningKind::kConstraint,
         "an empty line has an empty translation: its prefix and phrases are left out"});
  return result;
}

std::string LineTranslation::beginning(const LineInput& input, const Hypothesis& hypothesis) const {
  const Codec& target = model_.target_codec();
  return target.decode(target.pieces(hypothesis.ids, input.line.behind()));
}

bool LineTranslation::has_all(const std::vector<RequiredPhrase>& phrases,
                              const Hypothesis& best) const {
  if (phrases.empty()) return true;
  const Phrases all(phrases, options_.joins);
  return all.met(best.ids) >= all.tokens();
}

void LineTranslation::check_terms(const LineInput& input, const Hypothesis& best,
                                  TranslatedLine& result) const {
  for (const RequiredTerm& term : input.terms) {
    const bool is_known = !term.phrase.forms.empty();
    const bool is_met = (is_known && has_all({term.phrase}, best)) ||
                        options_.glossary->has_form(term.match, beginning(input, best));
    result.terms.push_back({term.match.source, term.match.targets, is_met});
    if (is_met) continue;
    result.constraints_met = false;
    result.warnings.push_back(
        {WarningKind::kTerm,
         is_known ? "a term of the glossary is missing: other constraints or the probability 0 "
                    "forbid it"
                  : "a term of the glossary is missing: it has words outside the vocabulary",
         fmt::format("{} → {}", term.match.source, fmt::join(term.match.targets, "|"))});
  }
}

Translated LineTranslation::to_text(const LineInput& input, Hypothesis hypothesis,
                                    bool& separated) const {
  const EncodedLine& line = input.line;
  const Codec &source = model_.aligned_codec(), &target = model_.target_codec();
  const std::vector<std::string>& pieces = line.pieces[model_.aligned];
  Translated result = with_scores_of(hypothesis);
  result.pieces = target.pieces(hypothesis.ids, line.behind());
  const std::string& text = line.texts[model_.aligned];
  if (options_.replace_unknown) {
    result.pieces = replace_unknown({source, target, text, pieces, line.behind()}, hypothesis.ids,
                                    hypothesis.attention);
  }
  result.text = target.decode(result.pieces, separated);
  if (options_.alignment) {
    const Tokenizer &read = source.tokenizer(), &written = target.tokenizer();
    PieceWords target_words =
        without_opening(written.written_words(result.pieces), result.pieces, written);
    if (input.language && !target_words.empty()) target_words.front() = {};
    result.alignment =
        align_words(hypothesis.attention,
                    without_opening(read.piece_words(text, pieces), pieces, read), target_words);
    // It is behind the word of the source language.
    for (auto& [word, unused] : result.alignment) word += input.has_target_word && word > 0 ? 1 : 0;
  }
  if (options_.attention || options_.has_markup())
    result.attention = std::move(hypothesis.attention);
  return result;
}

}  // namespace heed
