// Filters of `heed clean`, each by itself.
#include <gmock/gmock.h>

#include <cmath>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "clean/clean_test_tools.h"
#include "text/language_detector.h"

namespace heed {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(LengthFilter, BoundsWordsCharactersAndTheLongestWord) {
  LengthFilterConfig config;
  config.min_words = 2, config.max_words = 4, config.max_characters = 30;
  config.max_word_characters = 12;
  const auto filter = make_length_filter(config);
  EXPECT_EQ(filter->reason(pair_of("two words", "and here four words")), "");
  EXPECT_EQ(filter->reason(pair_of("two words", "one")), "target: 1 words, at least 2");
  EXPECT_EQ(filter->reason(pair_of("a b c d e", "two words")), "source: 5 words, at most 4");
  EXPECT_EQ(filter->reason(pair_of("two words", std::string(15, 'x') + " " + std::string(15, 'y'))),
            "target: 31 characters, at most 30");
  EXPECT_EQ(filter->reason(pair_of("two abcdefghijklm", "two words")),
            "source: a word of 13 characters, at most 12");
  EXPECT_EQ(filter->reason(pair_of("see https://example.org", "zwei Worte")), "");
  EXPECT_EQ(filter->reason(pair_of("two words", "我爱你")), "");  // three words
  EXPECT_EQ(filter->reason(pair_of("two words", "我爱你们吗")), "target: 5 words, at most 4");
}

TEST(RatioFilter, IsThatOfTheCorpus) {
  const CorpusProfile profile =
      profile_of({{"abcdefghij", "abcde"}, {"abcdefghijabcdefghij", "abcdeabcde"}, {"abcd", "ab"}});
  EXPECT_DOUBLE_EQ(profile.ratio, 0.5);
  RatioFilterConfig config;
  config.max_ratio = 2, config.slack = 3;
  const auto filter = make_ratio_filter(config, profile);
  EXPECT_EQ(filter->reason(pair_of("abcdefghij", "abcdefghij")), "");  // 5 to 10
  EXPECT_EQ(filter->reason(pair_of("abcdefghij", "abcdefghijk")), "ratio 2.2");
  EXPECT_EQ(filter->reason(pair_of("abcdefghij", "ab")), "");  // 5 to 2: within the slack
  EXPECT_EQ(filter->reason(pair_of("abcdefghijabcdefghij", "abcd")), "ratio 2.5");
}

TEST(IdenticalFilter, IgnoresCasePunctuationAndSpaces) {
  const auto filter = make_identical_filter();
  EXPECT_EQ(filter->reason(pair_of("The cat.", "The cat.")), "source and target are the same");
  EXPECT_THAT(filter->reason(pair_of("Die KATZE!", "die Katze")), HasSubstr("differ only in case"));
  EXPECT_EQ(filter->reason(pair_of("The cat.", "Die Katze.")), "");
  EXPECT_EQ(filter->reason(pair_of("!", "?")), "");
}

TEST(CharactersFilter, NamesTheCharacter) {
  const auto filter = make_characters_filter({});
  const auto reason = [&](const std::string& text) {
    return filter->reason(pair_of("fine", text));
  };
  EXPECT_EQ(reason("schöne Grüße – „ja“ … œuvre, São à « la » Ömer"), "");
  EXPECT_EQ(reason("a\tb"), "");
  EXPECT_EQ(reason("a\x07 b"), "target: control character U+0007");
  EXPECT_EQ(reason("a \xC2\x85 b"), "target: control character U+0085");
  EXPECT_EQ(reason("caf\xEF\xBF\xBD"), "target: replacement character U+FFFD");
  EXPECT_EQ(reason("a \xEE\x80\x80 b"), "target: private use character U+E000");
  EXPECT_THAT(reason("schÃ¶ne GrÃ¼ÃŸe"), StartsWith("target: 'Ã¶'"));
  EXPECT_THAT(reason("donâ€™t"), StartsWith("target: 'â€™'"));
  EXPECT_THAT(reason("ä¸\u00ADæ–‡ text"), HasSubstr("Windows-1252"));  // 中文
  EXPECT_EQ(reason("\u00A0\u3000"), "target: letters 0 %");
  EXPECT_EQ(reason("12 + 34 = 46 ok"), "target: letters 20 %");
  EXPECT_THAT(reason("Ã„rger"), StartsWith("target: 'Ã„'"));
  EXPECT_THAT(reason("dÃ©jÃ\u00A0 vu"), StartsWith("target: 'Ã©'"));
  EXPECT_THAT(reason("Ð¿Ñ€Ð¸Ð²ÐµÑ‚"), StartsWith("target: 'Ð¿'"));
  for (const char* correct :
       {"NÃO à\u00A0»", "l’été\u00A0» et la liberté\u00A0»", "LIBERTÉ\u00A0!",
        "„Der Dienst macht wirklich Spaß“: In der", "“IKATÚRÔ”", "el “SEÑOR Ñ” que",
        "AMANHÃ”, IRMÃ»", "«CAFÉ»", "„Ä“ und „Å…", "café”… naïve", "Das ist süß…"})
    EXPECT_EQ(reason(correct), "");
}

TEST(ScriptFilter, ExpectsThoseOfTheSide) {
  const CorpusProfile profile =
      profile_of({{"the cat sleeps", "ねこがねる"}, {"a dog", "犬とネコ"}});
  const auto filter = make_script_filter({}, profile);
  EXPECT_EQ(filter->reason(pair_of("my cat", "ネコと犬です")), "");
  EXPECT_EQ(filter->reason(pair_of("my кошка sleeps well today", "ネコと犬です")), "");
  EXPECT_EQ(filter->reason(pair_of("моя кошка", "ネコと犬です")),
            "source: script Cyrillic 100 %, expected Latin");
  EXPECT_THAT(filter->reason(pair_of("my cat", "my cat")),
              StartsWith("target: script Latin 100 %"));
  EXPECT_EQ(filter->reason(pair_of("12:30", "12:30")), "");
  const CorpusProfile few_katakana = profile_of({{"a cat and a dog", "犬と猫がねています"}});
  EXPECT_EQ(make_script_filter({}, few_katakana)->reason(pair_of("a computer", "コンピューター")),
            "");
}

TEST(LanguageFilter, ComparesWithTheLanguageOfMostLines) {
  std::vector<std::array<std::string, 2>> pairs(
      20, {"This is a sentence about the weather in the mountains.",
           "Dies ist ein Satz über das Wetter in den Bergen."});
  const CorpusProfile profile = profile_of(pairs);
  EXPECT_EQ(profile.sides[0].language, "en");
  EXPECT_EQ(profile.sides[1].language, "de");
  const auto filter = make_language_filter({}, profile, models_of(profile));
  EXPECT_EQ(filter->reason(pair_of(pairs[0][0], pairs[0][1])), "");
  EXPECT_THAT(filter->reason(pair_of(pairs[0][0],
                                     "Ceci est une phrase sur le temps dans les "
                                     "montagnes de la région.")),
              testing::AllOf(StartsWith("target: language fr "), HasSubstr("expected de")));
  EXPECT_EQ(filter->reason(pair_of("Madame!", "Madame!")), "");  // too short
  const std::string norwegian_to_cld2 = "Ein Mann sprüht ein Muster in Sand.";
  EXPECT_EQ(sure_languages(norwegian_to_cld2).at(0).language, "no");
  EXPECT_THAT(filter->reason(pair_of(pairs[0][0], norwegian_to_cld2)), HasSubstr("language no"));
  for (const char* text :
       {"Ein Mann sprüht ein Muster in den Sand.", "Eine Frau sprüht ein Muster an die Wand.",
        "Ein Mann malt ein großes Muster in den Sand.", "Ein Kind spielt mit einem Mann im Sand.",
        "Ein Mann sprüht Farbe an eine Wand in der Stadt."})
    for (int i = 0; i < 10; ++i) pairs.push_back({"He sprays.", text});
  const CorpusProfile more = profile_of(pairs);
  EXPECT_EQ(make_language_filter({}, more, models_of(more))
                ->reason(pair_of(pairs[0][0], norwegian_to_cld2)),
            "");
  LanguageFilterConfig french;
  french.target = "fra_Latn";
  EXPECT_THAT(make_language_filter(french, profile, models_of(profile))
                  ->reason(pair_of(pairs[0][0], pairs[0][1])),
              testing::AllOf(StartsWith("target: language de "), HasSubstr("expected fr")));
}

std::vector<std::array<std::string, 2>> toy_languages() {
  std::vector<std::array<std::string, 2>> pairs;
  const std::vector<std::string> left{"bado", "kuli", "remi", "sotu"},
      right{"zwexk", "fyrth", "grunx", "plonk"};
  for (size_t i = 0; i < 200; ++i) {
    std::array<std::string, 2> pair;
    for (size_t word = 0; word < 5; ++word) {
      const size_t draw = (i * 7 + word * word * 3 + i / 4) % 4;
      pair[0] += (word ? " " : "") + left[draw];
      pair[1] += (word ? " " : "") + right[draw];
    }
    pairs.push_back(pair);
  }
  return pairs;
}

TEST(SidesFilter, FindsSwappedAndUntranslatedLines) {
  const CorpusProfile profile = profile_of(toy_languages());
  const auto filter = make_sides_filter({}, models_of(profile));
  ASSERT_NE(filter, nullptr);
  EXPECT_EQ(filter->reason(pair_of("kuli bado remi", "fyrth zwexk grunx")), "");
  EXPECT_THAT(filter->reason(pair_of("fyrth zwexk grunx", "kuli bado remi")),
              StartsWith("source: like the target side, log-odds "));
  EXPECT_THAT(filter->reason(pair_of("kuli bado remi", "kuli bado")),
              StartsWith("target: like the source side, log-odds "));
}

// A line that was added by its beginning is left out of the model by the same beginning.
TEST(SideModels, ScoreLongLinesOfTheSample) {
  std::string chinese, english;
  for (int i = 0; i < 1500; ++i) chinese += "我爱", english += "ab c";
  const CorpusProfile profile = profile_of({{english, chinese}});
  EXPECT_DOUBLE_EQ(profile.ratio, 0.5);  // of the whole lines
  const auto models = models_of(profile);
  for (size_t side = 0; side < 2; ++side) {
    for (const double log : models->scores(pair_of(english, chinese, 0), side).log_likelihoods)
      EXPECT_TRUE(std::isfinite(log)) << side;
  }
}

TEST(SidesFilter, KnowsSamplesOfOtherLanguages) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 100; ++i) text += "jjaah qqoop vvuuv jjaah\n";
  write_plainly(folder / "other", text);
  const CorpusProfile profile = profile_of(toy_languages());
  const auto filter =
      make_sides_filter({}, models_of(profile, {"xx=" + (folder / "other").string()}));
  EXPECT_THAT(filter->reason(pair_of("kuli bado remi", "qqoop vvuuv jjaah")),
              StartsWith("target: like xx, log-odds "));
  EXPECT_THROW(models_of(profile, {"other"}), Error);
}

