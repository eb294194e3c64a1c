#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <chrono>
#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/descriptor.h"
#include "base/file.h"
#include "base/utf8.h"
#include "cli/conversation.h"
#include "cli/nbest_line.h"
#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

class Translate : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  // Lines of standard output of a run that has to succeed.
  std::vector<std::string> lines(Arguments arguments, const std::string& input = "") const {
    arguments.insert(arguments.begin(), {"translate", "runs/toy"});
    const Outcome outcome = workshop().run(arguments, input);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return lines_of(outcome.out);
  }
  static const ToyWorkshop& workshop() { return ToyWorkshop::trained(); }
};

TEST_F(Translate, HasLearnedToCopy) {
  holds({"--input", "--output"});
  const std::vector<std::string> found = lines({"-i", "valid.src"});
  const std::vector<std::string> expected = lines_of(workshop().read("valid.tgt"));
  ASSERT_EQ(found.size(), expected.size());
  size_t right = 0;
  for (size_t i = 0; i < found.size(); ++i) right += found[i] == expected[i] ? 1 : 0;
  EXPECT_GE(right, 45u);
}

TEST_F(Translate, LineNBelongsToLineNAndEmptyLinesStayEmpty) {
  holds({"heed translate"});
  EXPECT_EQ(lines({}, "a b c\n\n  \nd\n"), (std::vector<std::string>{"a b c", "", "", "d"}));
  EXPECT_EQ(lines({}, ""), std::vector<std::string>{});
}

TEST_F(Translate, GivesTheSameTextAtEveryBatchSizeAndNumberOfWorkers) {
  const std::vector<std::string> expected = lines({"-i", "valid.src"});
  EXPECT_EQ(lines({"-i", "valid.src", "--batch", "1"}), expected);
  EXPECT_EQ(lines({"-i", "valid.src", "--batch", "7", "--workers", "2"}), expected);
}

// The lines are longer than those of training, so the model is unsure of them.
TEST_F(Translate, BeamDecidesWhatIsFound) {
  holds({"--beam"});
  std::string input;
  for (const std::string& line : lines_of(toy_lines(3, 30))) input += line + " " + line + " a\n";
  const std::vector<std::string> usual = lines({}, input);
  EXPECT_EQ(lines({"--beam", "5"}, input), usual);
  EXPECT_NE(lines({"--beam", "1"}, input), usual);
  EXPECT_NE(lines({"--beam", "40", "--nbest", "5"}, input), lines({"--nbest", "5"}, input));
}

TEST_F(Translate, SmallBatchesTakeLessMemory) {
  holds({"--batch"});
  write_plainly(workshop() / "many", toy_lines(4, 4000));
  const auto memory = [&](const char* batch) {
    return run_heed({"translate", "runs/toy", "-i", "many", "--workers", "1", "--batch", batch},
                    {.folder = workshop().path(), .anew = true})
        .peak_memory;
  };
  EXPECT_GT(memory("4000"), memory("8") + 50'000);
}

TEST_F(Translate, WorkersAreThreads) {
  holds({"--workers"});
  write_plainly(workshop() / "many", toy_lines(4, 4000));
  const auto most_threads = [&](const char* workers) {
    Running running({"translate", "runs/toy", "-i", "many", "--workers", workers},
                    {.folder = workshop().path()});
    int64_t most = 0;
    for (; !running.has_ended(); usleep(1000)) most = std::max(most, running.threads());
    EXPECT_EQ(running.wait().exit_code, 0);
    return most;
  };
  EXPECT_GE(most_threads("6"), most_threads("1") + 5);
}

TEST_F(Translate, AnEnsembleOfOneModelTwiceIsThatModel) {
  const std::vector<std::string> expected = lines({}, "a b c d\ne f\n");
  EXPECT_EQ(lines({"runs/toy/best"}, "a b c d\ne f\n"), expected);
}

TEST_F(Translate, WarnsOfInputThatIsNoLinesOfText) {
  const auto warning = [&](const std::string& name, const std::string& text) {
    write_plainly(workshop() / name, text);
    const Outcome outcome = workshop().run({"translate", "runs/toy", "-i", name});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(lines_of(outcome.out).size(), lines_of(text).size());
    return outcome.err;
  };
  EXPECT_THAT(
      warning("a.xml", "<?xml version=\"1.0\"?>\n<a>b</a>\n"),
      AllOf(HasSubstr("a.xml: looks like XML, and is read line by line as it is; convert it: "
                      "python3 -c"),
            HasSubstr("a.xml > a.txt")));
  EXPECT_THAT(warning("a.csv", "a b;c\nd;e\n"),
              AllOf(HasSubstr("a.csv: looks like semicolon-separated values"),
                    HasSubstr("| cut -f1 > a.txt")));
  EXPECT_THAT(warning("a.jsonl", "{\"source\": \"a b\"}\n"),
              HasSubstr("a.jsonl: looks like lines of JSON objects"));
  std::string latin1;
  for (int i = 0; i < 20; ++i) latin1 += "gr\xfcne T\xfcr\n";
  EXPECT_THAT(
      warning("latin1", latin1),
      HasSubstr("latin1: 20 of the first lines are malformed UTF-8; the file looks like ISO "
                "8859-1"));
  EXPECT_THAT(workshop().run({"translate", "runs/toy"}, "{\"source\": \"a b\"}\n").err,
              HasSubstr("standard input: looks like lines of JSON objects"));
  write_plainly(workshop() / "a.docx", "PK\x03\x04 word/document.xml");
  EXPECT_FAILS(workshop().run({"translate", "runs/toy", "-i", "a.docx"}), 3,
               "a.docx: a Word file, expected lines of text; save it as plain text");
}

TEST_F(Translate, RefusesToWriteIntoARun) {
  write_plainly(workshop() / "one", "a\n");
  const std::string config = workshop().read("runs/toy/config.yaml");
  EXPECT_FAILS(workshop().run({"translate", "runs/toy", "-i", "one", "-o",
                               "runs/toy/best/model/model.safetensors"}),
               2, "belongs to the model or checkpoint");
  EXPECT_FAILS(
      workshop().run({"translate", "runs/toy", "-i", "one", "-o", "runs/toy/latest/new.txt"}), 2,
      "belongs to the model or checkpoint");
  EXPECT_FAILS(workshop().run({"translate", "runs/toy", "-i", "one", "-o", "runs/toy/config.yaml"}),
               2, "belongs to the run");
  EXPECT_EQ(workshop().read("runs/toy/config.yaml"), config);
  EXPECT_EQ(workshop().run({"translate", "runs/toy", "-i", "one", "-o", "runs/toy/out"}).exit_code,
            0);
}

TEST_F(Translate, AClosedStandardOutputIsCode5) {
  const std::string command = "cd " + workshop().path().string() + " && echo a | " +
                              program_path() + " translate runs/toy >&- 2> closed.err";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 5);
  EXPECT_THAT(workshop().read("closed.err"), HasSubstr("standard output: cannot write"));
}

