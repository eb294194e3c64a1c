#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <limits>
#include <numeric>
#include <set>
#include <thread>

#include "base/control_group.h"
#include "base/hash.h"
#include "base/host.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/random.h"
#include "base/replace_all.h"
#include "base/shell.h"
#include "base/suggest.h"
#include "base/system/system.h"
#include "captured_log.h"
#include "pseudo_terminal.h"
#include "temporary_folder.h"

namespace heed {
namespace {

TEST(Error, HasTheDocumentedExitCodes) {
  EXPECT_EQ(Error(ErrorKind::kFailure, "").exit_code(), 1);
  EXPECT_EQ(Error(ErrorKind::kUsage, "").exit_code(), 2);
  EXPECT_EQ(Error(ErrorKind::kData, "").exit_code(), 3);
  EXPECT_EQ(Error(ErrorKind::kModel, "").exit_code(), 4);
  EXPECT_EQ(Error(ErrorKind::kIo, "").exit_code(), 5);
  EXPECT_EQ(Error(ErrorKind::kDiverged, "").exit_code(), 6);
}

TEST(Error, ChecksSayWhere) {
  try {
    HEED_CHECK(1 + 1 == 3, "with {}", 4);
    ADD_FAILURE();
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("1 + 1 == 3"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("with 4"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("small_test.cpp"), std::string::npos);
  }
}

// Expected values are printed by `xxhsum -H2`.
TEST(Hash, IsXxh3Of128Bits) {
  EXPECT_EQ(hash_bytes(""), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(hash_bytes("heed\n"), "e6b719bd3bc3640d92979c7cb423e5d1");
}

TEST(Hash, OfAFileIsThatOfItsBytes) {
  const TemporaryFolder folder;
  std::string bytes(3'000'000, '\0');
  std::iota(bytes.begin(), bytes.end(), 0);
  write_plainly(folder / "file", bytes);
  EXPECT_EQ(hash_file(folder / "file"), hash_bytes(bytes));
  EXPECT_ERROR(hash_file(folder / "none"), ErrorKind::kIo, "cannot open");
}

TEST(Host, CoresAreThoseThatTheThreadIsBoundTo) {
  const int64_t before = usable_cores();
  EXPECT_GE(before, 1);
  EXPECT_LE(before, std::max(1U, std::thread::hardware_concurrency()));
  EXPECT_EQ(usable_cores(1'000'000), 1);
  if (!allowed_cores()) GTEST_SKIP() << "threads are not bound to cores here";
  std::thread([] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    EXPECT_EQ(usable_cores(), 1);
    EXPECT_EQ(usable_cores(2), 1);
  }).join();
  EXPECT_EQ(usable_cores(), before);
}

TEST(ControlGroups, ALimitOfProcessorTimeIsInCores) {
  const TemporaryFolder folder;
  const std::string root = (folder / "root").string(), member = (folder / "cgroup").string();
  std::filesystem::create_directories(root + "/job/step");
  const auto limit = [&] { return processor_limit({member, root}); };
  const double none = std::numeric_limits<double>::infinity();
  EXPECT_EQ(limit(), none);
  write_plainly(root + "/cpu.max", "300000 100000\n");
  EXPECT_EQ(limit(), 3);
  write_plainly(root + "/cpu.max", "max 100000\n");
  EXPECT_EQ(limit(), none);
  write_plainly(root + "/job/cpu.max", "50000 100000\n");
  write_plainly(root + "/job/step/cpu.max", "200000 100000\n");
  EXPECT_EQ(limit(), none) << "of no group";
  write_plainly(member, "1:cpu:/other\n0::/job/step\n");
  EXPECT_EQ(limit(), 0.5) << "of the group above";
  write_plainly(root + "/job/cpu.max", "200000 0\n");
  EXPECT_EQ(limit(), 2) << "malformed above";
}

TEST(ControlGroups, TheLeastLimitOfMemoryCounts) {
  const TemporaryFolder folder;
  const std::string root = (folder / "root").string(), member = (folder / "cgroup").string();
  std::filesystem::create_directories(root + "/job/step");
  const auto limit = [&] { return memory_limit({member, root}); };
  EXPECT_EQ(limit(), std::numeric_limits<double>::infinity());
  write_plainly(member, "0::/job/step\n");
  write_plainly(root + "/job/step/memory.max", "max\n");
  EXPECT_EQ(limit(), std::numeric_limits<double>::infinity());
  write_plainly(root + "/job/memory.max", "4000000000\n");
  EXPECT_EQ(limit(), 4e9) << "of the group above";
  write_plainly(root + "/job/step/memory.max", "1000000000\n");
  EXPECT_EQ(limit(), 1e9);
}

TEST(Suggest, FindsTheNearestWord) {
  const std::vector<std::string> words{"softmax", "sparsemax", "rnn",  "gru",
                                       "lstm",    "hidden",    "width"};
  EXPECT_EQ(nearest("sofmax", words), "softmax");
  EXPECT_EQ(nearest("sotfmax", words), "softmax");  // a swap is one edit
  EXPECT_EQ(nearest("LSTM", words), "lstm");
  EXPECT_EQ(nearest("wdith", words), "width");
  EXPECT_EQ(nearest("hiden", words), "hidden");
  EXPECT_EQ(nearest("attention", words), "");
  EXPECT_EQ(nearest("", words), "");
  EXPECT_EQ(nearest("x", {}), "");
  EXPECT_EQ(nearest("abd", {"abcd", "abe"}), "abcd");  // the first of several
  EXPECT_EQ(did_you_mean("gro", words), "; did you mean 'gru'?");
  EXPECT_EQ(did_you_mean("gxyz", words), "");
}

// Expected values are the first ones of SplitMix64 with seed 1234567, by its author's C code.
TEST(RandomStream, IsSplitMix64) {
  RandomStream stream(1234567);
  for (uint64_t expected : {6457827717110365317ULL, 3203168211198807973ULL, 9817491932198370423ULL,
                            4593380528125082431ULL, 16408922859458223821ULL}) {
    EXPECT_EQ(stream.next(), expected);
  }
}

TEST(RandomStream, HasAKeyOfItsOwnForEachUse) {
  std::set<uint64_t> keys;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    for (int i = 0; i < 100; ++i) {
      keys.insert(stream_key(seed, "a", i));
      keys.insert(stream_key(seed, "b", i));
      keys.insert(stream_key(seed, "a", i, 0));
      keys.insert(stream_key(seed, "a", 0, i + 1));
    }
  }
  EXPECT_EQ(keys.size(), 4000u);
}

TEST(RandomStream, DrawsEvenly) {
  RandomStream stream(stream_key(1, "test"));
  std::vector<int> counts(6);
  constexpr int kDraws = 60'000;
  for (int i = 0; i < kDraws; ++i) ++counts[stream.below(6)];
  for (int count : counts) EXPECT_NEAR(count, kDraws / 6, 500);  // 5 standard deviations
  double sum = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double u = stream.uniform();
    ASSERT_TRUE(u >= 0 && u < 1);
    sum += u;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 0.006);
}

TEST(RandomStream, ShufflesEveryOrderEvenly) {
  std::map<std::string, int> seen;
  for (int i = 0; i < 24'000; ++i) {
    std::string order = "abcd";
    RandomStream stream(stream_key(7, "shuffle", i));
    shuffle(order.begin(), order.end(), stream);
    ++seen[order];
  }
  EXPECT_EQ(seen.size(), 24u);
  for (const auto& [order, count] : seen) EXPECT_NEAR(count, 1000, 155) << order;
}

TEST(Format, Durations) {
  EXPECT_EQ(format_duration(0.4), "0.4s");
  EXPECT_EQ(format_duration(0), "0.0s");
  EXPECT_EQ(format_duration(12.3), "12s");
  EXPECT_EQ(format_duration(9.96), "10s");
  EXPECT_EQ(format_duration(59.7), "1m 00s");
  EXPECT_EQ(format_duration(200), "3m 20s");
  EXPECT_EQ(format_duration(3599.9), "1h 00m");
  EXPECT_EQ(format_duration(3720), "1h 02m");
  EXPECT_EQ(format_duration(360000), "100h 00m");
  EXPECT_EQ(format_duration(-1), "?");
  EXPECT_EQ(format_duration(std::numeric_limits<double>::quiet_NaN()), "?");
  EXPECT_EQ(format_duration(std::numeric_limits<double>::infinity()), "?");
}

TEST(Format, Counts) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(12345), "12,345");
  EXPECT_EQ(format_count(-123456), "-123,456");
  EXPECT_EQ(format_count(std::numeric_limits<int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(Interrupt, TurnsTheFirstSignalIntoAFlag) {
  EXPECT_EXIT(
      {
        catch_signals();
        if (caught_signal() != 0) _exit(1);
        std::raise(SIGTERM);
        if (caught_signal() != SIGTERM) _exit(2);
        set_caught_signal(0);
        std::raise(SIGINT);
        _exit(caught_signal() == SIGINT ? 7 : 3);
      },
      testing::ExitedWithCode(7), "");
}

TEST(Interrupt, EndsAtASecondSignal) {
  const auto twice = [](int first, int second) {
    catch_signals();
    std::raise(first);
    std::this_thread::sleep_for(std::chrono::milliseconds(1050));
    std::raise(second);
    _exit(1);
  };
  EXPECT_EXIT(twice(SIGINT, SIGINT), testing::KilledBySignal(SIGINT), "a second signal");
  EXPECT_EXIT(twice(SIGINT, SIGTERM), testing::KilledBySignal(SIGTERM), "ended at once");
}

// When a terminal is closed, the kernel sends SIGHUP and the shell sends it once more.
TEST(Interrupt, TakesSignalsThatFollowAtOnceForOne) {
  EXPECT_EXIT(
      {
        catch_signals();
        std::raise(SIGHUP);
        std::raise(SIGHUP);
        std::raise(SIGTERM);
        _exit(caught_signal() == SIGHUP ? 7 : 1);
      },
      testing::ExitedWithCode(7), "");
}

TEST(Interrupt, TakesTheClosedTerminalForASignal) {
  EXPECT_EXIT(
      {
        catch_signals();
        std::raise(SIGHUP);
        _exit(caught_signal() == SIGHUP ? exit_code_of(SIGHUP) : 1);
      },
      testing::ExitedWithCode(129), "");
}

// nohup, and a shell that starts a program in the background, ignore signals in this way.
TEST(Interrupt, LeavesIgnoredSignalsIgnored) {
  for (const int signal : {SIGHUP, SIGINT}) {
    EXPECT_EXIT(
        {
          std::signal(signal, SIG_IGN);
          exit_on_signals("");
          std::raise(signal);
          catch_signals();
          std::raise(signal);
          _exit(caught_signal() == 0 ? 7 : 1);
        },
        testing::ExitedWithCode(7), "");
  }
}

TEST(Interrupt, LeavesAtOnceWhereNothingIsToBeSaved) {
  const auto leave = [](int signal) {
    exit_on_signals("nothing was changed\n");
    std::raise(signal);
    _exit(1);
  };
  EXPECT_EXIT(leave(SIGINT), testing::ExitedWithCode(130), "nothing was changed");
  EXPECT_EXIT(leave(SIGTERM), testing::ExitedWithCode(143), "nothing was changed");
  EXPECT_EXIT(leave(SIGHUP), testing::ExitedWithCode(129), "nothing was changed");
}

TEST(Interrupt, ErasesTheProgressLineOfATerminal) {
  const PseudoTerminal ends;
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends.terminal, STDERR_FILENO);
    exit_on_signals("nothing was changed\n");
    show_progress("indexing");
    std::raise(SIGINT);
    _exit(1);
  }
  EXPECT_TRUE(ends.shown().ends_with("indexing\r\x1b[2Knothing was changed\r\n"));
  waitpid(child, nullptr, 0);
}

