#include "data/augment/augmenter.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "data_test_tools.h"
#include "holds.h"
#include "text/characters.h"

namespace heed {
namespace {

using testing::AnyOf;
using testing::MatchesRegex;

// A corpus in memory.
struct Sentences {
  std::vector<PairLines> pairs;
  std::vector<std::string> languages{};  // of each side; empty: unknown
  std::shared_ptr<const Codec> codec = hundred_words();

  static PairLines pair(std::vector<std::string> lines) { return {.lines = std::move(lines)}; }
  static PairLines pair(std::vector<std::string> lines, const std::string& links) {
    PairLines pair{.lines = std::move(lines)};
    pair.annotations.alignment = Annotation{.line = links, .place = "align:1"};
    return pair;
  }

  Augmenter::Result augmented(const AugmentConfig& config, uint64_t seed = 1,
                              int64_t epoch = 0) const {
    const size_t sides = pairs.front().lines.size();
    Augmenter::Languages own = languages;
    own.resize(sides);
    const Augmenter augmenter(config, {sides, codec}, 0, {own});
    const IndexPart part{.first = 0, .count = static_cast<PairId>(pairs.size())};
    return augmenter.augment(0, {seed, epoch}, 0, part,
                             [&](PairId pair) { return pairs.at(pair); });
  }
  // "source ||| target", and the links.
  std::string text(const AugmentConfig& config, uint64_t seed = 1) const {
    const Augmenter::Result result = augmented(config, seed);
    std::string text = fmt::format("{}", fmt::join(result.text.lines, " ||| "));
    if (const auto& links = result.text.annotations.alignment) text += " ||| " + links->line;
    return text;
  }
  // All texts of many seeds.
  std::set<std::string> texts(const AugmentConfig& config) const {
    constexpr uint64_t kSeeds = 3000;
    std::set<std::string> all;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) all.insert(text(config, seed));
    return all;
  }
};

Sentences sentences(const std::string& source, const std::string& target,
                    std::vector<std::string> languages = {}) {
  return {{Sentences::pair({source, target})}, std::move(languages)};
}

Sentences aligned(const std::string& source, const std::string& target, const std::string& links) {
  return {{Sentences::pair({source, target}, links)}};
}

// Text in scripts without spaces between words; a word tokenizer takes the words between spaces.
std::shared_ptr<const Codec> any_script() {
  return std::make_shared<const Codec>(
      std::make_shared<CharacterTokenizer>(false),
      std::make_shared<const Vocabulary>(std::vector<std::string>{"a"}));
}

AugmentConfig always(double AugmentConfig::*key) {
  AugmentConfig config;
  config.*key = 1;
  return config;
}

AugmentConfig noise(std::optional<WordNoiseConfig> AugmentConfig::*key, double rate) {
  AugmentConfig config;
  WordNoiseConfig& words = (config.*key).emplace();
  words.probability = 1;
  words.rate = rate;
  return config;
}

TEST(Augmenter, WritesCapitalLettersByTheRulesOfTheLanguage) {
  holds({"data.augment.upper_case"});
  const AugmentConfig config = always(&AugmentConfig::upper_case);
  EXPECT_EQ(sentences("A dog, isn't it?", "Die Straße ist groß.").text(config),
            "A DOG, ISN'T IT? ||| DIE STRASSE IST GROSS.");
  EXPECT_EQ(sentences("istanbul is big", "istanbul ılık", {"en", "tr"}).text(config),
            "ISTANBUL IS BIG ||| İSTANBUL ILIK");
  EXPECT_EQ(sentences("Άνθρωπος", "Άνθρωπος", {"", "el"}).text(config), "ΆΝΘΡΩΠΟΣ ||| ΑΝΘΡΩΠΟΣ");
  EXPECT_EQ(sentences("犬", "犬").augmented(config).changed, 0U);
}

TEST(Augmenter, LeavesTagsAndAddressesAsTheyAre) {
  const AugmentConfig config = always(&AugmentConfig::upper_case);
  EXPECT_EQ(
      sentences(">>de<< see https://a.org/b  and a@b.org,", "<b>das</b> {name} %s 5%").text(config),
      ">>de<< SEE https://a.org/b  AND a@b.org, ||| <b>das</b> {name} %s 5%");
}

TEST(Augmenter, WritesTitles) {
  holds({"data.augment.title_case"});
  const AugmentConfig config = always(&AugmentConfig::title_case);
  EXPECT_EQ(sentences("the \"best\" dog in the USA", "der hund", {"en", "de"}).text(config),
            "The \"Best\" Dog In The USA ||| Der Hund");
  EXPECT_EQ(sentences("ijs", "ijs", {"en", "nl"}).text(config), "Ijs ||| IJs");
}

TEST(Augmenter, DropsOrAddsFinalPunctuationOnAllSides) {
  holds({"data.augment.punctuation"});
  const AugmentConfig config = always(&AugmentConfig::punctuation);
  EXPECT_EQ(sentences("Is it?!", "Ist es?").text(config), "Is it ||| Ist es");
  EXPECT_EQ(sentences("A dog .", "Ein Hund .").text(config), "A dog ||| Ein Hund");
  EXPECT_EQ(sentences("A dog", "Ein Hund").text(config), "A dog. ||| Ein Hund.");
  EXPECT_EQ(sentences("A dog.", "犬がいます。").text(config), "A dog ||| 犬がいます");
  EXPECT_EQ(sentences("A dog", "犬がいます").text(config), "A dog. ||| 犬がいます。");
  for (const auto& [source, target] : {std::pair{"A dog.", "Ein Hund"},
                                       {"A \"dog\"", "Ein Hund"},
                                       {".", "."},
                                       {"see www.a.org", "siehe www.a.org"}})
    EXPECT_EQ(sentences(source, target).augmented(config).changed, 0U) << source;
  EXPECT_EQ(aligned("A dog .", "Ein Hund .", "0-0 1-1 2-2").text(config),
            "A dog ||| Ein Hund ||| 0-0 1-1");
}

// Each error is behind the first letter. The list has all that four letters allow.
TEST(Augmenter, MakesTyposThatAKeyboardMakes) {
  holds({"data.augment.typos.probability"});
  std::set<std::string> expected;
  for (const char* word :
       {"hnud", "hudn",             // swapped
        "hnd", "hud", "hun",        // left out
        "huund", "hunnd", "hundd",  // doubled
        "hynd", "hind", "hjnd", "hubd", "humd", "huhd", "huns", "hunf", "hune", "hunc"})
    expected.insert(fmt::format("{} ||| hund", word));
  EXPECT_EQ(sentences("hund", "hund").texts(noise(&AugmentConfig::typos, 0)), expected);
}

TEST(Augmenter, KeepsShortWordsAndOtherScriptsWithoutTypos) {
  holds({"data.augment.typos.rate"});
  const AugmentConfig every = noise(&AugmentConfig::typos, 1),
                      one = noise(&AugmentConfig::typos, 0);
  EXPECT_EQ(sentences("a cat is 12345 หมาตัวหนึ่ง {name}", "x").augmented(every).changed, 0U);
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const std::string all = sentences("Hund Katze", "x").text(every, seed);
    EXPECT_THAT(all, MatchesRegex("H[a-z]+ K[a-z]+ \\|\\|\\| x"));
    EXPECT_FALSE(all.starts_with("Hund ") || all.ends_with(" Katze ||| x")) << all;
    const std::string single = sentences("Hund Katze", "x").text(one, seed);
    EXPECT_NE(single.starts_with("Hund "), single.ends_with(" Katze ||| x")) << single;
  }
  EXPECT_THAT(sentences("HUND", "x").texts(every), testing::Contains("HYND ||| x"));
}