TEST(SidesFilter, IsOffForSidesThatAreWrittenAlike) {
  std::vector<std::array<std::string, 2>> pairs;
  for (const auto& [source, target] : toy_languages()) pairs.push_back({source, source});
  const CorpusProfile profile = profile_of(pairs);
  EXPECT_EQ(make_sides_filter({}, models_of(profile)), nullptr);
}

TEST(NumbersFilter, ReadsNumbersAsLanguagesWriteThem) {
  const auto filter = make_numbers_filter();
  const auto reason = [&](const char* source, const char* target) {
    return filter->reason(pair_of(source, target));
  };
  EXPECT_EQ(reason("in 1987", "im Jahr 1987"), "");
  EXPECT_EQ(reason("1,000.50 euros", "1.000,50 Euro"), "");
  EXPECT_EQ(reason("10,000 people", "10 000 Menschen"), "");
  EXPECT_EQ(reason("10,000 people",
                   "10\xC2\xA0"
                   "000 Menschen"),
            "");
  EXPECT_EQ(reason("rooms 10 100", "Zimmer 10 und 100"), "");
  EXPECT_EQ(reason("12/5/2010", "12.5.2010"), "");
  EXPECT_EQ(reason("at 07:30", "um 7.30 Uhr"), "");
  EXPECT_EQ(reason("at 4:15 p.m.", "um 16.15 Uhr"), "");
  EXPECT_EQ(reason("at 3 pm", "um 15 Uhr"), "");
  EXPECT_EQ(reason("the 1990s", "die 90er"), "");
  EXPECT_EQ(reason("at 12.00", "um 12 Uhr"), "");
  EXPECT_EQ(reason("five", "5"), "");
  EXPECT_EQ(reason("2000 men", "zweitausend Mann"), "");
  EXPECT_EQ(reason("١٢٣٤", "1234"), "");
  EXPECT_EQ(reason("in 1987", "im Jahr 1978"), "numbers 1987 in the source, 1978 in the target");
  EXPECT_EQ(reason("in 1987", "damals"), "numbers 1987 in the source alone");
  EXPECT_EQ(reason("5 cats", "6 Katzen"), "numbers 5 in the source, 6 in the target");
}