TEST(Interrupt, SurvivesAClosedPipe) {
  EXPECT_EXIT(
      {
        int ends[2];
        HEED_CHECK(pipe(ends) == 0);
        close(ends[0]);
        ignore_closed_pipes();
        _exit(write(ends[1], "a", 1) < 0 ? 7 : 1);
      },
      testing::ExitedWithCode(7), "");
}

TEST(ShellWord, IsOneWordForAShell) {
  EXPECT_EQ(shell_word("runs/en-de_2.yaml"), "runs/en-de_2.yaml");
  EXPECT_EQ(shell_word("train.max_updates=5"), "train.max_updates=5");
  EXPECT_EQ(shell_word("été"), "été");
  for (const char* word :
       {"", "it's", "a b", "$HOME", "~/x", "{a: 1, b: [2]}", "\"", "a\nb", "*", "!x", "\x1b[2J'\\",
        "a\xc2\x9b"
        "b",
        "\xff"
        "f",
        "\xc3\xa9\t"}) {
    const std::string command = "LC_ALL=C bash <<'END'\nprintf %s " + shell_word(word) + "\nEND\n";
    FILE* shell = popen(command.c_str(), "r");
    std::string said(100, '\0');
    said.resize(fread(said.data(), 1, said.size(), shell));
    pclose(shell);
    EXPECT_EQ(said, word);
  }
}