TEST(Augmenter, DropsWordsOfTheSource) {
  holds({"data.augment.drop.probability", "data.augment.drop.rate"});
  EXPECT_EQ(aligned("a  b c", "x y z", "0-0 1-1 2-2").texts(noise(&AugmentConfig::drop, 0)),
            (std::set<std::string>{"b c ||| x y z ||| 0-1 1-2", "a c ||| x y z ||| 0-0 1-2",
                                   "a  b ||| x y z ||| 0-0 1-1"}));
  // Half of the words stay.
  EXPECT_EQ(sentences("a b c d", "x").texts(noise(&AugmentConfig::drop, 1)),
            (std::set<std::string>{"a b ||| x", "a c ||| x", "a d ||| x", "b c ||| x", "b d ||| x",
                                   "c d ||| x"}));
  EXPECT_EQ(sentences("a", "x").augmented(noise(&AugmentConfig::drop, 1)).changed, 0U);
}

TEST(Augmenter, MasksWordsOfTheSource) {
  holds({"data.augment.mask.probability", "data.augment.mask.rate"});
  const auto masked = [](double rate) {
    std::set<std::vector<std::vector<size_t>>> all;
    for (uint64_t seed = 0; seed < 500; ++seed)
      all.insert(sentences("a b >>c<<", "x y")
                     .augmented(noise(&AugmentConfig::mask, rate), seed)
                     .text.masked);
    return all;
  };
  EXPECT_EQ(masked(0), (std::set<std::vector<std::vector<size_t>>>{{{0}, {}}, {{1}, {}}}));
  EXPECT_EQ(masked(1), (std::set<std::vector<std::vector<size_t>>>{{{0, 1}, {}}}));
  EXPECT_EQ(sentences("a b", "x").text(noise(&AugmentConfig::mask, 1)), "a b ||| x");
}

