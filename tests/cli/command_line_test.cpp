#include <gmock/gmock.h>

#include <set>

#include "base/utf8.h"
#include "cli/opened_libraries.h"
#include "cli/program.h"
#include "cli/toy_corpus.h"
#include "cli/trained_model.h"
#include "holds.h"
#include "results/run_lines.h"

namespace heed {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::vector<Arguments> kCommands = {{"train"},
                                          {"translate"},
                                          {"summarize"},
                                          {"join"},
                                          {"generate"},
                                          {"score"},
                                          {"evaluate"},
                                          {"compare"},
                                          {"inspect"},
                                          {"average"},
                                          {"merge"},
                                          {"vocab"},
                                          {"tokenize"},
                                          {"shortlist"},
                                          {"align"},
                                          {"split"},
                                          {"config", "check"},
                                          {"config", "show"},
                                          {"config", "explain"},
                                          {"config", "reference"},
                                          {"config", "new"},
                                          {"attention"},
                                          {"attention", "list"},
                                          {"attention", "show"},
                                          {"attention", "reference"},
                                          {"runs"},
                                          {"completion"},
                                          {"plot", "attention"},
                                          {"plot", "curves"}};

TEST(CommandLine, HelpNamesEveryCommandAndTheExitCodes) {
  const Outcome outcome = run_heed({"--help"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const Arguments& command : kCommands) EXPECT_THAT(outcome.out, HasSubstr(command[0]));
  EXPECT_THAT(outcome.out, HasSubstr("6 training diverged"));
}

TEST(CommandLine, EveryCommandHasHelpAndEveryLongOptionIsExplained) {
  holds({"--help"});
  for (Arguments command : kCommands) {
    command.push_back("--help");
    const Outcome outcome = run_heed(command);
    EXPECT_EQ(outcome.exit_code, 0) << command[0];
    EXPECT_EQ(outcome.err, "");
    const std::vector<std::string> lines = lines_of(outcome.out);
    for (size_t i = 0; i < lines.size(); ++i) {
      const size_t option = lines[i].find("--");
      const size_t start = lines[i].find_first_not_of(' ');
      if (option == std::string::npos || start == 0 || lines[i][start] != '-') continue;
      // The explanation is in column 32, or on the next line if the option is long.
      const bool here = lines[i].size() > 32 && lines[i][31] == ' ';
      const bool below = i + 1 < lines.size() && lines[i + 1].find_first_not_of(' ') >= 32;
      EXPECT_TRUE(here || below) << lines[i];
    }
  }
}

TEST(CommandLine, HelpFitsATerminalAndHasHeadings) {
  for (Arguments command : kCommands) {
    command.push_back("--help");
    const std::string help = run_heed(command).out;
    EXPECT_THAT(help, Not(HasSubstr("\n\n\n"))) << command[0];
    std::set<std::string> headings;
    for (const std::string& line : lines_of(help)) {
      EXPECT_LE(display_width(line), 80u) << line;
      const bool is_heading = line.ends_with(":") && !line.starts_with(" ");
      EXPECT_TRUE(!is_heading || headings.insert(line).second) << line << " comes twice";
    }
  }
  EXPECT_THAT(run_heed({"train", "--help"}).out, HasSubstr("\nRun:\n"));
  EXPECT_THAT(run_heed({"score", "--help"}).out, HasSubstr("\nInput:\n"));
}

TEST(CommandLine, HelpNamesDocumentsByTheirPath) {
  for (Arguments command : kCommands) {
    command.push_back("--help");
    const std::string help = run_heed(command).out;
    for (size_t at = help.find(".md"); at != std::string::npos; at = help.find(".md", at + 1)) {
      const std::string word = help.substr(0, at).substr(help.find_last_of(" \n`(", at) + 1);
      EXPECT_EQ(word.rfind("docs/", 0), 0u) << command[0] << ": " << word;
    }
  }
}

TEST(CommandLine, VersionIsOneLine) {
  holds({"--version"});
  const Outcome outcome = run_heed({"--version"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "heed " HEED_VERSION "\n");
  EXPECT_EQ(outcome.err, "");
}

struct BadUsage {
  Arguments arguments;
  std::string part;
};

void PrintTo(const BadUsage& usage, std::ostream* out) {
  *out << "heed";
  for (const std::string& argument : usage.arguments) *out << ' ' << argument;
}

class BadUsages : public testing::TestWithParam<BadUsage> {};

TEST_P(BadUsages, EndWithCode2AndOneLine) {
  EXPECT_FAILS(run_heed(GetParam().arguments), 2, GetParam().part);
}

INSTANTIATE_TEST_SUITE_P(
    CommandLine, BadUsages,
    testing::Values(
        BadUsage{{}, "expected a command: train"},
        BadUsage{{"trian"}, "unknown command 'trian'; did you mean 'train'?"},
        BadUsage{{"trian", "--help"}, "unknown command 'trian'; did you mean 'train'?"},
        BadUsage{{"--help", "trian"}, "unknown command 'trian'; did you mean 'train'?"},
        BadUsage{{"trian", "--version"}, "unknown command 'trian'; did you mean 'train'?"},
        BadUsage{{"help", "--help"}, "unknown command 'help'; write --help"},
        BadUsage{{"config", "chekc", "--help"},
                 "unknown command 'chekc'; did you mean 'check'?; see `heed config --help`"},
        BadUsage{{"plot", "-h", "curvs"}, "unknown command 'curvs'; did you mean 'curves'?"},
        BadUsage{{"hlep"}, "unknown command 'hlep'; write --help behind the command"},
        BadUsage{{"resume"}, "did you mean 'heed train CONFIG --resume'?"},
        BadUsage{{"eval", "--help"}, "did you mean 'heed evaluate'?"},
        BadUsage{{"train"}, "CONFIG is required; see `heed train --help`"},
        BadUsage{
            {"train", "a.yaml", "--epochs", "3"},
            "unknown option '--epochs'; a key of the config is set by --set KEY=VALUE, such as "
            "--set train.max_epochs=3; see `heed train --help`"},
        BadUsage{{"train", "a.yaml", "--set", "train.max_updates", "100"},
                 "--set train.max_updates: expected KEY=VALUE without spaces: --set "
                 "train.max_updates=VALUE"},
        BadUsage{{"translate", "m", "--set", "search.beam", "3"},
                 "--set search.beam: expected KEY=VALUE without spaces"},
        BadUsage{{"--beam", "3", "translate", "m"},
                 "option '--beam' stands before the command; options of a command stand behind it: "
                 "heed translate … --beam; see `heed translate --help`"},
        BadUsage{{"plot", "--line=3", "attention", "m"}, "heed plot attention … --line;"},
        BadUsage{{"--baem", "3", "translate", "m"}, "did you mean '--beam'?"},
        BadUsage{{"translate", "m", "-input", "f"},
                 "unknown option '-input'; did you mean '--input'?; see `heed translate --help`"},
        BadUsage{{"evaluate", "-r", "f", "-metric=bleu"}, "did you mean '--metric'?"},
        BadUsage{{"translate", "m", "-s", "f"},
                 "unknown option '-s'; the source text is given by -i FILE"},
        BadUsage{{"translate", "-m", "m"},
                 "unknown option '-m'; the model is named without an option: heed translate MODEL"},
        BadUsage{{"score", "m", "-i", "f", "-t", "f"},
                 "unknown option '-i'; the source text is given by -s FILE"},
        BadUsage{{"score", "m", "--input", "f"}, "the source text is given by -s FILE"},
        BadUsage{{"evaluate", "-r", "f", "--model", "m", "-i", "f"},
                 "--input excludes --model: --input is text to evaluate, and the source text that "
                 "--model translates is given by -s; see"},
        BadUsage{{"train", "a.yaml", "b.yaml"}, "unexpected argument 'b.yaml'"},
        BadUsage{{"train", "a.yaml", "--dryrun"},
                 "unknown option '--dryrun'; did you mean '--dry-run'?"},
        BadUsage{{"train", "a.yaml", "--resume", "--overwrite"}, "--resume"},
        BadUsage{{"train", "a.yaml", "--auto-resume", "--overwrite"}, "--auto-resume"},
        BadUsage{{"train", "a.yaml", "--set"}, "--set"},
        BadUsage{{"translate"}, "MODEL is required"},
        BadUsage{{"translate", "m", "--bean=5"}, "unknown option '--bean'; did you mean '--beam'?"},
        BadUsage{{"translate", "m", "--beam", "0"}, "expected a whole number, from 1 to 1000"},
        BadUsage{{"translate", "m", "--beam", "010"}, "found '010'"},
        BadUsage{{"translate", "m", "--nbest", "1000000"}, "a whole number, from 1 to 1000"},
        BadUsage{{"translate", "m", "--min-length", "1000000"}, "a whole number, from 0 to 65000"},
        BadUsage{{"translate", "m", "--max-length", "1000000"}, "a whole number, from 1 to 65000"},
        BadUsage{{"translate", "m", "--batch", "1000000000"}, "a whole number, from 1 to 100000"},
        BadUsage{{"translate", "m", "--length-penalty", "1e308"}, "a number, from 0 to 100"},
        BadUsage{{"translate", "m", "--workers", "5000"}, "a whole number, from 1 to 1024"},
        BadUsage{{"translate", "m", "--beam", "five"}, "found 'five'"},
        BadUsage{{"translate", "m", "--beam", "99999999999999999999"}, "expected a whole number"},
        BadUsage{{"translate", "m", "--length-penalty", "nan"}, "found 'nan'"},
        BadUsage{{"translate", "m", "--coverage-penalty", "-1"}, "found '-1'"},
        BadUsage{{"translate", "m", "--workers", "0"}, "from 1 to 1024"},
        BadUsage{{"translate", "m", "-o", ""}, "--output: found '', expected a name"},
        BadUsage{{"evaluate", "-r", ""}, "--reference: found '', expected a name"},
        BadUsage{{"summarize"}, "MODEL is required"},
        BadUsage{{"summarize", "m", "--min-lenght=5"}, "did you mean '--min-length'?"},
        BadUsage{{"score", "m", "-s", "f"}, "--target is required"},
        BadUsage{{"score", "m", "-s", "a=-", "-t", "-"}, "only one of them can be standard input"},
        BadUsage{{"score", "m", "-s", "f", "-t", "f", "--nbest", "f"}, "--target excludes --nbest"},
        BadUsage{{"score", "m", "-s", "-", "--nbest", "-"}, "--source - and --nbest -"},
        BadUsage{{"score", "m", "-s", "f", "-t", "f", "--best"}, "requires --nbest"},
        BadUsage{{"score", "m", "-s", "f", "--nbest", "f", "--tokens"}, "requires --target"},
        BadUsage{{"score", "m", "-s", "f", "--nbest", "f", "--feature", "a="}, "found 'a='"},
        BadUsage{{"evaluate"}, "--reference is required"},
        BadUsage{{"evaluate", "-r", "f", "-m", "blue"}, "there is no metric 'blue'"},
        BadUsage{{"evaluate", "-r", "f", "--format", "xml"}, "--format"},
        BadUsage{{"evaluate", "-r", "f", "--model", "m"}, "--source"},
        BadUsage{{"evaluate", "-r", "f", "-s", "f"}, "--source needs --model or --baseline"},
        BadUsage{{"evaluate", "-r", "f", "--baseline", "lead:3"}, "--source"},
        BadUsage{{"evaluate", "-r", "f", "-s", "f", "--baseline", "lead:0"},
                 "found 'lead:0', expected lead:N"},
        BadUsage{{"evaluate", "-r", "f", "-s", "f", "--baseline", "first:3"},
                 "found 'first:3', expected lead:N"},
        BadUsage{{"evaluate", "-r", "f", "-s", "f", "-s", "g", "--baseline", "lead:3"},
                 "--baseline takes one --source, but 2 were given"},
        BadUsage{{"evaluate", "-r", "f", "-s", "f", "-i", "f", "--baseline", "lead:3"}, "--input"},
        BadUsage{{"evaluate", "-r", "f", "-s", "f", "--model", "m", "--baseline", "lead:3"},
                 "--baseline"},
        BadUsage{{"evaluate", "x"}, "unexpected argument 'x'; files are given by -r FILE, -i FILE"},
        BadUsage{{"evaluate", "-r", "f", "-i", "f", "--samples", "9"}, "requires --confidence"},
        BadUsage{{"evaluate", "-r", "f", "-i", "f", "--confidence", "--samples", "0"},
                 "a whole number, from 1 to 1000000"},
        BadUsage{{"evaluate", "-r", "f", "-i", "f", "--confidence", "--seed", "4294967296"},
                 "from 0 to 4294967295"},
        BadUsage{{"evaluate", "-r", "f", "-i", "f", "--confidence", "--sentences"}, "excludes"},
        BadUsage{{"evaluate", "-r", "f", "-i", "f", "-m", "chrf", "--chrf-char-order", "0"},
                 "0 characters and 0 words"},
        BadUsage{{"evaluate", "-r", "f", "-i", "f", "--smooth", "exq"}, "did you mean 'exp'?"},
        BadUsage{{"compare", "-r", "f"}, "SYSTEM is required"},
        BadUsage{{"compare", "a", "b"}, "--reference is required"},
        BadUsage{{"compare", "-r", "f", "a"}, "1 system was given, expected a baseline"},
        BadUsage{{"compare", "-r", "f", "a", "b", "--test", "t"}, "--test"},
        BadUsage{{"compare", "-r", "f", "a", "b", "-m", "chfr"}, "did you mean 'chrf'?"},
        BadUsage{{"compare", "-r", "f", "a", ""}, "found '', expected a name"},
        BadUsage{{"evaluate", "-r", "f", "-i", "f", "--beam", "3"}, "--beam requires --model"},
        BadUsage{{"evaluate", "-r", "f", "-i", "f", "--set", "search.beam=3"}, "--model"},
        BadUsage{{"translate", "m", "--beam", "3", "--set", "search.beam=8"},
                 "search.beam=8 is given beside --beam; leave one of them out"},
        BadUsage{{"translate", "m", "--set", "search.max_length_ratio=8", "--max-length", "3"},
                 "is given beside --max-length"},
        BadUsage{{"translate", "m", "--max-length-extra", "8", "--max-length", "3"},
                 "excludes --max-length"},
        BadUsage{
            {"translate", "m", "--allow-unknown", "false", "--set", "search.allow_unknown=true"},
            "is given beside --allow-unknown"},
        BadUsage{{"translate", "m", "--allow-unknown", "maybe"},
                 "found 'maybe', expected true or false"},
        BadUsage{{"translate", "m", "--patience", "0"}, "found '0', expected a number, above 0"},
        BadUsage{{"help"}, "unknown command 'help'; write --help"},
        BadUsage{{"config"}, "expected a command: check"},
        BadUsage{{"config", "chekc"}, "unknown command 'chekc'; did you mean 'check'?"},
        BadUsage{{"config", "new", "--source", "f"}, "--target is required"},
        BadUsage{{"plot"}, "expected a command: curves, attention"},
        BadUsage{{"plot", "attention", "m", "-i", "-", "--target", "-"},
                 "--input - and --target -"},
        BadUsage{
            {"compare", "-r", "f", "f", "f", "--source", "-", "--count-words", "-", "--html", "h"},
            "--source - and --count-words -"},
        BadUsage{{"plot", "attention", "m", "--title", "t", "--no-title"}, "excludes"},
        BadUsage{{"plot", "attention", "m", "--width", "0"}, "from 1 to 1000000"},
        BadUsage{{"plot", "attention", "m", "--line", "0"}, "expected a line from 1"},
        BadUsage{{"plot", "attention", "m", "--line", "2,x"}, "found 'x'"}));

TEST(CommandLine, HelpOfACommandIsPrintedWhateverElseIsGiven) {
  for (const Arguments& arguments : {Arguments{"train", "a.yaml", "b.yaml", "--help"},
                                     {"train", "--help", "--unknown"},
                                     {"config", "check", "a", "b", "--help"}}) {
    const Outcome outcome = run_heed(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("Usage: heed " + arguments[0]));
  }
}

// Help shows dots where an option takes several values: `--set a=1 b=2` would take b=2 for a
// separate argument.
TEST(CommandLine, HelpTellsListsFromWhatIsGivenAgain) {
  const std::string evaluate = run_heed({"evaluate", "--help"}).out;
  for (const char* list : {"--model MODEL ...", "--source FILE ...", "--reference FILE ..."})
    EXPECT_THAT(evaluate, HasSubstr(list));
  EXPECT_THAT(evaluate, HasSubstr("--set KEY=VALUE (repeatable)"));
  EXPECT_THAT(run_heed({"compare", "--help"}).out, HasSubstr("--reference FILE (repeatable)"));
}

TEST(CommandLine, ErrorsHaveNoColourWhereThereIsNoTerminal) {
  EXPECT_THAT(run_heed({"trian"}).err, Not(HasSubstr("\x1b")));
}

constexpr const char* kToyConfig =
    "run: run\ndata: {train: [{source: train.src, target: train.tgt}]}\ntext: {source: {type: "
    "words}, "
    "target: {type: words}}\ntrain: {max_updates: 1, workers: 1}\n";

TEST(CommandLine, WhatNeedsNoTensorsLoadsNoLibtorch) {
  const TemporaryFolder folder;
  write_plainly(folder / "ref", "a b c d\n");
  write_run(folder / "run", train_line(50, 6));
  write_toy_corpus(folder.path());
  const std::string config = folder / "toy.yaml";
  write_plainly(config, kToyConfig);
  for (const std::string& opened :
       {opened_libraries({"--help"}), opened_libraries({"--version"}),
        opened_libraries({"train", "--help"}), opened_libraries({"runs", folder / "run"}),
        opened_libraries({"plot", "curves", folder / "run", "-o", folder / "c.svg"}),
        opened_libraries({"evaluate", "-r", folder / "ref"}, "a b c d\n"),
        opened_libraries({"config", "explain", "seed"}), opened_libraries({"config", "reference"}),
        opened_libraries({"config", "show", config}), opened_libraries({"config", "check", config}),
        opened_libraries({"attention", "list"}), opened_libraries({"attention", "show", "alibi"}),
        opened_libraries({"vocab", config, "-o", folder / "text"}),
        opened_libraries({"compare", "-r", folder / "ref", folder / "ref", folder / "ref"})}) {
    EXPECT_THAT(opened, Not(HasSubstr("libtorch")));
    EXPECT_THAT(opened, Not(HasSubstr("libheed_tensors")));
  }
}

// The counts are those of the network, which `train --dry-run` builds.
TEST(CommandLine, InspectCountsParametersWithoutLibtorch) {
  SKIP_WITHOUT_TENSORS();
  const ToyWorkshop& workshop = ToyWorkshop::trained();
  const std::string run = (workshop / "runs/toy").string();
  EXPECT_THAT(opened_libraries({"inspect", run}), Not(HasSubstr("libtorch")));
  const auto parts = [&](const Outcome& outcome) {
    std::vector<std::string> rows;
    for (const std::string& line : lines_of(outcome.out)) {
      if (line.starts_with("  ") && line[2] != ' ' && line.size() == 61) rows.push_back(line);
    }
    return rows;
  };
  const std::vector<std::string> read = parts(workshop.run({"inspect", "runs/toy"}));
  const std::vector<std::string> built = parts(workshop.run({"train", "toy.yaml", "--dry-run"}));
  EXPECT_GT(read.size(), 3u);
  EXPECT_EQ(read, built);
}

TEST(CommandLine, TensorsAreLoadedWhereTheyAreNeeded) {
  SKIP_WITHOUT_TENSORS();
  const TemporaryFolder folder;
  write_toy_corpus(folder.path());
  write_plainly(folder / "toy.yaml", kToyConfig);
  write_plainly(folder / "long", toy_lines(5, 1) + "a b c d e f g h i j k l m n o p\n");
  const std::string set = fmt::format("{{source: {0}, target: {0}}}", (folder / "long").string());
  for (const std::string& setting :
       {std::string("train.freeze=[encoder]"), std::string("train.workers=2"), "data.valid=" + set,
        fmt::format("data.test={{t: {}}}", set)}) {
    SCOPED_TRACE(setting);
    EXPECT_THAT(opened_libraries({"config", "check", folder / "toy.yaml", "--set", setting}),
                HasSubstr("libtorch_cpu"));
  }
}

TEST(CommandLine, FullDiskIsCode5) {
  const Outcome outcome = run_heed({"--help"}, {.out_file = "/dev/full"});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
}

}  // namespace
}  // namespace heed
