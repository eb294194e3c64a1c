// Runs the built program as its users do: arguments in, exit code, standard output and error out.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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
  std::string folder{};                 // to run in
  std::string out_file{};               // instead of collecting standard output: /dev/full
  rlim_t largest_file = RLIM_INFINITY;  // bytes; writing more fails as on a full disk
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

// A program that was started and not yet waited for.
class Running {
 public:
  Running(const Arguments& arguments, const RunSettings& settings) {
    record_run(arguments);
    write_plainly(folder_ / "in", settings.input);
    Arguments words = joined({program_path()}, arguments);
    out_ = settings.out_file.empty() ? (folder_ / "out").string() : settings.out_file;
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    process_ = fork();
    HEED_CHECK(process_ >= 0);
    if (process_ == 0) become(argv, settings);
  }

  void send(int signal) const { kill(process_, signal); }
  bool has_ended() {
    return wait4(process_, &status_, WNOHANG, &usage_) == process_ && (ended_ = true);
  }
  std::string err() const { return read_plainly(folder_ / "err"); }
  int64_t threads() const {
    std::error_code ended;
    const std::filesystem::directory_iterator tasks("/proc/" + std::to_string(process_) + "/task",
                                                    ended);
    return std::distance(begin(tasks), end(tasks));
  }

  Outcome wait() {
    if (!ended_) wait4(process_, &status_, 0, &usage_);
    const int code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
    return {code, read_plainly(folder_ / "out"), err(), usage_.ru_maxrss};
  }

 private:
  [[noreturn]] void become(const std::vector<char*>& argv, const RunSettings& settings) const {
    const auto open_as = [](int number, const std::string& path, int flags) {
      const int file = open(path.c_str(), flags, 0600);
      if (file < 0 || dup2(file, number) < 0) _exit(127);
    };
    open_as(0, folder_ / "in", O_RDONLY);
    open_as(1, out_, O_WRONLY | O_CREAT);
    open_as(2, folder_ / "err", O_WRONLY | O_CREAT);
    for (const auto& [name, value] : settings.environment) setenv(name.c_str(), value.c_str(), 1);
    if (!settings.folder.empty() && chdir(settings.folder.c_str()) != 0) _exit(127);
    if (settings.largest_file != RLIM_INFINITY) {
      const rlimit limit{settings.largest_file, settings.largest_file};
      setrlimit(RLIMIT_FSIZE, &limit);
    }
    execv(argv[0], argv.data());
    _exit(127);
  }

  TemporaryFolder folder_;
  std::string out_;
  pid_t process_ = -1;
  int status_ = 0;
  rusage usage_{};
  bool ended_ = false;
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

// Whether the program was built with its part for tensors (the asan preset leaves it out).
inline bool has_tensors() {
  const std::filesystem::path bin = std::filesystem::path(program_path()).parent_path();
  return std::filesystem::exists(bin / "../lib/libheed_tensors.so");
}

}  // namespace heed

#define SKIP_WITHOUT_TENSORS() \
  if (!::heed::has_tensors()) GTEST_SKIP() << "this build has no libheed_tensors.so"

// The outcome has this code, nothing on standard output, and one line on standard error that holds
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
