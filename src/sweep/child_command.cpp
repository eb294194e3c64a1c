#include "sweep/child_command.h"

#include <unistd.h>

#include <csignal>

#include "base/child_process.h"
#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"

namespace heed {

namespace {

// "" if there is none.
std::string last_error(const fs::path& output) try {
  std::string error, line;
  for (LineReader reader(output); reader.next(line);) {
    constexpr std::string_view kBegin = "heed: ";
    if (line.starts_with(kBegin)) error = line.substr(kBegin.size());
  }
  return error;
} catch (const Error&) {
  return "";
}

}  // namespace

std::string failure_of(const fs::path& output, int exit_code) {
  constexpr int kSignalBase = 128;
  const std::string error = last_error(output);
  if (exit_code > kSignalBase)
    return fmt::format("ended by signal {}{}", exit_code - kSignalBase,
                       exit_code == kSignalBase + SIGKILL ? ", perhaps for lack of memory" : "");
  return error.empty() ? fmt::format("exit code {}, see {}", exit_code, output.string()) : error;
}

void run_command(const std::vector<std::string>& arguments, const fs::path& output) {
  ChildProcess process({.arguments = arguments, .output = output});
  while (!process.has_ended()) {
    if (caught_signal() != 0) throw Interrupted();
    constexpr useconds_t kMoment = 20'000;
    usleep(kMoment);
  }
  if (caught_signal() != 0) throw Interrupted();
  if (process.exit_code() != 0)
    throw_error(ErrorKind::kFailure, "{}", failure_of(output, process.exit_code()));
}

}  // namespace heed