TEST(NewName, IsThatOfNoFile) {
  const TemporaryFolder folder;
  const auto name = [&](const char* file, const char* ending) {
    return std::filesystem::path(new_name(folder / file, ending)).filename().string();
  };
  EXPECT_EQ(name("a.csv", ".tsv"), "a.tsv");
  EXPECT_EQ(name("train.en.bz2", ""), "train.en");
  EXPECT_EQ(name("a.tmx.gz", ".tsv"), "a.tsv");
  EXPECT_EQ(name("a.tmx.zst", ".tsv"), "a.tsv");
  write_plainly(folder / "a.tsv", "");
  EXPECT_EQ(name("a.tsv", ".tsv"), "a.new.tsv") << "the file itself";
  EXPECT_EQ(name("a.csv", ".tsv"), "a.new.tsv");
  EXPECT_EQ(new_name("-", ".tsv"), "NEW");
}

TEST(FilterCommand, WritesANewFile) {
  EXPECT_EQ(filter_command("cut -f1", "my table.tsv", "a.txt"), "cut -f1 'my table.tsv' > a.txt");
  EXPECT_EQ(filter_command("xz -dc", "-", "NEW"), "xz -dc FILE > NEW");
  EXPECT_EQ(filter_command("p", "a.gz", "a", " | cut -f1"),
            "gzip -dc a.gz | p /dev/stdin | cut -f1 > a");
  EXPECT_EQ(filter_command("p", "a.zst", "a"), "zstd -dc a.zst | p /dev/stdin > a");
  const TemporaryFolder folder;
  const std::filesystem::path archive = folder / "a.zip";
  write_plainly(archive, "");
  EXPECT_EQ(filter_command("p", archive / "d/b.en", "b"),
            "unzip -p " + archive.string() + " d/b.en | p /dev/stdin > b");
  EXPECT_EQ(new_name(archive / "d/b.en", ".txt"), (folder / "b.txt").string());
}

