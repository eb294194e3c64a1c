// `heed translate --constraints` and `--avoid`.
#include <gmock/gmock.h>

#include "cli/nbest_line.h"
#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;

class ConstraintsOfTheProgram : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  // Its translations repeat the source.
  static const ToyWorkshop& workshop() { return ToyWorkshop::trained(); }
  static std::vector<std::string> sources() { return lines_of(workshop().read("valid.src")); }
  static Outcome outcome_of(const Arguments& options, const char* command = "translate") {
    return workshop().run(joined({command, "runs/toy", "-i", "valid.src"}, options));
  }
  static std::vector<std::string> translations(const Arguments& options,
                                               const char* command = "translate") {
    const Outcome outcome = outcome_of(options, command);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return lines_of(outcome.out);
  }
  // A line for each source line.
  template <class LineOf>
  static void write(const std::string& name, const LineOf& line_of) {
    std::string text;
    for (const std::string& source : sources()) text += line_of(source) + "\n";
    write_plainly(workshop() / name, text);
  }
  static bool has_words(const std::string& line, const std::string& words) {
    return (" " + line + " ").find(" " + words + " ") != std::string::npos;
  }
  static void expect_refused(const Arguments& options, int code, const std::string& part) {
    const Outcome outcome = outcome_of(options);
    EXPECT_EQ(outcome.exit_code, code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr(part));
  }
};

TEST_F(ConstraintsOfTheProgram, PhrasesOccurInEachTranslation) {
  holds({"--constraints"});
  write("phrases", [](const std::string& source) {
    return source.size() % 4 == 1 ? std::string() : std::string("j c\ta");
  });
  for (const char* command : {"translate", "summarize"}) {
    const Arguments options = {"--beam", "8", "--max-length", "20"};
    const auto free = translations(options, command),
               found = translations(joined(options, {"--constraints", "phrases"}), command),
               alone = translations(
                   joined(options, {"--constraints", "phrases", "--batch", "1", "--workers", "1"}),
                   command);
    EXPECT_EQ(found, alone);
    ASSERT_EQ(found.size(), sources().size());
    int64_t constrained = 0;
    for (size_t i = 0; i < found.size(); ++i) {
      if (sources()[i].size() % 4 == 1) {
        EXPECT_EQ(found[i], free[i]);
      } else {
        ++constrained;
        EXPECT_TRUE(has_words(found[i], "j c") && has_words(found[i], "a")) << found[i];
      }
    }
    EXPECT_GT(constrained, 10);
  }
}

TEST_F(ConstraintsOfTheProgram, AvoidedPhrasesOccurInNone) {
  holds({"--avoid"});
  write("avoided", [](const std::string& source) { return source.substr(0, 3) + "\td"; });
  for (const char* command : {"translate", "summarize"}) {
    const auto found = translations({"--avoid", "avoided", "--beam", "4"}, command);
    ASSERT_EQ(found.size(), sources().size());
    for (size_t i = 0; i < found.size(); ++i) {
      EXPECT_FALSE(has_words(found[i], sources()[i].substr(0, 3))) << found[i];
      EXPECT_FALSE(has_words(found[i], "d")) << found[i];
    }
  }
}

TEST_F(ConstraintsOfTheProgram, StandBesidePrefixesAndNBest) {
  holds({"--prefix", "--nbest"});
  write("beginnings", [](const std::string&) { return std::string("b"); });
  write("ends", [](const std::string&) { return std::string("f e"); });
  const auto lines = translations({"--prefix", "beginnings", "--constraints", "ends", "--nbest",
                                   "3", "--beam", "12", "--max-length", "20"});
  ASSERT_EQ(lines.size(), 3 * sources().size());
  for (const std::string& line : lines) {
    const std::string text = parse_nbest(line).text;
    EXPECT_TRUE(text.starts_with("b ") && has_words(text, "f e")) << text;
  }
}

// Half a million tokens would be decoded one by one, for minutes.
TEST_F(ConstraintsOfTheProgram, OfAMegabyteEndAtOnce) {
  std::string words, phrases;
  for (int i = 0; i < 250'000; ++i) words += "a b ", phrases += "a\tb\t";
  write_plainly(workshop() / "one", "a b\n");
  write_plainly(workshop() / "words", words + "\n");
  write_plainly(workshop() / "phrases", phrases + "\n");
  for (const Arguments& options :
       {Arguments{"--prefix", "words"}, Arguments{"--constraints", "words"},
        Arguments{"--constraints", "phrases", "--beam", "8"}}) {
    const Outcome outcome = workshop().run(joined({"translate", "runs/toy", "-i", "one"}, options));
    EXPECT_FAILS(outcome, 3,
                 "line 1: its prefix and the phrases that it has to contain have 500,000 tokens, "
                 "expected at most 2,048");
  }
  for (const auto& [source, target, side] :
       {std::tuple{"words", "one", "source"}, {"one", "words", "target"}})
    EXPECT_FAILS(workshop().run({"score", "runs/toy", "-s", source, "-t", target}), 3,
                 fmt::format("line 1: the {} has 500,0", side));
  EXPECT_EQ(workshop().run({"translate", "runs/toy", "-i", "one", "--avoid", "phrases"}).exit_code,
            0);
}

TEST_F(ConstraintsOfTheProgram, RefuseFilesAndOptionsThatDoNotFit) {
  write("phrases_of_all", [](const std::string&) { return std::string("a"); });
  write_plainly(workshop() / "two_phrases", "a\nb\n");
  expect_refused({"--constraints", "two_phrases"}, 3,
                 "two_phrases: has 2 lines, expected one for each source line");
  expect_refused({"--avoid", "nowhere"}, 5, "nowhere");
  expect_refused({"--constraints", "phrases_of_all", "--sample"}, 2, "leave --sample out");
  expect_refused({"--constraints", "phrases_of_all", "--beam", "4", "--diversity-groups", "2"}, 2,
                 "give --diversity-groups 1");
  expect_refused({"--constraints", "-", "--avoid", "-"}, 2,
                 "--constraints - and --avoid -: only one of them can be standard input");
}

}  // namespace
}  // namespace heed