TEST_F(Translate, AClosedStandardInputIsCode5) {
  const std::string command = "cd " + workshop().path().string() + " && " + program_path() +
                              " translate runs/toy <&- > closed.out 2> closed.err";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 5);
  EXPECT_THAT(workshop().read("closed.err"), HasSubstr("standard input: cannot read"));
}

// The input is in another language, or tokenized in another way.
TEST_F(Translate, TellsOfLinesWhoseWordsAreUnknown) {
  const Outcome outcome =
      workshop().run({"translate", "runs/toy"}, "das ist ein Haus\na b c Haus\nNatascha a\n");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("mostly words that the model does not know; expected its "
                                     "source language, tokenized as its training data: line 1 "
                                     "(4 of 4 tokens)\n"));
  EXPECT_EQ(lines_of(outcome.out).size(), 3u);
}

// With a joint vocabulary no word of the target language is unknown.
TEST_F(Translate, TellsOfLinesOfTheTargetLanguage) {
  const ToyWorkshop own;
  for (const char* name : {"train.tgt", "valid.tgt"}) {
    std::string text = own.read(name);
    for (char& letter : text) letter = static_cast<char>(std::toupper(letter));
    write_plainly(own / name, text);
  }
  ASSERT_EQ(own.run({"train", "toy.yaml", "--set", "train.max_updates=1"}).exit_code, 0);
  const std::string warning =
      "looks like the model's target language, expected its source language: line 2 (4 words)\n";
  EXPECT_THAT(own.run({"translate", "runs/toy"}, "a b c d\nA B C D\n").err, HasSubstr(warning));
  write_plainly(own / "two.src", "a b c d\nA B C D\n");
  EXPECT_THAT(own.run({"score", "runs/toy", "-s", "two.src", "-t", "two.src"}).err,
              HasSubstr(warning));
  EXPECT_THAT(own.run({"translate", "runs/toy"}, "a b c d\n").err, Not(HasSubstr("language")));
}

