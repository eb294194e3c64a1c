// `heed summarize`: the work of `heed translate`, which has its own tests, with other defaults.
#include <gmock/gmock.h>

#include <set>

#include "base/utf8.h"
#include "cli/conversation.h"
#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Outcome run_on(const ToyWorkshop& workshop, const char* command, const Arguments& more,
               const std::string& input) {
  return workshop.run(joined({command, "runs/toy"}, more), input);
}

Outcome train(const ToyWorkshop& workshop, const std::vector<std::string>& settings) {
  Arguments arguments{"train", "toy.yaml"};
  for (const std::string& setting : settings) {
    arguments.emplace_back("--set");
    arguments.push_back(setting);
  }
  return workshop.run(arguments);
}

bool repeats_three(const std::string& line) {
  const std::vector<std::string> words = split_words(line);
  std::set<std::vector<std::string>> seen;
  for (size_t i = 0; i + 3 <= words.size(); ++i) {
    if (!seen.insert({words.begin() + i, words.begin() + i + 3}).second) return true;
  }
  return false;
}

class Summarize : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  static const ToyWorkshop& workshop() { return ToyWorkshop::trained(); }
  static std::vector<std::string> lines(const char* command, const Arguments& more,
                                        const std::string& input) {
    const Outcome outcome = run_on(workshop(), command, more, input);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return lines_of(outcome.out);
  }
};

constexpr const char* kRepeating = "a b c a b c\na\n\nd e f g\n";

TEST_F(Summarize, IsTranslateWithTheDefaultsOfSummaries) {
  holds({"--coverage-penalty", "--min-length", "--no-repeat-ngram"});
  const std::vector<std::string> found = lines("summarize", {"--nbest", "2"}, kRepeating);
  EXPECT_EQ(found, lines("translate",
                         {"--min-length", "3", "--no-repeat-ngram", "3", "--coverage-penalty",
                          "0.01", "--nbest", "2"},
                         kRepeating));
  for (const char* without : {"--min-length", "--no-repeat-ngram", "--coverage-penalty"})
    EXPECT_NE(found, lines("summarize", {"--nbest", "2", without, "0"}, kRepeating)) << without;
}

TEST_F(Summarize, RepeatsNothingAndHasThreeWordsWhereTranslateDoesOtherwise) {
  const std::vector<std::string> translated = lines("translate", {}, kRepeating);
  EXPECT_EQ(translated[0], "a b c a b c");
  EXPECT_EQ(translated[1], "a");
  const std::vector<std::string> found = lines("summarize", {}, kRepeating);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_FALSE(repeats_three(found[0])) << found[0];
  EXPECT_GE(split_words(found[1]).size(), 3u) << found[1];
  EXPECT_EQ(found[2], "");
  EXPECT_EQ(found[3], "d e f g");
}

TEST_F(Summarize, SaysHowItSearches) {
  const Outcome outcome = run_on(workshop(), "summarize", {"--beam", "4"}, "a b c\n");
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("search: {beam: 4,"), HasSubstr("coverage_penalty: 0.01"),
                    HasSubstr("min_length: 3"), HasSubstr("max_length_ratio: 0.5"),
                    HasSubstr("max_length_extra: 20"), HasSubstr("no_repeat_ngram: 3")));
  EXPECT_EQ(lines_of(outcome.err).size(), 1u);
  EXPECT_EQ(run_on(workshop(), "translate", {}, "a b c\n").err, "");
  EXPECT_THAT(workshop().run({"summarize", "--help"}).out,
              AllOf(HasSubstr("else 3"), HasSubstr("else 0.5"), HasSubstr("else 20"),
                    HasSubstr("else 0.01")));
}

TEST_F(Summarize, EveryKeyOfSearchIsAnOption) {
  holds({"--beam", "--length-penalty", "--coverage-penalty", "--min-length", "--max-length-ratio",
         "--max-length-extra", "--patience", "--allow-unknown", "--no-repeat-ngram",
         "--length-normalization", "--diversity-groups", "--diversity-strength",
         "--max-source-length", "--repetition-penalty", "--min-new-tokens", "--suppress-tokens",
         "--begin-suppress-tokens", "--distinct"});
  const std::string options =
      "--beam 4 --length-penalty 0.25 --coverage-penalty 0.75 --min-length 1 "
      "--max-length-ratio 1.5 --max-length-extra 7 --patience 2.5 --allow-unknown false "
      "--no-repeat-ngram 2 --length-normalization plain --diversity-groups 2 "
      "--diversity-strength 0.25 --max-source-length 9 --repetition-penalty 1.5 "
      "--min-new-tokens 1 --suppress-tokens a --suppress-tokens b --begin-suppress-tokens </s> "
      "--distinct true";
  const Outcome outcome = run_on(workshop(), "summarize", split_words(options), "a b c\n");
  EXPECT_THAT(
      outcome.err,
      HasSubstr("search: {beam: 4, length_penalty: 0.25, length_normalization: plain, "
                "coverage_penalty: 0.75, min_length: 1, min_new_tokens: 1, max_length_ratio: 1.5, "
                "max_length_extra: 7, max_source_length: 9, patience: 2.5, "
                "allow_unknown: false, diversity_groups: 2, diversity_strength: 0.25, "
                "no_repeat_ngram: 2, repetition_penalty: 1.5, suppress_tokens: [a, b], "
                "begin_suppress_tokens: [\"</s>\"], distinct: true}\n"));
  EXPECT_THAT(
      run_on(workshop(), "summarize", {"--allow-unknown", "true", "--max-length", "5"}, "a\n").err,
      AllOf(HasSubstr("allow_unknown: true"), HasSubstr("max_length_ratio: 0.0"),
            HasSubstr("max_length_extra: 5")));
}

