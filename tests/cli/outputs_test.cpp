// Outputs of commands: path, permissions, atomic writing of several files, and refused paths.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "cli/faults.h"
#include "cli/trained_model.h"

namespace heed {
namespace {

using testing::AnyOf;
using testing::Eq;
using testing::HasSubstr;
using testing::Not;

class Outputs : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  static const ToyWorkshop& workshop() { return ToyWorkshop::trained(); }
  static std::string model() { return workshop() / "runs/toy"; }
  Outcome run(const Arguments& arguments, const std::string& input = "",
              const std::map<std::string, std::string>& environment = {}) const {
    return run_heed(arguments,
                    {.input = input, .environment = environment, .folder = folder_.path()});
  }
  TemporaryFolder folder_;
};

TEST_F(Outputs, AnInputIsNoOutput) {
  write_plainly(folder_ / "in", "a b\n");
  fs::create_symlink("in", folder_ / "link");
  fs::create_symlink("in", folder_ / "link.svg");
  fs::create_hard_link(folder_ / "in", folder_ / "hard");
  for (const char* name : {"./in", "link", "hard"})
    EXPECT_FAILS(run({"translate", model(), "-i", "in", "-o", name}), 2,
                 "is the same file as --input");
  for (const Arguments& arguments :
       {Arguments{"summarize", model(), "-i", "source=in", "-o", "in"},
        Arguments{"translate", model(), "-i", "in", "-o", "out", "--alignments", "in"},
        Arguments{"translate", model(), "-i", "in", "-o", "out", "--attention", "link"},
        Arguments{"translate", model(), "-i", "in", "-o", "out", "--alignments", "out"},
        Arguments{"score", model(), "-s", "in", "-t", "in", "-o", "hard"},
        Arguments{"plot", "attention", model(), "-i", "in", "--svg", "link.svg"},
        Arguments{"plot", "attention", model(), "-i", "in", "--svg", "a.svg", "-o", "a.svg"}}) {
    EXPECT_FAILS(run(arguments), 2, "is the same file as");
  }
  EXPECT_FAILS(run({"translate", model(), "-i", "in", "--alignments", "-"}), 2,
               "--output - and --alignments -: only one of them can be standard output");
  EXPECT_EQ(read_plainly(folder_ / "in"), "a b\n");
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"hard", "in", "link", "link.svg"}));
}

TEST_F(Outputs, KeepTheModeOfTheFileThatTheyReplace) {
  write_plainly(folder_ / "out", "old");
  ASSERT_EQ(chmod((folder_ / "out").c_str(), 0600), 0);
  EXPECT_EQ(run({"translate", model(), "-o", "out"}, "a b\n").exit_code, 0);
  struct stat status {};
  ASSERT_EQ(stat((folder_ / "out").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  EXPECT_EQ(read_plainly(folder_ / "out"), "a b\n");
}

TEST_F(Outputs, NoneAppearsIfOneCannotBeWritten) {
  for (const Arguments& second :
       {Arguments{"--alignments", "/dev/full"}, Arguments{"--attention", "/dev/full"}}) {
    EXPECT_FAILS(run(joined({"translate", model(), "-o", "out"}, second), "a b\n"), 5,
                 "No space left");
    EXPECT_EQ(folder_.names(), std::vector<std::string>{});
  }
  fs::create_symlink("/dev/full", folder_ / "full.html");
  EXPECT_FAILS(run({"plot", "attention", model(), "--svg", "map.svg", "-o", "full.html"}, "a b\n"),
               5, "No space left");
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"full.html"});
}

class SlowOutputs : public Outputs {
 protected:
  // Two outputs, one of which replaces a file. Makes every `step`-th call on them fail or end the
  // process, from the last call backwards.
  void expect_all_new_or_all_old(size_t step) {
    EXPECT_EQ(disturbed("", 0).exit_code, 0);
    const auto calls = lines_of(read_plainly(log_ / "calls"));
    ASSERT_GT(calls.size(), 10u);
    for (size_t call = calls.size(); call >= 1; call -= std::min(call, step)) {
      SCOPED_TRACE(fmt::format("call {} of {}, {}", call, calls.size(), calls[call - 1]));
      const Outcome full = disturbed(std::to_string(ENOSPC), static_cast<int64_t>(call));
      EXPECT_THAT(full.exit_code, AnyOf(Eq(0), Eq(5))) << full.err;
      const bool written = full.exit_code == 0;
      EXPECT_EQ(read_plainly(folder_ / "out"), written ? "a b\n" : "old");
      EXPECT_EQ(fs::exists(folder_ / "align"), written);
      const Outcome killed = disturbed("kill", static_cast<int64_t>(call));
      EXPECT_EQ(killed.exit_code, 128 + SIGKILL);
      EXPECT_THAT(read_plainly(folder_ / "out"), AnyOf(Eq("a b\n"), Eq("old")));
      EXPECT_EQ(run(command(), "a b\n").exit_code, 0);
      EXPECT_EQ(folder_.names(), (std::vector<std::string>{"align", "out"}));
    }
  }