TEST(Augmenter, JoinsPairs) {
  holds({"data.augment.join.probability", "data.augment.join.sentences"});
  AugmentConfig config;
  config.join.emplace().probability = 1;
  Sentences three{{Sentences::pair({"a b", "x"}, "0-0 1-0"), Sentences::pair({"c", "y z"}, "0-1"),
                   Sentences::pair({"d", "w"}, "0-0")}};
  EXPECT_EQ(three.texts(config), (std::set<std::string>{"a b c ||| x y z ||| 0-0 1-0 2-2",
                                                        "a b d ||| x w ||| 0-0 1-0 2-1"}));
  config.join->sentences = 3;
  std::set<std::string> lengths;
  for (const std::string& text : three.texts(config))
    lengths.insert(text.substr(0, text.find('|')));
  EXPECT_EQ(lengths, (std::set<std::string>{"a b c ", "a b d ", "a b c c ", "a b c d ", "a b d c ",
                                            "a b d d "}));
  config.join->sentences = 2;
  const Sentences unspaced{
      .pairs = {Sentences::pair({"犬。", "Dog."}), Sentences::pair({"猫。", "Cat."})},
      .codec = any_script()};
  EXPECT_EQ(unspaced.text(config), "犬。猫。 ||| Dog. Cat.");
  EXPECT_EQ(sentences("a", "b").augmented(config).changed, 0U);
}

TEST(Augmenter, PutsTagsAroundAlignedWords) {
  holds({"data.augment.tags"});
  const AugmentConfig config = always(&AugmentConfig::tags);
  // Word 0 has two links.
  const Sentences data = aligned("The black dog.", "Der \"Hund\" schwarz", "0-0 0-2 2-1");
  std::set<std::string> expected;
  for (const char* tag : {"b", "i", "u", "em", "strong", "span"})
    expected.insert(
        fmt::format("The black <{0}>dog</{0}>. ||| Der \"<{0}>Hund</{0}>\" schwarz ||| "
                    "0-0 0-2 2-1",
                    tag));
  EXPECT_EQ(data.texts(config), expected);
  EXPECT_EQ(aligned("{a}", "{a}", "0-0").augmented(config).changed, 0U);
  EXPECT_EQ(aligned("a", "b", "").augmented(config).changed, 0U);
  // In text without spaces the tags are words.
  Sentences unspaced = aligned("dog", "大きな黒い犬が庭で走っていますよ", "0-5");
  unspaced.codec = any_script();
  EXPECT_THAT(unspaced.text(config),
              MatchesRegex("<.*>dog</.*> \\|\\|\\| 大きな黒い<.*>犬</.*>が庭で走っていますよ "
                           "\\|\\|\\| 0-5 0-6 0-7"));
}

TEST(Augmenter, InsertsTheSameOnAllSides) {
  holds({"data.augment.emoji", "data.augment.placeholders"});
  std::map<std::string, std::set<std::string>> places;
  for (const std::string& text :
       sentences("a b", "x y").texts(always(&AugmentConfig::placeholders))) {
    const size_t bar = text.find(" ||| ");
    const std::string source = text.substr(0, bar), target = text.substr(bar + 5);
    const bool begins = source.ends_with(" a b");
    const std::string copy = begins ? source.substr(0, source.size() - 4)
                                    : source.substr(std::min<size_t>(4, source.size()));
    EXPECT_EQ(target, begins ? copy + " x y" : "x y " + copy);
    EXPECT_EQ(source, begins ? copy + " a b" : "a b " + copy);
    places[begins ? "begin" : "end"].insert(copy);
  }
  EXPECT_EQ(places["begin"],
            (std::set<std::string>{"{0}", "{1}", "{name}", "{count}", "%s", "%d", "%1$s",
                                   "{{user}}", "{{amount}}", "$1", "__ID__", "<x/>"}));
  EXPECT_EQ(places["begin"], places["end"]);
  EXPECT_EQ(sentences("a b", "x y").augmented({}).changed, 0U);
}

