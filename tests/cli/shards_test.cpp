// `heed translate --shard` and `heed join`.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <random>

#include "base/sealed_json.h"
#include "cli/faults.h"
#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::AnyOf;
using testing::Eq;
using testing::HasSubstr;

class Shards : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    model_ = ToyWorkshop::trained() / "runs/toy";
  }

  Outcome run(const Arguments& arguments) const {
    return run_heed(arguments, {.folder = folder_.path()});
  }
  Arguments whole(const Arguments& options, const char* command = "translate") const {
    return joined({command, model_, "-i", "in"}, options);
  }
  Arguments shard(const std::string& which, const Arguments& options = {},
                  const char* command = "translate") const {
    return whole(joined({"-o", "out", "--shard", which}, options), command);
  }
  void expect_success(const Arguments& arguments) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  // Starts with the last shard: the order does not matter.
  void translate_shards(int count, const Arguments& options = {},
                        const char* command = "translate") const {
    for (int i = count; i >= 1; --i)
      expect_success(shard(std::to_string(i) + "/" + std::to_string(count), options, command));
  }
  void remove_shards() const {
    for (const std::string& name : folder_.names())
      if (name.find("-of-") != std::string::npos) fs::remove(folder_ / name);
  }
  std::string read(const std::string& name) const { return read_plainly(folder_ / name); }
  void write(const std::string& name, const std::string& text) const {
    write_plainly(folder_ / name, text);
  }

  std::string model_;
  TemporaryFolder folder_;
};

TEST_F(Shards, AreJoinedToTheTranslationOfAllLines) {
  holds({"--shard", "heed join"});
  EXPECT_FAILS(run({"join", "out"}), 3, "out: there is no shard of it");
  write("in", "\n\na b c d e f g h i j a b c d e f g h\n\n" + toy_lines(5, 12) + "a b");
  for (const char* command : {"translate", "summarize"}) {
    expect_success(whole({"-o", "expected"}, command));
    translate_shards(3, {}, command);
    expect_success({"join", "out"});
    EXPECT_EQ(read("out"), read("expected"));
    remove_shards();
  }
  EXPECT_THAT(folder_.names(), testing::ElementsAre("expected", "in", "out"));
}

// Compares all outputs byte for byte; with batches of one line not even rounding differs.
TEST_F(Shards, OfEveryFormatAreJoinedToThatOfAllLines) {
  holds({"--shard"});
  const std::string text = toy_lines(5, 25);
  write("in", text);
  std::string prefixes, phrases;
  for (size_t i = 0; i < lines_of(text).size(); ++i) {
    prefixes += i % 3 == 0 ? "\n" : "j a\n";
    phrases += i % 2 == 0 ? "\n" : "b\tc c\n";
  }
  write("prefixes", prefixes);
  write("phrases", phrases);
  const Arguments alone{"--batch", "1"};
  for (const Arguments& options :
       {Arguments{"--nbest", "3"}, Arguments{"--format", "json"},
        Arguments{"--attention", "a", "--alignments", "b"}, Arguments{"--sample", "--seed", "7"},
        Arguments{"--nbest", "4", "--mbr", "chrf"}, Arguments{"--prefix", "prefixes"},
        Arguments{"--constraints", "phrases", "--avoid", "prefixes", "--beam", "8"}}) {
    SCOPED_TRACE(options[0]);
    std::map<std::string, std::string> expected;
    expect_success(whole(joined({"-o", "out"}, joined(alone, options))));
    for (const char* name : {"out", "a", "b"}) {
      expected[name] = read(name);
      fs::remove(folder_ / name);
    }
    translate_shards(4, joined(alone, options));
    expect_success({"join", "out"});
    for (const auto& [name, bytes] : expected) {
      EXPECT_EQ(read(name), bytes) << name;
      fs::remove(folder_ / name);
    }
    remove_shards();
  }
}

TEST_F(Shards, ThatAreCompleteAreLeftAsTheyAre) {
  write("in", toy_lines(5, 12));
  expect_success(shard("1/2"));
  const auto time = fs::last_write_time(folder_ / "out.1-of-2");
  const Outcome again = run(shard("1/2"));
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.err, HasSubstr("out.1-of-2: is complete"));
  EXPECT_EQ(fs::last_write_time(folder_ / "out.1-of-2"), time);
  EXPECT_FAILS(run({"join", "out"}), 3, "1 of 2 shards are missing or not complete: 2;");
}