// Opening a pipe for output waits for a reader.
TEST_F(Translate, EndsAtASignalWhileAPipeHasNoReader) {
  ASSERT_EQ(mkfifo((workshop() / "pipe").c_str(), 0600), 0);
  Running running({"translate", "runs/toy", "-i", "valid.src", "-o", "pipe"},
                  {.folder = workshop().path()});
  usleep(500'000);
  running.send(SIGTERM);
  EXPECT_EQ(running.wait().exit_code, 143);
  std::filesystem::remove(workshop() / "pipe");
}

TEST_F(Translate, WritesNBestInMosesFormat) {
  holds({"--nbest"});
  const std::vector<std::string> found = lines({"--nbest", "3"}, "a b\n\nc\n");
  ASSERT_EQ(found.size(), 7u);
  EXPECT_THAT(found[0], StartsWith("0 ||| a b ||| -"));
  EXPECT_THAT(found[1], StartsWith("0 ||| "));
  EXPECT_THAT(found[3], StartsWith("1 |||  ||| 0"));
  EXPECT_THAT(found[4], StartsWith("2 ||| c ||| -"));
  const auto score = [&](size_t i) { return std::stod(found[i].substr(found[i].rfind(' '))); };
  EXPECT_GE(score(0), score(1));
  EXPECT_GE(score(1), score(2));
}

TEST_F(Translate, WritesTextsAloneAsJson) {
  holds({"--format"});
  const Arguments list{"-i", "valid.src", "--nbest", "2", "--format"};
  const auto whole = lines(joined(list, {"json"})), texts = lines(joined(list, {"json-texts"}));
  ASSERT_EQ(texts.size(), whole.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    auto expected = nlohmann::json::parse(whole[i]);
    expected.erase("warnings");
    for (auto& one : expected["translations"]) {
      for (const char* key : {"finished", "tokens", "log_probabilities"}) one.erase(key);
    }
    EXPECT_EQ(nlohmann::json::parse(texts[i]), expected);
  }
}

TEST_F(Translate, WritesTheSecondsOfTheTranslationAlone) {
  holds({"--seconds"});
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = workshop().run(
      {"translate", "runs/toy", "-i", "valid.src", "-o", "timed", "--seconds", "seconds"});
  const double all =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const double seconds = std::stod(workshop().read("seconds"));
  EXPECT_GT(seconds, 0);
  EXPECT_LT(seconds, all);
  ASSERT_EQ(
      workshop()
          .run({"summarize", "runs/toy", "-i", "valid.src", "-o", "short", "--seconds", "own"})
          .exit_code,
      0);
  EXPECT_GT(std::stod(workshop().read("own")), 0);
  const auto refused = [](const Arguments& options) {
    return workshop().run(
        joined({"translate", "runs/toy", "-i", "valid.src", "-o", "again"}, options));
  };
  EXPECT_FAILS(refused({"--seconds", "again"}), 2, "is the same file as");
  EXPECT_EQ(refused({"--seconds", "s", "--shard", "1/2"}).exit_code, 2);
  EXPECT_EQ(refused({"--seconds", "s", "--document"}).exit_code, 2);
}

TEST_F(Translate, NBestWiderThanTheBeamIsRefused) {
  EXPECT_FAILS(workshop().run({"translate", "runs/toy", "--nbest", "4", "--beam", "3"}), 2,
               "--beam 4");
  EXPECT_FAILS(workshop().run({"translate", "runs/toy", "--nbest", "4", "--set", "search.beam=3"}),
               2, "--beam 4");
}

TEST_F(Translate, ObeysLengthLimits) {
  holds({"--max-length", "--min-length"});
  for (const std::string& line :
       lines({"--min-length", "4", "--max-length", "4", "--beam", "2"}, "a b\na b c d e f\n")) {
    EXPECT_EQ(std::count(line.begin(), line.end(), ' '), 3) << line;
  }
}

TEST_F(Translate, WritesAttentionAsJson) {
  holds({"--attention"});
  lines({"--attention", "attention.jsonl", "-o", "out"}, "a b c\n\nd\n");
  const std::vector<std::string> written = lines_of(workshop().read("attention.jsonl"));
  ASSERT_EQ(written.size(), 3u);
  const auto json = nlohmann::json::parse(written[0]);
  EXPECT_EQ(json["line"], 1);
  EXPECT_EQ(json["source"], (std::vector<std::string>{"a", "b", "c", "</s>"}));
  ASSERT_EQ(json["weights"].size(), json["target"].size());
  for (const auto& row : json["weights"]) {
    ASSERT_EQ(row.size(), 4u);
    double sum = 0;
    for (double weight : row) sum += weight;
    EXPECT_NEAR(sum, 1, 1e-4);
  }
  EXPECT_EQ(nlohmann::json::parse(written[1])["target"], nlohmann::json::array());
}

// Each piece is a word here, so the alignment is the largest weight of each row except that of
// </s>, over all columns except that of </s>.
TEST_F(Translate, WritesAlignmentsThatFollowFromTheWeights) {
  holds({"--alignments", "--input", "--output"});
  lines({"--alignments", "alignments", "--attention", "weights", "-o", "out"}, "a b c\n\n");
  EXPECT_EQ(workshop().read("out"), "a b c\n\n");
  const auto json = nlohmann::json::parse(lines_of(workshop().read("weights"))[0]);
  std::string expected;
  for (size_t t = 0; t + 1 < json["weights"].size(); ++t) {
    const auto row = json["weights"][t].get<std::vector<double>>();
    const auto source = std::max_element(row.begin(), row.end() - 1) - row.begin();
    expected += (t == 0 ? "" : " ") + std::to_string(source) + "-" + std::to_string(t);
  }
  EXPECT_EQ(workshop().read("alignments"), expected + "\n\n");
}

// Each alignment equals that of the translation alone, and the one in the JSON list.
TEST_F(Translate, WritesAlignmentsOfAllTranslationsOfAList) {
  lines({"--nbest", "3", "--alignments", "of_list", "-o", "list"}, "a b c\nd\n");
  lines({"--alignments", "of_best", "-o", "best"}, "a b c\nd\n");
  const std::vector<std::string> all = lines_of(workshop().read("of_list")),
                                 best = lines_of(workshop().read("of_best"));
  ASSERT_EQ(all.size(), lines_of(workshop().read("list")).size());
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[0], best[0]);
  EXPECT_EQ(all[3], best[1]);
  for (const char* format : {"text", "json"})
    lines({"--nbest", "3", "--alignments", format, "--format", format, "-o", "list"}, "a b c\nd\n");
  EXPECT_EQ(workshop().read("json"), workshop().read("text"));
}