// Puts another descriptor instead of stderr while it lives.
class StderrGoesTo {
 public:
  explicit StderrGoesTo(int descriptor) : saved_(dup(STDERR_FILENO)) {
    fflush(stderr);
    dup2(descriptor, STDERR_FILENO);
  }
  ~StderrGoesTo() {
    fflush(stderr);
    dup2(saved_, STDERR_FILENO);
    close(saved_);
  }

 private:
  int saved_;
};

TEST(Log, GoesToStderrAndToAFile) {
  const TemporaryFolder folder;
  CapturedLog captured;
  spdlog::info("before");
  log_to_file(folder / "train.log");
  spdlog::info("loss {}", 1.5);
  spdlog::debug("hidden");
  spdlog::warn("odd");
  show_progress("not shown where there is no terminal");
  end_progress();
  const std::string shown = captured.end();
  const std::string kept = read_plainly(folder / "train.log");
  EXPECT_NE(shown.find(" before\n"), std::string::npos);
  EXPECT_NE(shown.find(" loss 1.5\n"), std::string::npos);
  EXPECT_NE(shown.find(" warning: odd\n"), std::string::npos);
  EXPECT_EQ(shown.find('\x1b'), std::string::npos);
  EXPECT_EQ(shown.find("shown"), std::string::npos);
  EXPECT_EQ(shown.find("hidden"), std::string::npos);
  // The file has the messages before it was named too, such as warnings on the data, once and first.
  EXPECT_EQ(kept.find(" before\n"), kept.rfind(" before\n"));
  EXPECT_LT(kept.find(" before\n"), kept.find(" loss 1.5\n"));
  EXPECT_NE(kept.find(" loss 1.5\n"), std::string::npos);
  EXPECT_EQ(kept.find("hidden"), std::string::npos);
  log_to_file(folder / "other.log");
  EXPECT_EQ(read_plainly(folder / "other.log"), "");
}