TEST_F(Shards, OfOtherSettingsModelsOrInputsAreNotContinued) {
  write("in", toy_lines(5, 12));
  write("prefixes", std::string(12, '\n'));
  expect_success(shard("1/2", {"--prefix", "prefixes"}));
  const auto expect_refused = [&](const Arguments& options, const std::string& part) {
    EXPECT_FAILS(run(shard("1/2", options)), 2, part);
  };
  const Arguments same{"--prefix", "prefixes"};
  expect_refused({}, "input files 2, not 1");
  expect_refused(joined(same, {"--beam", "2"}), "begun with search.beam 5, not 2");
  expect_refused(joined(same, {"--nbest", "2", "--format", "json", "--alignments", "b"}),
                 "format text, not json; lists no, not yes; nbest 1, not 2");
  expect_refused(joined(same, {"--sample", "--replace-unknown", "--precision", "int8"}),
                 "precision fp32, not int8; replace-unknown no, not yes; ");
  expect_success(shard("1/2", joined(same, {"--batch", "3", "--workers", "2"})));

  fs::copy(fs::path(model_) / "best/model", folder_ / "model", fs::copy_options::recursive);
  const Arguments by_copy{"translate", "model", "-i", "in", "-o", "out", "--shard", "1/2"};
  expect_success(joined(by_copy, same));  // a copy of the same model
  fs::remove_all(folder_ / "model");
  ASSERT_EQ(run({"average", model_, "-o", "model", "--last", "2"}).exit_code, 0);
  EXPECT_FAILS(run(joined(by_copy, same)), 2, "begun with model 1 ");
}

TEST_F(Shards, NeedFilesThatCanBeReadFromTheMiddle) {
  write("in", toy_lines(5, 12));
  const Arguments rest{"-o", "out", "--shard", "1/2"};
  EXPECT_FAILS(run(joined({"translate", model_}, rest)), 2, "found standard input for --input");
  EXPECT_FAILS(run(joined({"translate", model_, "-i", "-"}, rest)), 2, "found standard input");
  EXPECT_FAILS(run(shard("1/2", {"--prefix", "-"})), 2, "found standard input for --prefix");
  EXPECT_FAILS(run(shard("1/2", {"--alignments", "-"})), 2,
               "found standard output for --alignments");
  EXPECT_FAILS(run(whole({"--shard", "1/2"})), 2, "--shard requires --output");
  EXPECT_FAILS(run(whole({"-o", "-", "--shard", "1/2"})), 2, "found standard output for --output");
  EXPECT_FAILS(run(shard("1/2", {"--interactive"})), 2, "--interactive excludes --shard");
  write("in", std::string("\xff\xfe"
                          "a\0 \0b\0\n\0a\0\n\0",
                          14));
  for (const char* which : {"1/2", "2/2"}) EXPECT_FAILS(run(shard(which)), 3, "UTF-16");
  for (const char* which : {"0/2", "3/2"})
    EXPECT_FAILS(run(shard(which)), 2, "expected I/N with I from 1 to N");
  EXPECT_FAILS(run(whole({"-o", "nowhere/out", "--shard", "1/2"})), 5,
               "there is no folder nowhere");
}

TEST_F(Shards, DoNotReplaceWhatIsRead) {
  write("in", "a\n");
  for (const char* name : {"out", "out.1-of-2", "out.1-of-2.part", "out.1-of-2.json"}) {
    fs::remove(folder_ / name);
    fs::create_hard_link(folder_ / "in", folder_ / name);
    EXPECT_FAILS(run(shard("1/2")), 2, "is the same file as --input");
    fs::remove(folder_ / name);
  }
  EXPECT_FAILS(
      run({"translate", model_, "-i", "in", "-o", model_ + "/best/model/out", "--shard", "1/2"}), 2,
      "belongs to the model");
  EXPECT_FAILS(run({"join", model_ + "/config.yaml"}), 2, "belongs to the run");
}

// Thousands of lines and one worker, so that a process takes a second and can be interrupted.
class LongShards : public Shards {
 protected:
  void SetUp() override {
    Shards::SetUp();
    if (!has_tensors()) return;
    std::string text;
    for (const std::string& line : lines_of(toy_lines(5, 3000))) text += line + " " + line + "\n";
    write("in", text);
  }
  Arguments slow(const std::string& which) const {
    return shard(which, {"--workers", "1", "--batch", "4", "--beam", "8", "--alignments", "b"});
  }
  nlohmann::json record_of(const std::string& which) const {
    const std::string record = read("out." + which + ".json");
    return record.empty() ? nlohmann::json::object() : nlohmann::json::parse(record).at("record");
  }
  int64_t lines_done(const std::string& which) const {
    return record_of(which).value("lines", int64_t{0});
  }
  template <class Condition>
  static void wait_until(Running& running, const Condition& condition) {
    while (!condition() && !running.has_ended()) usleep(1000);
  }
  void expect_joined_as_whole() const {
    expect_success({"join", "out"});
    const std::string found = read("out"), alignments = read("b");
    expect_success(
        whole({"-o", "out", "--workers", "1", "--batch", "4", "--beam", "8", "--alignments", "b"}));
    EXPECT_TRUE(found == read("out"));
    EXPECT_TRUE(alignments == read("b"));
    EXPECT_EQ(lines_of(found).size(), 3000u);
  }
};

