// Runs the built program as a user does: arguments in; exit code, standard output and error out.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "cli/started_program.h"
#include "holds.h"

namespace heed {

using Arguments = std::vector<std::string>;

struct Outcome {
  int exit_code = -1;  // 128 + N where signal N ended it
  std::string out, err;
  int64_t peak_memory = 0;  // kB
};

struct RunSettings {
  std::string input{};
  std::map<std::string, std::string> environment{};
  std::string folder{};                 // working directory
  std::string out_file{};               // instead of collecting standard output: /dev/full
  rlim_t largest_file = RLIM_INFINITY;  // bytes; writing more fails as on a full disk
  bool anew = false;                    // start a new process, as users do (started_program.h)
};

inline std::string program_path() {
  const char* path = std::getenv("HEED_PROGRAM");
  if (path == nullptr) {
    ADD_FAILURE() << "HEED_PROGRAM has to name the program that is tested";
    return "/bin/false";
  }
  return path;
}

inline std::string source_folder() {
  const char* path = std::getenv("HEED_SOURCE");
  return path == nullptr ? "." : path;
}

inline Arguments joined(Arguments first, const Arguments& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

// A program that was started and may still be running.
class Running {
 public:
  Running(const Arguments& arguments, const RunSettings& settings)
      : started_(start(arguments, settings), settings.anew) {}

  void send(int signal) const { kill(started_.process(), signal); }
  bool has_ended() { return started_.wait(/*block=*/false).ended; }
  std::string err() const { return read_plainly(folder_ / "err"); }
  int64_t threads() const {
    std::error_code ended;
    const std::filesystem::directory_iterator tasks(
        "/proc/" + std::to_string(started_.process()) + "/task", ended);
    return std::distance(begin(tasks), end(tasks));
  }

  Outcome wait() {
    const ProgramEnd end = started_.wait(/*block=*/true);
    const int code = WIFEXITED(end.status) ? WEXITSTATUS(end.status) : 128 + WTERMSIG(end.status);
    return {code, read_plainly(folder_ / "out"), err(), end.peak_memory};
  }

 private:
  ProgramStart start(const Arguments& arguments, const RunSettings& settings) const {
    record_run(arguments);
    write_plainly(folder_ / "in", settings.input);
    return {.words = joined({program_path()}, arguments),
            .in = folder_ / "in",
            .out = settings.out_file.empty() ? (folder_ / "out").string() : settings.out_file,
            .err = folder_ / "err",
            .environment = settings.environment,
            .folder = settings.folder,
            .largest_file = settings.largest_file};
  }

  TemporaryFolder folder_;
  StartedProgram started_;
};

inline Outcome run_heed(const Arguments& arguments, const RunSettings& settings = {}) {
  return Running(arguments, settings).wait();
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// True if the program was built with libtorch (the asan preset leaves it out).
inline bool has_tensors() {
  const std::filesystem::path bin = std::filesystem::path(program_path()).parent_path();
  return std::filesystem::exists(bin / "../lib/libheed_tensors.so");
}

}  // namespace heed

#define SKIP_WITHOUT_TENSORS() \
  if (!::heed::has_tensors()) GTEST_SKIP() << "this build has no libheed_tensors.so"

// Expects this exit code, nothing on standard output, and one line on standard error that contains
// `part`.
#define EXPECT_FAILS(outcome, code, part)                              \
  do {                                                                 \
    const ::heed::Outcome failed = (outcome);                          \
    EXPECT_EQ(failed.exit_code, code) << failed.err;                   \
    EXPECT_EQ(failed.out, "");                                         \
    EXPECT_NE(failed.err.find(part), std::string::npos) << failed.err; \
    EXPECT_EQ(::heed::lines_of(failed.err).size(), 1u) << failed.err;  \
    EXPECT_EQ(failed.err.rfind("heed: ", 0), 0u) << failed.err;        \
  } while (false)