TEST_F(Summarize, ObeysItsOptions) {
  holds({"heed summarize"});
  EXPECT_EQ(
      lines("summarize", {"--min-length", "0", "--no-repeat-ngram", "0", "--coverage-penalty", "0"},
            kRepeating),
      lines("translate", {}, kRepeating));
  for (const std::string& line : lines("summarize", {"--max-length", "2"}, kRepeating))
    EXPECT_LE(split_words(line).size(), 2u) << line;
  EXPECT_FAILS(run_on(workshop(), "summarize", {"--min-length", "5", "--max-length", "4"}, ""), 2,
               "--min-length 5 is more than --max-length 4");
}

TEST_F(Summarize, TheModelsOwnSettingsComeBeforeItsDefaults) {
  const ToyWorkshop own;
  const Outcome training = train(
      own, {"train.max_updates=5", "train.validate.metric=loss", "search.min_length=1",
            "search.max_length_extra=5", "search.no_repeat_ngram=2", "search.length_penalty=0.5"});
  ASSERT_EQ(training.exit_code, 0) << training.err;
  EXPECT_THAT(run_on(own, "summarize", {}, "a\n").err,
              AllOf(HasSubstr("length_penalty: 0.5"), HasSubstr("coverage_penalty: 0.01"),
                    HasSubstr("min_length: 1"), HasSubstr("max_length_ratio: 2.0"),
                    HasSubstr("max_length_extra: 5"), HasSubstr("no_repeat_ngram: 2")));
}

// A model that has learned to go on for forty words.
TEST_F(Summarize, EndsAtHalfTheSourceAndTwenty) {
  holds({"--coverage-penalty", "--max-length", "--min-length", "--no-repeat-ngram"});
  const ToyWorkshop own;
  std::string source, target;
  for (int i = 0; i < 200; ++i) {
    source += "a b\n";
    for (int word = 0; word < 40; ++word) target += word == 0 ? "c" : " c";
    target += '\n';
  }
  write_plainly(own / "train.src", source);
  write_plainly(own / "train.tgt", target);
  const Outcome training =
      train(own, {"train.max_updates=30", "train.validate.metric=loss", "train.validate.every=30"});
  ASSERT_EQ(training.exit_code, 0) << training.err;
  const Outcome outcome =
      run_on(own, "summarize", {"--no-repeat-ngram", "0"}, "a b\na b a b a b a b\n");
  const std::vector<std::string> found = lines_of(outcome.out);
  ASSERT_EQ(found.size(), 2u) << outcome.err;
  EXPECT_EQ(split_words(found[0]).size(), 21u);
  EXPECT_EQ(split_words(found[1]).size(), 24u);
  EXPECT_THAT(outcome.err,
              HasSubstr("cut or shortened by the maximum length; a larger max_length_ratio or "
                        "max_length_extra allows more: line 1 (21 tokens), "
                        "line 2 (24 tokens)\n"));
}

TEST_F(Summarize, HasNoCoveragePenaltyWhereAttentionHasNoWeights) {
  const ToyWorkshop own;
  const Outcome training = train(
      own, {"train.max_updates=5", "train.validate.metric=loss", "model.decoder.attention=none"});
  ASSERT_EQ(training.exit_code, 0) << training.err;
  const Outcome outcome = run_on(own, "summarize", {}, "a b c\n");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("coverage_penalty: 0.0"));
  for (const char* command : {"summarize", "translate"}) {
    EXPECT_FAILS(run_on(own, command, {"--coverage-penalty", "0.2"}, "a\n"), 2,
                 "needs attention weights over the source");
    EXPECT_EQ(run_on(own, command, {"--coverage-penalty", "0"}, "a\n").exit_code, 0);
    EXPECT_FAILS(run_on(own, command, {"--replace-unknown"}, "a\n"), 2,
                 "--replace-unknown needs attention weights over the source");
    EXPECT_FAILS(run_on(own, command, {"--alignments", (own / "links").string()}, "a\n"), 2,
                 "--alignments needs attention weights over the source");
  }
}

TEST_F(Summarize, WritesWhatTranslateWrites) {
  holds({"heed summarize"});
  const auto written = [](const char* command, const Arguments& more) {
    lines(command, joined({"--attention", "weights", "-o", "out", "--min-length", "3"}, more),
          "d e f g\n\nb c d\n");
    return workshop().read("weights") + workshop().read("out");
  };
  for (const Arguments& more :
       {Arguments{"--nbest", "3"}, {"--alignments", "links", "--replace-unknown"}}) {
    Arguments same = more;
    same.insert(same.end(), {"--no-repeat-ngram", "3", "--coverage-penalty", "0.01"});
    EXPECT_EQ(written("summarize", more), written("translate", same));
  }
  EXPECT_EQ(workshop().read("links"), "0-0 1-1 2-2 3-3\n\n0-0 1-1 2-2\n");
}

TEST_F(Summarize, AnswersEachLineAtOnce) {
  holds({"heed summarize"});
  const Conversation conversation({"summarize", "runs/toy", "--interactive"}, workshop().path());
  EXPECT_EQ(conversation.answer("d e f g\n"), "d e f g\n");
  EXPECT_EQ(conversation.answer("b c d\n"), "b c d\n");
  EXPECT_EQ(conversation.end(), 0);
}

}  // namespace
}  // namespace heed