TEST(Log, AppendsToAFile) {
  const TemporaryFolder folder;
  write_plainly(folder / "train.log", "first\n");
  CapturedLog captured;
  log_to_file(folder / "train.log");
  spdlog::info("second");
  captured.end();
  EXPECT_TRUE(read_plainly(folder / "train.log").starts_with("first\n"));
  EXPECT_NE(read_plainly(folder / "train.log").find("second"), std::string::npos);
  EXPECT_ERROR(log_to_file("/dev/null/train.log"), ErrorKind::kIo, "/dev/null/train.log");
}

TEST(Log, KnowsItsLevels) {
  EXPECT_ERROR(set_up_log("inf"), ErrorKind::kUsage, "did you mean 'info'?");
}

TEST(Log, DrawsProgressOnATerminalWithoutTearingLines) {
  const PseudoTerminal ends;
  winsize size{};
  size.ws_col = 10;
  ASSERT_EQ(ioctl(ends.terminal, TIOCSWINSZ, &size), 0);
  setenv("TERM", "xterm", 1);
  unsetenv("NO_COLOR");
  {
    const StderrGoesTo redirected(ends.terminal);
    EXPECT_TRUE(stderr_is_terminal());
    EXPECT_TRUE(colour_allowed(STDERR_FILENO));
    setenv("NO_COLOR", "1", 1);
    EXPECT_FALSE(colour_allowed(STDERR_FILENO));
    set_up_log("info");
    show_progress("1 of 2, a long line");
    spdlog::info("said");
    end_progress();
    unsetenv("NO_COLOR");
  }
  set_up_log("info");
  const std::string shown = ends.shown();
  ASSERT_FALSE(shown.empty());
  EXPECT_TRUE(shown.starts_with("1 of 2, a\r\x1b[2K")) << shown;
  EXPECT_TRUE(shown.ends_with(" said\r\n1 of 2, a\r\x1b[2K")) << shown;
}

TEST(ReplaceAll, ReplacesEach) {
  EXPECT_EQ(replace_all("a-b-c", "-", "++"), "a++b++c");
  EXPECT_EQ(replace_all("aaa", "aa", "a"), "aa");
  EXPECT_EQ(replace_all("abc", "-", "+"), "abc");
  EXPECT_EQ(replace_all("", "-", "+"), "");
}

}  // namespace
}  // namespace heed