TEST(MarkupFilter, ComparesTagsEntitiesAndPlaceholders) {
  const auto filter = make_markup_filter();
  const auto reason = [&](const char* source, const char* target) {
    return filter->reason(pair_of(source, target));
  };
  EXPECT_EQ(reason("<b>Hi</b> {name}, %s &amp; %1$d", "<b>Na</b> {name}, %1$d &amp; %s"), "");
  EXPECT_EQ(reason("a <a href=\"en\">x</a>", "ein <a href=\"de\">x</a>"), "");
  EXPECT_EQ(reason("50 % of 3 < 4, 100%", "50% von 3 < 4, 100 %"), "");
  EXPECT_EQ(reason("<b>Hi</b>", "Na"), "markup </b>, <b> in the source alone");
  EXPECT_EQ(reason("Hi {name}", "Na {nom}"), "markup {name} in the source, {nom} in the target");
  EXPECT_EQ(reason("Hi %s %s", "Na %s"), "markup %s in the source alone");
  EXPECT_EQ(reason("R and D", "R &amp; D"), "markup &amp; in the target alone");
}

TEST(LinksFilter, ComparesHostsAndAddresses) {
  const auto filter = make_links_filter();
  const auto reason = [&](const char* source, const char* target) {
    return filter->reason(pair_of(source, target));
  };
  EXPECT_EQ(reason("see http://en.example.org/a", "siehe https://de.example.org/b."), "");
  EXPECT_EQ(reason("at www.example.org", "auf www.example.org!"), "");
  EXPECT_EQ(reason("note: a@b", "Notiz: a"), "");
  EXPECT_EQ(reason("see http://example.org", "siehe hier"),
            "links example.org in the source alone");
  EXPECT_EQ(reason("write to me@example.org", "an du@example.org"),
            "links me@example.org in the source, du@example.org in the target");
}