// Seven of the ten letters are unknown to this model.
TEST_F(Translate, ReplacesUnknownWordsByThoseOfTheSource) {
  const ToyWorkshop own;
  const Outcome training =
      own.run({"train", "toy.yaml", "--set", "train.max_updates=60", "--set",
               "train.validate.metric=loss", "--set", "text.source.vocabulary.max_size=3"});
  ASSERT_EQ(training.exit_code, 0) << training.err;
  const auto words = [&](const Arguments& more) {
    std::vector<std::vector<std::string>> lines;
    for (const std::string& line :
         lines_of(own.run(joined({"translate", "runs/toy", "-i", "valid.src"}, more)).out))
      lines.push_back(split_words(line));
    return lines;
  };
  const auto plain = words({}), replaced = words({"--replace-unknown"});
  const std::vector<std::string> sources = lines_of(own.read("valid.src"));
  ASSERT_EQ(plain.size(), sources.size());
  ASSERT_EQ(replaced.size(), sources.size());
  int unknown = 0;
  for (size_t i = 0; i < plain.size(); ++i) {
    ASSERT_EQ(replaced[i].size(), plain[i].size());
    for (size_t n = 0; n < plain[i].size(); ++n) {
      const bool was_unknown = plain[i][n] == "<unk>";
      unknown += was_unknown ? 1 : 0;
      EXPECT_THAT(replaced[i][n], was_unknown ? testing::Matcher<std::string>(
                                                    testing::AnyOfArray(split_words(sources[i])))
                                              : testing::Matcher<std::string>(plain[i][n]));
    }
  }
  EXPECT_GT(unknown, 0);
}

TEST_F(Translate, ReadsMalformedBytesAsReplacementAndWarnsWithTheLine) {
  const Outcome outcome = workshop().run({"translate", "runs/toy"}, "a b\nc\xff d\n");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(lines_of(outcome.out).size(), 2u);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("warn"), HasSubstr("line 2")));
}

// U+2028 ends a sentence; it becomes a space in the translation, which is one line.
TEST_F(Translate, SplitsLinesIntoSentences) {
  holds({"--split"});
  const auto own = lines_of(workshop().run({"translate", "runs/toy"}, "a b c\nd e\n").out);
  const Outcome split =
      workshop().run({"translate", "runs/toy", "--split"}, "a b c\u2028d e\n\nd e\n");
  EXPECT_EQ(split.exit_code, 0) << split.err;
  EXPECT_EQ(lines_of(split.out), (std::vector<std::string>{own[0] + " " + own[1], "", own[1]}));
  EXPECT_NE(workshop().run({"translate", "runs/toy"}, "a b c\u2028d e\n").out,
            own[0] + " " + own[1] + "\n");
  // Attention weights form two blocks; links count the words of the line.
  workshop().run({"translate", "runs/toy", "--split", "--attention", "weights", "--alignments",
                  "links", "-o", "out", "--nbest", "2"},
                 "a b c\u2028d e\n");
  const auto weights = nlohmann::json::parse(lines_of(workshop().read("weights")).at(0));
  EXPECT_EQ(weights["source"], nlohmann::json({"a", "b", "c", "</s>", "d", "e", "</s>"}));
  EXPECT_EQ(weights["weights"].size(), weights["target"].size());
  EXPECT_EQ(weights["weights"][0][5], 0);
  EXPECT_EQ(lines_of(workshop().read("links")).size(), 2u);
  EXPECT_EQ(lines_of(workshop().read("out")).size(), 2u);
}

TEST_F(Translate, GivesTheWarningsOfALineInItsObject) {
  const Outcome outcome =
      workshop().run({"translate", "runs/toy", "--format", "json"}, "a b c\nA ☃\u00c4\na b c d\n");
  const auto lines = lines_of(outcome.out);
  EXPECT_EQ(nlohmann::json::parse(lines[0])["warnings"], nlohmann::json::array());
  const auto warnings = nlohmann::json::parse(lines[1])["warnings"];
  ASSERT_EQ(warnings.size(), 2u) << lines[1];
  EXPECT_EQ(warnings[0]["kind"], "unknown");
  EXPECT_EQ(warnings[1]["kind"], "source_unlike");
  EXPECT_THAT(outcome.err, HasSubstr("begins with a capital letter, as hardly a line of the "
                                     "training data; translations may be poor: line 2\n"));
}

