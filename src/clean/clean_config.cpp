#include "clean/clean_config.h"

#include "base/language_code.h"
#include "config/sizes.h"

namespace heed {

namespace {

constexpr IntRange kLineCharacters{1, 16 << 20};

}  // namespace

void FilterConfig::fields(Fields& f) { f.field("enabled", enabled, "false turns the filter off"); }

void LengthFilterConfig::fields(Fields& f) {
  FilterConfig::fields(f);
  f.field("min_words", min_words, kPositive,
          "minimum words of each side; in text without spaces between words, characters");
  f.field("max_words", max_words, kPositive, "maximum words of each side");
  f.field("min_characters", min_characters, kLineCharacters, "minimum characters of each side");
  f.field("max_characters", max_characters, kLineCharacters, "maximum characters of each side");
  f.field("max_word_characters", max_word_characters, kLineCharacters,
          "maximum characters of a word, other than a link");
}

void LengthFilterConfig::validate(Problems& problems) const {
  if (min_words > max_words) problems.add("min_words", "is above max_words");
  if (min_characters > max_characters) problems.add("min_characters", "is above max_characters");
}

void RatioFilterConfig::fields(Fields& f) {
  FilterConfig::fields(f);
  f.field(
      "max_ratio", max_ratio, Range{1, 1000},
      "maximum ratio of the longer side to the shorter one in characters, after division by the "
      "median ratio of the corpus");
  f.field("slack", slack, kNotNegative,
          "difference of lengths, in characters of the target side, that is always kept");
}

void CharactersFilterConfig::fields(Fields& f) {
  FilterConfig::fields(f);
  f.field("min_letters", min_letters, kFraction,
          "minimum fraction of letters among the characters of a side other than spaces");
}

void ScriptFilterConfig::fields(Fields& f) {
  FilterConfig::fields(f);
  f.field("max_share", max_share, kFraction,
          "maximum fraction of the letters of a side that are of a script that has less than a "
          "twentieth of the letters of the whole side");
}

void LanguageFilterConfig::fields(Fields& f) {
  FilterConfig::fields(f);
  f.field("source", source, "expected language of the source side; ~: that of most of its lines");
  f.field("target", target, "expected language of the target side; ~: that of most of its lines");
  f.field("min_letters", min_letters, kPositive, "letters of a side with fewer are not identified");
  f.field("min_share", min_share, kFraction, "minimum fraction of the text in the other language");
}

void LanguageFilterConfig::validate(Problems& problems) const {
  for (const auto& [name, language] : {std::pair("source", &source), {"target", &target}}) {
    if (*language && language_code(**language).empty())
      problems.add(name, fmt::format("found '{}', expected a code such as de", **language));
  }
}

void SidesFilterConfig::fields(Fields& f) {
  FilterConfig::fields(f);
  f.field("threshold", threshold, kZeroOrMore,
          "log-odds of another class above which a line is dropped");
}

void RepetitionFilterConfig::fields(Fields& f) {
  FilterConfig::fields(f);
  f.field(
      "times", times, IntRange{2, 1000},
      "times that one to four words follow each other, from which a side is dropped if the other "
      "side has half of them or fewer");
}

void ScoresFilterConfig::fields(Fields& f) {
  FilterConfig::fields(f);
  f.field("best", best, kFraction, "fraction of the pairs with the best scores that is kept");
  f.field("max", max, kZeroOrMore, "maximum cross-entropy per word, in nats");
}

void ScoresFilterConfig::validate(Problems& problems) const {
  if (best && max) problems.add("max", "is set together with best; set one of them");
}

void DuplicatesFilterConfig::fields(Fields& f) {
  FilterConfig::fields(f);
  f.field("source", source, "true drops pairs with the source of a pair before, too");
  f.field("target", target, "true drops pairs with the target of a pair before, too");
}

void NearDuplicatesFilterConfig::fields(Fields& f) {
  FilterConfig::fields(f);
  f.field("ignore_digits", ignore_digits, "true ignores digits as well");
}

void CleanConfig::fields(Fields& f) {
  f.section("length", length, "words and characters of a side");
  f.section("ratio", ratio, "ratio of the lengths");
  f.section("identical", identical,
            "source and target are the same but for case, punctuation and spaces");
  f.section("characters", characters,
            "control characters, U+FFFD, private use, text decoded by a wrong encoding (Ã¤), few "
            "letters");
  f.section("script", script, "letters of another script than the side");
  f.section("language", language, "another language than that of the side, by CLD2");
  f.section(
      "sides", sides,
      "a side that is written like the other side (swapped or untranslated), or like a sample "
      "of another language: naive Bayes over character n-grams of the corpus");
  f.section("numbers", numbers, "numbers that differ");
  f.section("markup", markup, "tags, entities and placeholders that differ");
  f.section("links", links, "links and e-mail addresses that differ");
  f.section("repetition", repetition, "words that are repeated on one side");
  f.section("punctuation", punctuation, "punctuation at the end of one side alone");
  f.section("test", test, "sentences of test sets (--test)");
  f.section("scores", scores, "cross-entropy by a model (--scores, --reverse-scores)");
  f.section("duplicates", duplicates, "pairs that came before");
  f.section("near_duplicates", near_duplicates,
            "pairs that came before but for case, punctuation and spaces");
}

}  // namespace heed