TEST(RepetitionFilter, ComparesBothSides) {
  const auto filter = make_repetition_filter({});
  EXPECT_EQ(filter->reason(pair_of("very very very good", "sehr gut")), "");
  EXPECT_EQ(filter->reason(pair_of("no no no no", "nein nein nein nein")), "");
  EXPECT_EQ(filter->reason(pair_of("go on", "los los los los los")),
            "target: 'los' 5 times in a row");
  EXPECT_EQ(filter->reason(pair_of("a cat and a cat and a cat and a cat and so on", "eine Katze")),
            "source: 'a cat and' 4 times in a row");
  EXPECT_EQ(filter->reason(pair_of("good", "好好好好好好")), "target: '好' 6 times in a row");
}

TEST(PunctuationFilter, ReadsTheEndsOfBothSides) {
  const auto filter = make_punctuation_filter();
  EXPECT_EQ(filter->reason(pair_of("He said \"yes.\"", "他说是。")), "");
  EXPECT_EQ(filter->reason(pair_of("A title", "Ein Titel")), "");
  EXPECT_EQ(filter->reason(pair_of("A title", "Ein Titel.")),
            "only the target ends in punctuation");
}

TEST(TestFilter, FindsNormalizedSentencesOfBothSides) {
  const TemporaryFolder folder;
  write_plainly(folder / "test.en", "The cat sleeps.\n\n...\n");
  const std::string file = (folder / "test.en").string();
  const auto filter = make_test_filter({file});
  EXPECT_EQ(filter->reason(pair_of("the cat sleeps", "x")), "source: is in " + file);
  EXPECT_EQ(filter->reason(pair_of("x", "The  CAT sleeps!")), "target: is in " + file);
  EXPECT_EQ(filter->reason(pair_of("The cat slept.", "...")), "");
}