TEST_F(Translate, MissingInputAndUnwritableOutputAreCode5) {
  EXPECT_FAILS(workshop().run({"translate", "runs/toy", "-i", "nowhere"}), 5, "nowhere");
  EXPECT_FAILS(workshop().run({"translate", "runs/toy", "-o", "no/such/folder"}), 5,
               "no/such/folder: cannot write: there is no folder no/such; create it first");
  EXPECT_FAILS(workshop().run({"translate", "runs/toy", "-o", "/dev/full"}, "a\n"), 5,
               "No space left");
}

TEST_F(Translate, LeavesNothingUnderTheFinalNameIfTheDiskIsFull) {
  std::string input;
  for (int i = 0; i < 200; ++i) input += "a b c d e f\n";
  const Outcome outcome =
      run_heed({"translate", "runs/toy", "-o", "big", "--beam", "1"},
               {.input = input, .folder = workshop().path(), .largest_file = 500});
  EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
  for (const auto& entry : std::filesystem::directory_iterator(workshop().path())) {
    EXPECT_EQ(entry.path().filename().string().find("big"), std::string::npos) << entry.path();
  }
}

TEST_F(Translate, UnknownDeviceIsCode2) {
  holds({"--device"});
  EXPECT_FAILS(workshop().run({"translate", "runs/toy", "--device", "gpu"}), 2,
               "auto, cpu or cuda:N");
  EXPECT_FAILS(workshop().run({"translate", "runs/toy", "--device", "cuda:99"}), 2, "cuda:99");
}

TEST_F(Translate, InputsHaveToFitTheModel) {
  EXPECT_EQ(lines({"-i", "source=valid.src"}), lines({"-i", "valid.src"}));
  EXPECT_FAILS(workshop().run({"translate", "runs/toy", "-i", "valid.src", "-i", "valid.tgt"}), 2,
               "source");
}

TEST_F(Translate, InteractiveAnswersEachLineAtOnce) {
  holds({"--interactive"});
  const Conversation conversation({"translate", "runs/toy", "--interactive"}, workshop().path());
  EXPECT_EQ(conversation.answer("a b\n"), "a b\n");
  EXPECT_EQ(conversation.answer("c\n"), "c\n");
  EXPECT_EQ(conversation.end(), 0);
}

TEST_F(Translate, AnswersEachLineAtOnceOnATerminal) {
  const Conversation conversation({"translate", "runs/toy"}, workshop().path(), true);
  EXPECT_EQ(conversation.answer("a b\n"), "a b\n");
  EXPECT_EQ(conversation.answer("c\n"), "c\n");
  EXPECT_EQ(conversation.end(), 0);
}

TEST_F(Translate, WritesToAPipeBeforeTheTextEnds) {
  const Conversation conversation({"translate", "runs/toy"}, workshop().path());
  std::string text = "a b\n";
  for (int i = 1; i < 70; ++i) text += "c\n";
  EXPECT_EQ(conversation.answer(text), "a b\n");
  EXPECT_EQ(conversation.end(), 0);
}

class Score : public Translate {};