 private:
  Outcome disturbed(const std::string& what, int64_t at) const {
    write_plainly(folder_ / "out", "old");
    fs::remove(folder_ / "align");
    const Fault fault{.what = what, .at = at, .log = log_ / "calls", .folder = folder_.path()};
    return run(command(), "a b\n", environment_of(fault));
  }
  static Arguments command() {
    return {"translate", model(), "-o", "out", "--alignments", "align"};
  }
  TemporaryFolder log_;
};

TEST_F(SlowOutputs, AreAllNewOrAllOldWhereverTheyFail) { expect_all_new_or_all_old(1); }

TEST_F(SlowOutputs, AreAllNewOrAllOldSample) { expect_all_new_or_all_old(7); }

// The inputs are a line of gigabytes, a device that never ends and a pipe without a writer.
TEST_F(Outputs, EndlessInputsAreRefused) {
  EXPECT_FAILS(run({"translate", model(), "-i", "/dev/zero"}), 3,
               "/dev/zero: binary data, expected lines of text");
  EXPECT_FAILS(run({"evaluate", "-r", "/dev/zero", "-i", "/dev/null"}), 3, "binary data");
  EXPECT_FAILS(run({"train", "/dev/zero"}), 2, "/dev/zero");
  fs::copy(workshop() / "runs/toy/best/model", folder_ / "model", fs::copy_options::recursive);
  for (const char* file : {"config.yaml", "model.safetensors", "MANIFEST.json"}) {
    fs::rename(folder_ / "model" / file, folder_ / "kept");
    ASSERT_EQ(mkfifo((folder_ / "model" / file).c_str(), 0600), 0);
    EXPECT_FAILS(run({"translate", "model"}, "a\n"), 4,
                 std::string(file) + ": is not a regular file");
    fs::remove(folder_ / "model" / file);
    fs::create_symlink("/dev/zero", folder_ / "model" / file);
    EXPECT_FAILS(run({"inspect", "model"}), 4, std::string(file) + ": is not a regular file");
    fs::remove(folder_ / "model" / file);
    fs::rename(folder_ / "kept", folder_ / "model" / file);
  }
}

TEST_F(Outputs, TheNameOfARunMayHoldAnything) {
  for (const std::string name : {"a\nb", "it's \"x\": #y", "[x]", "{x}", "~", " x "}) {
    const fs::path toy = workshop() / "toy.yaml";
    const Outcome outcome = run({"train", toy, "--run", folder_ / name, "--set",
                                 "train.max_updates=1", "--set", "train.validate.metric=loss"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(fs::exists(folder_ / name / "latest")) << name;
  }
}

class Names : public testing::Test {};

TEST_F(Names, InBracketsAreNoLists) {
  SKIP_WITHOUT_TENSORS();
  EXPECT_FAILS(run_heed({"translate", "[x]"}), 4, "[x]: there is no such folder");
  EXPECT_FAILS(run_heed({"translate", "a", "[x,y]"}), 4, "a: there is no such folder");
  EXPECT_FAILS(run_heed({"inspect", "[x]"}), 4, "[x]: there is no such folder");
}

TEST_F(Names, InBracketsAreNoListsOfReferences) {
  const TemporaryFolder folder;
  write_plainly(folder / "[a,b]", "a b c d\n");
  write_plainly(folder / "c", "a b c d\n");
  const RunSettings here{.input = "a b c d\n", .folder = folder.path()};
  EXPECT_EQ(run_heed({"evaluate", "-r", "[a,b]"}, here).exit_code, 0);
  EXPECT_THAT(run_heed({"evaluate", "-r", "[a,b]", "c", "-m", "bleu", "exact"}, here).out,
              HasSubstr("100"));
  EXPECT_FAILS(run_heed({"evaluate", "--reference=[x]"}, here), 5, "[x]: cannot open");
}

// Checks names of files, keys of a config and data.
TEST_F(Names, OfControlCharactersAreShownEscaped) {
  const TemporaryFolder folder;
  const std::string clear = "\x1b[2J";
  write_plainly(folder / "key.yaml", "\"\\x1b[2J\\n\": 1\n");
  write_plainly(folder / "data", "a " + clear + " b\n");
  std::vector<Outcome> outcomes{run_heed({"evaluate", "-r", clear + "\nnext"}), run_heed({clear}),
                                run_heed({"evaluate", "-r", "x", "-m", clear})};
  if (has_tensors()) {
    outcomes.push_back(run_heed({"translate", clear + "\nnext"}));
    outcomes.push_back(run_heed({"config", "check", folder / "key.yaml"}));
    outcomes.push_back(run_heed({"train", folder / "key.yaml", "--set", clear + "=1"}));
  }
  for (const Outcome& outcome : outcomes) {
    EXPECT_NE(outcome.exit_code, 0);
    EXPECT_THAT(outcome.err, Not(HasSubstr("\x1b")));
    EXPECT_THAT(outcome.err, HasSubstr("\\x1b[2J"));
    EXPECT_THAT(outcome.err, Not(HasSubstr("\nnext")));
  }
}

}  // namespace
}  // namespace heed
