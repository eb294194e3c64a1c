// Log by spdlog: to stderr, with colour on a terminal (unless NO_COLOR is set), and to a run's
// train.log once the run is known. stdout is for results only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include <spdlog/spdlog.h>

namespace heed {

// level: trace, debug, info, warn, error.
void set_up_log(const std::string& level);
// Also appends the messages to this file, and to no file that was named before: those since
// set_up_log() too, unless they have a file.
void log_to_file(const std::filesystem::path& path);
// Sends messages to a function instead of stderr, until the object is destroyed. log_to_file() keeps
// the function, and no progress line is drawn. The function gets the level (info, warn, error) and
// the message. Several threads may call it, one at a time.
class LogToFunction {
 public:
  using Function = std::function<void(const std::string& level, const std::string& message)>;
  explicit LogToFunction(Function function);
  ~LogToFunction();
  LogToFunction(const LogToFunction&) = delete;
  LogToFunction& operator=(const LogToFunction&) = delete;

 private:
  std::shared_ptr<spdlog::logger> before_;
};
bool stderr_is_terminal();
bool colour_allowed(int descriptor);
// Width in columns; 80 if the descriptor is not a terminal.
size_t terminal_width(int descriptor);

// Progress of long work: one line on a terminal, which is redrawn; nothing if stderr is not a
// terminal (the caller logs plain lines) or if the log level is above info. The log and the line
// share stderr without overwriting each other.
void show_progress(const std::string& line);
void end_progress();

// 1h 02m, 3m 20s, 12s, 0.4s
std::string format_duration(double seconds);
// 12,345
std::string format_count(int64_t value);

}  // namespace heed