TEST_F(LongShards, ThatWereKilledGoOnWhereTheyStopped) {
  holds({"--shard"});
  std::random_device device;
  int64_t done = 0;
  // Kills soon after a record leave most of the shard undone, however fast the machine is.
  for (int kill = 0; kill < 3; ++kill) {
    Running running(slow("1/2"), {.folder = folder_.path()});
    wait_until(running, [&] { return lines_done("1-of-2") > done; });
    usleep(device() % 10'000);
    running.send(SIGKILL);
    const Outcome outcome = running.wait();
    ASSERT_EQ(outcome.exit_code, 128 + SIGKILL) << done << " lines were done\n" << outcome.err;
    if (done > 0) {
      EXPECT_THAT(outcome.err, HasSubstr("continues behind "));
    }
    EXPECT_FALSE(is_there(folder_ / "out.1-of-2"));
    EXPECT_GT(lines_done("1-of-2"), done);
    done = lines_done("1-of-2");
  }
  expect_success(slow("1/2"));
  expect_success(slow("2/2"));
  expect_joined_as_whole();
}

TEST_F(LongShards, ThatWereInterruptedGoOnWhereTheyStopped) {
  Running running(slow("2/2"), {.folder = folder_.path()});
  wait_until(running, [&] { return lines_done("2-of-2") > 0; });
  running.send(SIGTERM);
  const Outcome outcome = running.wait();
  EXPECT_EQ(outcome.exit_code, 143) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("interrupted; what is done is kept"));
  EXPECT_GT(lines_done("2-of-2"), 0);
  EXPECT_FAILS(run({"join", "out"}), 3, "2 of 2 shards are missing or not complete: 1-2;");
  expect_success(slow("2/2"));
  expect_success(slow("1/2"));
  expect_joined_as_whole();
}

class SlowShards : public Shards {
 protected:
  // Makes every `step`-th call on the files of a shard fail or end the process; the same command
  // then continues.
  void expect_to_go_on(size_t step) const {
    write("in", toy_lines(5, 60));
    const std::string expected = undisturbed();
    const auto calls = lines_of(read_plainly(log_ / "calls"));
    ASSERT_GT(calls.size(), 20u);
    for (const std::string& what : {std::string("kill"), std::string("full"), std::to_string(EIO)})
      for (size_t call = 1; call <= calls.size(); call += step) {
        SCOPED_TRACE(
            fmt::format("{} at call {} of {}, {}", what, call, calls.size(), calls[call - 1]));
        disturb(what, static_cast<int64_t>(call));
        expect_success(command());
        EXPECT_EQ(outputs(), expected);
        remove_shards();
      }
  }

 private:
  // Translates two windows of lines.
  Arguments command() const {
    return shard("1/2", {"--batch", "1", "--workers", "1", "--alignments", "b"});
  }
  std::string outputs() const {
    std::string all;
    for (const std::string& name : folder_.names())
      if (!name.ends_with(".json") && name != "in") all += name + ": " + read(name);
    return all;
  }
  Outcome run_with(const Fault& fault) const {
    return run_heed(command(), {.environment = environment_of(fault), .folder = folder_.path()});
  }
  std::string undisturbed() const {
    EXPECT_EQ(run_with({.log = log_ / "calls", .folder = folder_.path()}).exit_code, 0);
    const std::string found = outputs();
    remove_shards();
    return found;
  }
  void disturb(const std::string& what, int64_t at) const {
    const Outcome outcome =
        run_with({.what = what, .at = at, .log = log_ / "calls", .folder = folder_.path()});
    if (what == "kill") {
      EXPECT_EQ(outcome.exit_code, 128 + SIGKILL) << outcome.err;
    } else {
      EXPECT_THAT(outcome.exit_code, AnyOf(Eq(0), Eq(5))) << outcome.err;
    }
    EXPECT_LE(is_there(folder_ / "out.1-of-2"), is_there(folder_ / "out.1-of-2.json"));
  }
  TemporaryFolder log_;
};

TEST_F(SlowShards, GoOnWhereverTheyFail) { expect_to_go_on(1); }

TEST_F(SlowShards, GoOnWhereTheyFailSample) { expect_to_go_on(9); }

}  // namespace
}  // namespace heed