TEST_F(Score, IsTheLogProbabilityThatSearchFound) {
  holds({"--source", "--target", "heed score"});
  const std::vector<std::string> best =
      lines({"-i", "valid.src", "--nbest", "1", "--length-penalty", "0"});
  std::string translations;
  std::vector<double> expected;
  for (const std::string& line : best) {
    const NbestLine found = parse_nbest(line);
    translations += found.text + "\n";
    expected.push_back(found.score);
  }
  write_plainly(workshop() / "translations", translations);
  const Outcome outcome = workshop().run(
      {"score", "runs/toy", "-s", "valid.src", "-t", "translations", "--batch", "7"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<std::string> scores = lines_of(outcome.out);
  ASSERT_EQ(scores.size(), expected.size());
  for (size_t i = 0; i < scores.size(); ++i) EXPECT_NEAR(std::stod(scores[i]), expected[i], 1e-4);
}

TEST_F(Score, IsTheSameOfTwoWorkersOnTheNamedDevice) {
  const auto scores = [](const Arguments& more) {
    return workshop().run(
        joined({"score", "runs/toy", "-s", "valid.src", "-t", "valid.tgt", "--batch", "7"}, more));
  };
  const Outcome one = scores({"--workers", "1"}),
                two = scores({"--workers", "2", "--device", "cpu"});
  EXPECT_EQ(two.exit_code, 0) << two.err;
  EXPECT_EQ(lines_of(two.out).size(), 50u);
  EXPECT_EQ(two.out, one.out);
  EXPECT_FAILS(scores({"--device", "cuda:99"}), 2, "cuda:99");
}

TEST_F(Score, WarnsOfATable) {
  write_plainly(workshop() / "one", "a b\n");
  write_plainly(workshop() / "table", "a b\ta b\n");
  const Outcome outcome = workshop().run({"score", "runs/toy", "-s", "one", "-t", "table"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("table: 1 of 1 lines have a tab; if it is a table"));
  const Outcome drawn = workshop().run({"plot", "attention", "runs/toy", "-i", "table"});
  EXPECT_THAT(drawn.err, HasSubstr("a tab in the line (if this is a table"));
}

TEST_F(Score, UnequalLinesAndMalformedTextAreCode3) {
  write_plainly(workshop() / "one", "a\n");
  write_plainly(workshop() / "bad", "a\xff\n");
  EXPECT_FAILS(workshop().run({"score", "runs/toy", "-s", "one", "-t", "valid.tgt"}), 3, "1 lines");
  EXPECT_FAILS(workshop().run({"score", "runs/toy", "-s", "one", "-t", "bad"}), 3, "line 1");
}

class EvaluateModel : public Translate {};

TEST_F(EvaluateModel, IsTranslateThenEvaluate) {
  holds({"--model", "--source"});
  workshop().run({"translate", "runs/toy", "-i", "valid.src", "-o", "hyp"});
  const Outcome apart =
      workshop().run({"evaluate", "-r", "valid.tgt", "-i", "hyp", "-m", "bleu", "exact"});
  const Outcome together = workshop().run({"evaluate", "-r", "valid.tgt", "--model", "runs/toy",
                                           "-s", "valid.src", "-m", "bleu", "exact"});
  EXPECT_EQ(together.exit_code, 0) << together.err;
  EXPECT_EQ(together.out, apart.out);
  write_plainly(workshop() / "short", "a b\n");
  EXPECT_FAILS(
      workshop().run({"evaluate", "-r", "valid.tgt", "--model", "runs/toy", "-s", "short"}), 3,
      "translations of short: 1 lines, but valid.tgt: ");
}

class Inspect : public Translate {};

TEST_F(Inspect, SaysWhatTheModelIs) {
  holds({"heed inspect"});
  const Outcome outcome = workshop().run({"inspect", "runs/toy"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("heed " HEED_VERSION), HasSubstr("14 words"),
                                 HasSubstr("updates              "), HasSubstr("that of source"),
                                 HasSubstr("additive (hidden 32) score, 1 head")));
  EXPECT_LE(lines_of(outcome.out).size(), 40U) << "one screen";
}

TEST_F(Inspect, ShowsTheStagesOfEachAttention) {
  const auto train = [](const std::string& run, const Arguments& settings) {
    Arguments arguments{"train", "toy.yaml", "--run", run, "--set", "train.max_updates=1"};
    for (const std::string& setting : settings)
      arguments.insert(arguments.end(), {"--set", setting});
    const Outcome outcome = workshop().run(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  };
  train("stages/global", {"model.decoder.attention={score: general}"});
  train("stages/local",
        {"model.decoder.attention={score: general, terms: [{type: window, radius: 3}], normalizer: "
         "sparsemax}",
         "model.encoder={type: transformer, layers: 1, width: 16, feed_forward: 16, "
         "self_attention: {score: relative, heads: 2, read: weighted_sum}}"});
  const std::string local = workshop().run({"inspect", "stages/local"}).out;
  EXPECT_THAT(local,
              HasSubstr("\n  attention          general score, 1 head, terms [window (radius "
                        "3)], normalizer sparsemax\n"));
  EXPECT_THAT(local,
              HasSubstr("\n  self_attention     relative score, 2 heads, read weighted_sum\n"));
  const std::string both = workshop().run({"inspect", "stages/global", "stages/local"}).out;
  const std::string different = both.substr(0, both.find("\n\nthe same in all\n"));
  EXPECT_THAT(different,
              ContainsRegex("\ndecoder, attention +general score, 1 head +general score"));
  EXPECT_THAT(different, ContainsRegex("\nencoder, self_attention +- +relative score"));
}

TEST_F(Inspect, PrintsTheConfigAlone) {
  holds({"--config"});
  const Outcome outcome = workshop().run({"inspect", "runs/toy", "--config"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("sources: [source]\n"));
  EXPECT_THAT(outcome.out, HasSubstr("type: additive"));
}

TEST_F(Inspect, AModelsConfigIsNoConfigToTrain) {
  const Outcome config = workshop().run({"inspect", "runs/toy", "--config"});
  write_plainly(workshop() / "model.yaml", config.out);
  const Outcome refused = workshop().run({"train", "model.yaml"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("model.yaml is the config of a trained model"));
}

TEST_F(Inspect, ComparesModels) {
  const Outcome outcome = workshop().run({"inspect", "runs/toy", "runs/toy/latest"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const size_t common = outcome.out.find("\n\nthe same in all\n");
  ASSERT_NE(common, std::string::npos) << outcome.out;
  const std::string different = outcome.out.substr(0, common);
  EXPECT_THAT(different, MatchesRegex("model +runs/toy +runs/toy/latest(.|\n)*"));
  for (const char* same : {"\nwritten by ", "\nparameters ", "\nvocabulary, source, hash "}) {
    EXPECT_THAT(different, Not(HasSubstr(same)));
    EXPECT_THAT(outcome.out.substr(common), HasSubstr(same));
  }
}

TEST_F(Inspect, WritesJson) {
  const Outcome outcome = workshop().run({"inspect", "runs/toy", "--format", "json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(json.size(), 1U);
  EXPECT_EQ(json[0]["config"]["model"]["decoder"]["attention"]["score"]["type"], "additive");
  EXPECT_EQ(json[0]["config"]["search"]["beam"], 5);
  EXPECT_EQ(json[0]["vocabularies"]["source"]["size"], 14);
  EXPECT_GT(json[0]["parameters"]["all"], 10000);
  EXPECT_FALSE(json[0]["training"]["validations"].empty());
}

class WrongModel : public Translate {};

TEST_F(WrongModel, IsCode4WithWhatWasMeant) {
  const auto expect = [](const Arguments& arguments, const std::string& part) {
    EXPECT_FAILS(workshop().run(arguments), 4, part);
  };
  for (const char* command : {"translate", "inspect"}) {
    expect({command, "nowhere"}, "nowhere");
    expect({command, "."}, ".");
    expect({command, "toy.yaml"}, "toy.yaml is a config; its run is runs/toy");
  }
  fs::copy(workshop() / "runs/toy/best/model", workshop() / "copied");
  fs::remove(workshop() / "copied/model.safetensors");
  expect({"translate", "copied"}, "copied/model.safetensors is missing: the model is damaged");
  fs::remove_all(workshop() / "copied");
  const fs::path run = workshop() / "runs/new";
  fs::create_directories(run / "checkpoints");
  write_plainly(run / "config.yaml", "");
  expect({"translate", "runs/new"}, "this run has no checkpoint yet; continue its training");
  const Descriptor lock = Descriptor::open_to_read(run);
  ASSERT_TRUE(lock.try_lock());
  for (const char* command : {"translate", "inspect"})
    expect({command, "runs/new"}, "runs/new is being trained and has no checkpoint yet");
  fs::remove_all(run);
}

TEST_F(WrongModel, ThatIsATextIsReadOtherwise) {
  const auto expect = [](const Arguments& arguments, const std::string& part) {
    EXPECT_FAILS(workshop().run(arguments), 4, part);
  };
  expect(
      {"translate", "runs/toy", "a b c."},
      "a b c.: there is no such model; text is read from standard input or a file: echo 'a b c.' "
      "| heed translate runs/toy\n");
  expect({"translate", "runs/toy", "Hello"}, "echo Hello | heed translate runs/toy\n");
  expect({"translate", "a b"}, "echo 'a b' | heed translate MODEL\n");
  expect({"translate", "runs/toy", std::string(300, 'a') + " b"}, "echo TEXT | heed translate");
  expect({"summarize", "runs/toy", "a b"}, "| heed summarize runs/toy\n");
  expect({"generate", "runs/toy", "a b"}, "| heed generate runs/toy -i -\n");
  expect({"plot", "attention", "runs/toy", "a b"}, "| heed plot attention runs/toy\n");
  expect({"translate", "runs/toy", "runs/tyo"}, "did you mean 'runs/toy'?");
}

class SearchOverride : public Translate {};

TEST_F(SearchOverride, IsTheOptionOfTheSameName) {
  holds({"--set"});
  const auto nbest = [](const Arguments& more) {
    return workshop().run(joined({"translate", "runs/toy", "--nbest", "2"}, more), "a b c d\n");
  };
  const Outcome by_option = nbest({"--length-penalty", "0"});
  const Outcome by_set = nbest({"--set", "search.length_penalty=0"});
  EXPECT_EQ(by_set.exit_code, 0) << by_set.err;
  EXPECT_EQ(by_set.out, by_option.out);
  EXPECT_NE(by_set.out, nbest({}).out);
  EXPECT_FAILS(nbest({"--set", "search.beem=3"}), 2, "did you mean 'beam'?");
  EXPECT_FAILS(nbest({"--set", "model.width=3"}), 2, "expected search.KEY=VALUE");
  EXPECT_FAILS(workshop().run({"evaluate", "-r", "valid.tgt", "--model", "runs/toy", "-s",
                               "valid.src", "--set", "search.beem=3"}),
               2, "did you mean 'beam'?");
}

class NbestLists : public Translate {};

TEST_F(NbestLists, AreNoText) {
  write_plainly(workshop() / "two.src", "a b\nc\n");
  const Outcome list = workshop().run({"translate", "runs/toy", "-i", "two.src", "--nbest", "1"});
  write_plainly(workshop() / "two.nbest", list.out);
  EXPECT_FAILS(workshop().run({"score", "runs/toy", "-s", "two.src", "-t", "two.nbest"}), 3,
               "two.nbest: an n-best list");
  EXPECT_FAILS(workshop().run({"evaluate", "-r", "two.src", "-i", "two.nbest"}), 3,
               "two.nbest: an n-best list");
}

class PlotAttention : public Translate {};

Outcome plot_attention(const Arguments& more, const std::string& input = "a b c\n") {
  return ToyWorkshop::trained().run(joined({"plot", "attention", "runs/toy"}, more), input);
}

TEST_F(PlotAttention, DrawsInTheTerminalAndAsFiles) {
  holds({"--html", "--line", "--svg", "heed plot attention"});
  EXPECT_THAT(plot_attention({"--line", "2"}, "a b\nc d e\n").out,
              AllOf(HasSubstr("c"), HasSubstr("d"), HasSubstr("e")));
  const Outcome files = plot_attention({"--svg", "a.svg", "--html", "a.html", "-o", "b.svg"});
  EXPECT_EQ(files.exit_code, 0) << files.err;
  EXPECT_EQ(files.out, "");
  EXPECT_THAT(workshop().read("a.svg"), StartsWith("<svg"));
  EXPECT_EQ(workshop().read("b.svg"), workshop().read("a.svg"));
  EXPECT_THAT(workshop().read("a.html"), HasSubstr("<html"));
  write_plainly(workshop() / "given", "f g h\n");
  EXPECT_THAT(plot_attention({"--target", "given"}).out, AllOf(HasSubstr("g"), HasSubstr("h")));
  EXPECT_FAILS(plot_attention({"-o", "b.jpg"}), 2,
               "expected a name that ends in .svg or .html or .pdf or .png");
  EXPECT_FAILS(plot_attention({"--svg", "b.pdf"}), 2, "expected a name that ends in .svg");
}

TEST_F(PlotAttention, SaysThatItCutsTheSource) {
  EXPECT_THAT(plot_attention({"--max-source-length", "2"}).err,
              HasSubstr("line 1: 3 tokens, cut to the first 2 (max_source_length)"));
  EXPECT_THAT(plot_attention({"--max-source-length", "3"}).err, Not(HasSubstr("cut")));
  std::string line;
  for (int i = 0; i < 1'001; ++i) line += "a ";
  EXPECT_FAILS(plot_attention({}, line + "\n"), 3,
               "line 1: 1,001 tokens of the source, expected 1,000 at most");
}

TEST_F(PlotAttention, ChoosesLayerAndHead) {
  holds({"--layer", "--head"});
  const Outcome usual = plot_attention({});
  EXPECT_THAT(usual.out, HasSubstr("decoder layer 1, attention over the source\nrows: target "
                                   "tokens, columns: source tokens"));
  for (const char* layer : {"1", "decoder.cross.1"})
    EXPECT_EQ(plot_attention({"--layer", layer, "--head", "1"}).out, usual.out);
  EXPECT_FAILS(plot_attention({"--layer", "2"}), 2, "expected one of decoder.cross.1");
  EXPECT_FAILS(plot_attention({"--head", "2"}), 2, "decoder.cross.1 has 1 head");
}

// Sum of the weights of each row, by its label, from the titles of the cells; weights below 0.004
// have no title.
std::map<std::string, double> row_sums(const std::string& svg) {
  const std::regex cell("<title>([^<]*) ← ([^<]*): ([0-9.]+)</title>");
  std::map<std::string, double> sums;
  for (std::sregex_iterator it(svg.begin(), svg.end(), cell), end; it != end; ++it)
    sums[(*it)[1]] += std::stod((*it)[3]);
  return sums;
}

TEST_F(PlotAttention, JoinsTheTokensOfAWord) {
  holds({"--words"});
  const ToyWorkshop characters;
  ASSERT_EQ(characters
                .run({"train", "toy.yaml", "--set", "text.source={type: characters}", "--set",
                      "train.max_updates=1", "--set", "train.validate.metric=loss"})
                .exit_code,
            0);
  write_plainly(characters / "given", "cd ab\n");
  const auto plot = [&characters](const Arguments& more) {
    const Outcome outcome = characters.run(
        joined({"plot", "attention", "runs/toy", "--target", "given", "-o", "m.svg"}, more),
        "ab cd\n");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return characters.read("m.svg");
  };
  const std::string words = plot({"--words"});
  EXPECT_THAT(words, HasSubstr("rows: target words, columns: source words"));
  for (const auto& [label, sum] : row_sums(words)) {
    EXPECT_THAT(label, testing::AnyOf("cd", "ab", "&lt;/s&gt;"));
    EXPECT_NEAR(sum, 1, 0.01) << label;
  }
  EXPECT_EQ(row_sums(words).size(), 3U);
  EXPECT_GT(row_sums(plot({})).size(), 4U) << "a row for each character";
}

}  // namespace
}  // namespace heed
