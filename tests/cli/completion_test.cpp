// `heed completion` in the shells that are here, and the manual pages, beside what --help says.
#include <gmock/gmock.h>

#include <map>
#include <regex>

#include "cli/program.h"
#include "holds.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::string printed(const Arguments& arguments) {
  const Outcome outcome = run_heed(arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return outcome.out;
}

std::vector<std::string> all_matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
    found.push_back((*match)[1]);
  return found;
}

// The commands that have none below them, with the long options of each, as --help lists them.
void add_commands(const Arguments& command, std::map<Arguments, std::vector<std::string>>& all) {
  const std::string help = printed(joined(command, {"--help"}));
  const size_t below = help.find("\nSubcommands:\n");
  if (below == std::string::npos) {
    all[command] = all_matches(help, std::regex("\n  (?:-\\w,)?(--[a-z][a-z-]*)"));
    return;
  }
  for (const std::string& name : all_matches(help.substr(below), std::regex("\n  (\\w+)")))
    add_commands(joined(command, {name}), all);
}
const std::map<Arguments, std::vector<std::string>>& commands() {
  static const auto all = [] {
    std::map<Arguments, std::vector<std::string>> found;
    add_commands({}, found);
    return found;
  }();
  return all;
}

bool has_program(const std::string& name) {
  return std::system(("command -v " + name + " > /dev/null").c_str()) == 0;
}

// One word of a command line for each test.
struct Shell {
  const char* name;
  const char*
      ask;  // defines `ask WORD…`, which prints what may stand for the last word, a line each
};
void PrintTo(const Shell& shell, std::ostream* out) { *out << shell.name; }

const Shell kBash{"bash",
                  "ask() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _heed; "
                  "printf '%s\\n' \"${COMPREPLY[@]}\"; }\n"};
const Shell kFish{"fish",
                  "function ask; complete -C \"$argv\" | string split -f 1 \\t; true; end\n"};

class CompletionOfTheShell : public testing::TestWithParam<Shell> {
 protected:
  void SetUp() override {
    if (!has_program(GetParam().name)) GTEST_SKIP() << "there is no " << GetParam().name;
    write_plainly(folder_ / "script", printed({"completion", GetParam().name}) + GetParam().ask);
    write_plainly(folder_ / "corpus.en", "");
  }
  std::vector<std::string> ask(const std::string& words) const {
    write_plainly(folder_ / "question", "source ./script\nask " + words + "\n");
    const std::string command = "cd " + folder_.path().string() + " && HOME=. " + GetParam().name +
                                " question > answer 2> errors";
    EXPECT_EQ(std::system(command.c_str()), 0) << words;
    EXPECT_EQ(read_plainly(folder_ / "errors"), "") << words;
    return lines_of(read_plainly(folder_ / "answer"));
  }

  TemporaryFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(All, CompletionOfTheShell, testing::Values(kBash, kFish),
                         [](const auto& shell) { return std::string(shell.param.name); });

TEST_P(CompletionOfTheShell, KnowsCommandsOptionsAndTheirValues) {
  holds({"heed completion"});
  EXPECT_THAT(ask("heed tr"), testing::UnorderedElementsAre("train", "translate", "trim"));
  EXPECT_THAT(ask("heed plot cu"), testing::ElementsAre("curves"));
  EXPECT_THAT(ask("heed ''"), AllOf(Contains("config"), Not(Contains("manual"))));
  EXPECT_THAT(ask("heed translate --leng"),
              testing::UnorderedElementsAre("--length-normalization", "--length-penalty"));
  EXPECT_THAT(ask("heed translate --format j"),
              testing::UnorderedElementsAre("json", "json-texts"));
  EXPECT_THAT(ask("heed completion z"), testing::ElementsAre("zsh"));
  EXPECT_THAT(ask("heed translate -i corp"), testing::ElementsAre("corpus.en"));
  EXPECT_THAT(ask("heed translate --nbest corp"), Not(Contains("corpus.en")));
}

TEST(Completion, HasEveryCommandAndOptionOfTheHelp) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = printed({"completion", shell});
    for (const auto& [command, options] : commands()) {
      EXPECT_NE(script.find(command.back()), std::string::npos) << shell;
      for (const std::string& option : options) {
        const std::string name = shell == std::string("fish") ? "-l " + option.substr(2) : option;
        EXPECT_NE(script.find(name), std::string::npos) << shell << " " << name;
      }
    }
  }
  EXPECT_FAILS(run_heed({"completion", "csh"}), 2, "csh");
}

TEST(Completion, IsReadByZsh) {
  if (!has_program("zsh")) GTEST_SKIP() << "there is no zsh";
  const TemporaryFolder folder;
  write_plainly(folder / "_heed", printed({"completion", "zsh"}));
  const std::string command = "cd " + folder.path().string() +
                              " && zsh -f -c 'compdef() { print $2 }; source ./_heed; "
                              "_arguments() { print -l -- $@ }; _heed_translate' > out 2> err";
  ASSERT_EQ(std::system(command.c_str()), 0) << read_plainly(folder / "err");
  EXPECT_EQ(read_plainly(folder / "err"), "");
  EXPECT_THAT(read_plainly(folder / "out"),
              AllOf(testing::StartsWith("heed\n"), HasSubstr(":NAME:(text json json-texts tsv)")));
}

TEST(Manual, HasAPageOfEachCommandWithItsOptions) {
  const TemporaryFolder folder;
  EXPECT_EQ(printed({"manual", folder.path().string()}), "");
  for (const auto& [command, options] : commands()) {
    std::string name = "heed";
    for (const std::string& word : command) name += "-" + word;
    std::string page = read_plainly(folder / (name + ".1"));
    page = std::regex_replace(page, std::regex("\\\\-"), "-");
    EXPECT_THAT(page, HasSubstr("\n.SH NAME\n" + name + " - "));
    for (const std::string& option : options)
      EXPECT_THAT(page, HasSubstr("\\fB" + option + "\\fR")) << name;
  }
  if (!has_program("groff")) GTEST_SKIP() << "there is no groff to read the pages";
  const std::string command =
      "cd " + folder.path().string() +
      " && for page in *.1; do groff -ww -man -Tutf8 -z $page; done 2> warnings";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(read_plainly(folder / "warnings"), "");
}

}  // namespace
}  // namespace heed
