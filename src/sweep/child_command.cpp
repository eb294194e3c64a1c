#include "sweep/child_command.h"

#include <unistd.h>

#include <csignal>

#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/shell.h"

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

std::string shell_command(const std::vector<std::string>& arguments) {
  std::string command = "heed";
  for (const std::string& argument : arguments) command += " " + shell_word(argument);
  return command;
}

std::string failure_of(const fs::path& output, int exit_code) {
  constexpr int kSignalBase = 128;
  const std::string error = last_error(output);
  if (exit_code > kSignalBase)
    return fmt::format("ended by signal {}{}", exit_code - kSignalBase,
                       exit_code == kSignalBase + SIGKILL ? ", perhaps for lack of memory" : "");
  return error.empty() ? fmt::format("exit code {}, see {}", exit_code, output.string()) : error;
}

void run_command(const ChildStart& start, const std::function<void()>& meanwhile) {
  ChildProcess process(start);
  while (!process.has_ended()) {
    if (caught_signal() != 0) throw Interrupted();
    if (meanwhile) meanwhile();
    constexpr useconds_t kMoment = 20'000;
    usleep(kMoment);
  }
  if (caught_signal() != 0) throw Interrupted();
  const int code = process.exit_code();
  if (code == 0) return;
  const bool is_kind = code <= static_cast<int>(ErrorKind::kDiverged);
  throw_error(is_kind ? static_cast<ErrorKind>(code) : ErrorKind::kFailure, "{}",
              failure_of(start.output, code));
}

}  // namespace heed