TEST(Augmenter, InsertsBehindAlignedWordsAndLinksTheCopies) {
  for (const std::string& text :
       aligned("a b", "x y", "0-1 1-0").texts(always(&AugmentConfig::emoji)))
    EXPECT_THAT(
        text, AnyOf(MatchesRegex("\xF0\x9F.. a b \\|\\|\\| \xF0\x9F.. x y \\|\\|\\| 0-0 1-2 2-1"),
                    MatchesRegex("a b \xF0\x9F.. \\|\\|\\| x y \xF0\x9F.. \\|\\|\\| 0-1 1-0 2-2"),
                    MatchesRegex("a \xF0\x9F.. b \\|\\|\\| x y \xF0\x9F.. \\|\\|\\| 0-1 1-2 2-0"),
                    MatchesRegex("a b \xF0\x9F.. \\|\\|\\| x \xF0\x9F.. y \\|\\|\\| 0-2 1-0 2-1")));
  const auto all = aligned("a b", "x y", "0-1 1-0").texts(always(&AugmentConfig::emoji));
  EXPECT_THAT(all, testing::Contains(MatchesRegex("a .... b .*")));
  EXPECT_THAT(all, testing::Contains(MatchesRegex("a b .... .* x .... y .*")));
}

TEST(Augmenter, MakesUpWebAddresses) {
  holds({"data.augment.urls"});
  for (const std::string& text : sentences("a", "x").texts(always(&AugmentConfig::urls)))
    EXPECT_THAT(text, MatchesRegex(".*(https?://)?(www.)?[a-z]+\\.(com|org|net|eu|de|io)(/[a-z]+)?"
                                   "(\\?id=[0-9]+)?( x)?"));
  // A tag at the beginning stays there.
  for (const std::string& text : sentences(">>de<< a", "x").texts(always(&AugmentConfig::urls)))
    EXPECT_TRUE(text.starts_with(">>de<< ")) << text;
}

TEST(Augmenter, LeavesPairsAloneWhoseAlignmentDoesNotFit) {
  const AugmentConfig config = always(&AugmentConfig::upper_case);
  EXPECT_EQ(aligned("a b", "x", "1-0").text(config), "A B ||| X ||| 1-0");
  EXPECT_EQ(aligned("a b", "x", "2-0").text(config), "a b ||| x ||| 2-0");
}

TEST(Augmenter, AppliesOneModifierAfterTheOther) {
  AugmentConfig config = always(&AugmentConfig::upper_case);
  config.emoji = config.punctuation = 1;
  const Augmenter::Result result = sentences("a dog.", "ein Hund.").augmented(config);
  EXPECT_THAT(result.text.lines[0], AnyOf(MatchesRegex("A DOG ...."), MatchesRegex(".... A DOG")));
  std::vector<std::string> names;
  for (size_t i = 0; i < modifier_names().size(); ++i) {
    if (result.changed >> i & 1) names.push_back(modifier_names()[i]);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"punctuation", "upper_case", "emoji"}));
}

// Modifiers draw from streams of their own.
TEST(Augmenter, DrawsOneModifierIndependentOfTheOthers) {
  AugmentConfig some = noise(&AugmentConfig::typos, 0.5), more = some;
  some.typos->probability = more.typos->probability = 0.5;
  more.urls = 0.3;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Sentences data = sentences("Hund Katze Maus", "x");
    const auto few = data.augmented(some, seed), all = data.augmented(more, seed);
    EXPECT_NE(all.text.lines[0].find(few.text.lines[0]), std::string::npos);
  }
}

TEST(Augmenter, IsAFunctionOfSeedAndEpoch) {
  const AugmentConfig config = noise(&AugmentConfig::typos, 0.5);
  const Sentences data = sentences("Hund Katze Maus Elefant", "x");
  std::set<std::string> by_seed, by_epoch;
  for (int i = 0; i < 20; ++i) {
    const auto seed = static_cast<uint64_t>(i);
    EXPECT_EQ(data.augmented(config, seed).text.lines, data.augmented(config, seed).text.lines);
    by_seed.insert(data.augmented(config, seed).text.lines[0]);
    by_epoch.insert(data.augmented(config, 1, i).text.lines[0]);
  }
  EXPECT_GT(by_seed.size(), 15U);
  EXPECT_GT(by_epoch.size(), 15U);
}

}  // namespace
}  // namespace heed