class ScoresFilterTest : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    write_plainly(folder_ / name, text);
    return (folder_ / name).string();
  }
  std::string message(const std::string& text) {
    ScoresFilterConfig config;
    config.best = 0.5;
    try {
      make_scores_filter(config, {.scores = write("bad", text)}, profile_);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), 3);
      return error.what();
    }
  }
  TemporaryFolder folder_;
  CorpusProfile profile_ = profile_of({{"a b", "c d e f"}, {"a b", "c d"}, {"a b c d", "c"}}, true);
};

TEST_F(ScoresFilterTest, IsTheCrossEntropyPerWord) {
  ScoresFilterConfig config;
  config.max = 1.5;
  const auto filter = make_scores_filter(config, {.scores = write("s", "-4\n-4\n-1\n")}, profile_);
  EXPECT_EQ(filter->reason(pair_of("", "", 0)), "");
  EXPECT_EQ(filter->reason(pair_of("", "", 1)), "cross-entropy 2.00, at most 1.50");
  EXPECT_EQ(filter->reason(pair_of("", "", 2)), "");
}

TEST_F(ScoresFilterTest, IsDualWithBothDirections) {
  // Per word 1, 2, 1 and 3, 2, 2: |1 - 3| + 2 = 4, 2, 1 + 1.5 = 2.5.
  ScoresFilterConfig config;
  config.best = 0.67;
  const FilterInputs inputs{.scores = write("s", "-4\n-4\n-1\n"),
                            .reverse_scores = write("r", "-6\n-4\n-8\n")};
  const auto filter = make_scores_filter(config, inputs, profile_);
  EXPECT_EQ(filter->reason(pair_of("", "", 0)), "cross-entropy 4.00, at most 2.50");
  EXPECT_EQ(filter->reason(pair_of("", "", 1)), "");
  EXPECT_EQ(filter->reason(pair_of("", "", 2)), "");
}

TEST_F(ScoresFilterTest, RefusesOtherFiles) {
  EXPECT_THAT(message("-1\n-2\n"), HasSubstr("has 2 lines, but the corpus 3 pairs"));
  EXPECT_THAT(message("-1\n-2\n-3\n-4\n"), HasSubstr("more lines than the corpus has pairs, 3"));
  EXPECT_THAT(message("-1\nx\n-3\n"), HasSubstr("bad:2: found 'x'"));
  EXPECT_THAT(message("-1\n1\n-3\n"), HasSubstr("bad:2: found '1'"));
  EXPECT_THAT(message("-1\nnan\n-3\n"), HasSubstr("bad:2: found 'nan'"));
  EXPECT_THROW(check_inputs({}, {.scores = "s"}), Error);
}

TEST(DuplicatesFilters, HaveKeysOfPairsOrSides) {
  const CorpusPair pair = pair_of("The cat", "Die Katze"),
                   same_source = pair_of("The cat", "Katze"),
                   swapped = pair_of("Die Katze", "The cat"),
                   near = pair_of("the CAT!", "die Katze");
  const auto filter = make_duplicates_filter({});
  EXPECT_EQ(filter->keys(pair), filter->keys(pair_of("The cat", "Die Katze")));
  EXPECT_NE(filter->keys(pair), filter->keys(same_source));
  EXPECT_NE(filter->keys(pair), filter->keys(swapped));
  DuplicatesFilterConfig config;
  config.source = true;
  EXPECT_EQ(make_duplicates_filter(config)->keys(pair),
            make_duplicates_filter(config)->keys(same_source));
  EXPECT_EQ(make_near_duplicates_filter({})->keys(pair),
            make_near_duplicates_filter({})->keys(near));
  EXPECT_NE(make_near_duplicates_filter({})->keys(pair_of("room 5", "Zimmer 5")),
            make_near_duplicates_filter({})->keys(pair_of("room 6", "Zimmer 6")));
}

}  // namespace
}  // namespace heed
