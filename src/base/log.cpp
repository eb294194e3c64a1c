#include "base/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/ringbuffer_sink.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "base/error.h"
#include "base/printable.h"
#include "base/suggest.h"
#include "base/utf8.h"

namespace heed {

namespace {

constexpr const char* kEraseLine = "\r\x1b[2K";

// The terminal line of show_progress(); whoever writes to stderr takes the mutex, erases the line
// and draws it again.
struct ProgressLine {
  std::mutex mutex;
  std::string text;

  void erase() const {
    if (!text.empty()) std::fputs(kEraseLine, stderr);
  }
  void draw() const {
    if (!text.empty()) std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
  }
};

ProgressLine& progress_line() {
  static ProgressLine line;
  return line;
}

// A line that wraps could not be erased.
std::string cut_to_terminal(const std::string& line) {
  const size_t room = terminal_width(STDERR_FILENO) - 1;
  std::string cut;
  size_t width = 0;
  for (std::string_view c : code_points(line)) {
    width += display_width(c);
    if (width > room) break;
    cut += c;
  }
  return cut;
}

const char* colour_of(spdlog::level::level_enum level) {
  if (level >= spdlog::level::err) return "\x1b[31m";
  return level == spdlog::level::warn ? "\x1b[33m" : "";
}

class StderrSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  StderrSink() : coloured_(colour_allowed(STDERR_FILENO)) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    const char* colour = coloured_ ? colour_of(message.level) : "";
    const std::lock_guard lock(progress_line().mutex);
    progress_line().erase();
    std::fputs(colour, stderr);
    std::fwrite(line.data(), 1, line.size(), stderr);
    if (*colour != '\0') std::fputs("\x1b[0m", stderr);
    progress_line().draw();
  }
  void flush_() override {}
  bool coloured_;
};

// 12:34:56 message; from warnings on, their level as well.
class LineFormatter final : public spdlog::formatter {
 public:
  explicit LineFormatter(std::string time_pattern)
      : time_pattern_(std::move(time_pattern)),
        plain_(fmt::format("{} %v", time_pattern_)),
        levelled_(fmt::format("{} %l: %v", time_pattern_)) {}
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& line) override {
    const std::string text = printable({message.payload.data(), message.payload.size()});
    spdlog::details::log_msg shown = message;
    shown.payload = text;
    (shown.level >= spdlog::level::warn ? levelled_ : plain_).format(shown, line);
  }
  std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<LineFormatter>(time_pattern_);
  }

 private:
  std::string time_pattern_;
  spdlog::pattern_formatter plain_, levelled_;
};

std::shared_ptr<spdlog::sinks::sink> stderr_sink() {
  auto sink = std::make_shared<StderrSink>();
  sink->set_formatter(std::make_unique<LineFormatter>("%H:%M:%S"));
  return sink;
}

// Messages of one level and text a call.
class FunctionSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit FunctionSink(LogToFunction::Function function) : function_(std::move(function)) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    const auto level = spdlog::level::to_string_view(message.level);
    if (function_)
      function_(
          message.level == spdlog::level::warn ? "warn" : std::string(level.data(), level.size()),
          printable({message.payload.data(), message.payload.size()}));
  }
  void flush_() override {}
  LogToFunction::Function function_;
};

// The sink of a LogToFunction; nullptr: messages go to stderr.
spdlog::sink_ptr& function_sink() {
  static spdlog::sink_ptr sink;
  return sink;
}

spdlog::sink_ptr talk_sink() { return function_sink() ? function_sink() : stderr_sink(); }

// Keeps the messages before log_to_file() names a file; nullptr: they have a file.
std::shared_ptr<spdlog::sinks::ringbuffer_sink_mt>& early_messages() {
  static std::shared_ptr<spdlog::sinks::ringbuffer_sink_mt> sink;
  return sink;
}

void install(std::vector<spdlog::sink_ptr> sinks, spdlog::level::level_enum level) {
  auto logger = std::make_shared<spdlog::logger>("heed", sinks.begin(), sinks.end());
  logger->set_level(level);
  logger->flush_on(spdlog::level::trace);
  spdlog::set_default_logger(std::move(logger));
}

void install_without_file(spdlog::level::level_enum level) {
  constexpr size_t kMost = 1000;
  early_messages() = std::make_shared<spdlog::sinks::ringbuffer_sink_mt>(kMost);
  install({talk_sink(), early_messages()}, level);
}

}  // namespace

void set_up_log(const std::string& level) {
  const std::vector<std::string> levels{"trace", "debug", "info", "warn", "error"};
  size_t found = 0;
  while (found < levels.size() && levels[found] != level) ++found;
  if (found == levels.size()) {
    throw_error(ErrorKind::kUsage, "log level '{}': expected trace, debug, info, warn or error{}",
                level, did_you_mean(level, levels));
  }
  install_without_file(static_cast<spdlog::level::level_enum>(found));
}

void log_to_file(const std::filesystem::path& path) try {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
    throw_error(ErrorKind::kIo, "{}: cannot write the log: is not a regular file", path.string());
  auto file = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path.string());
  file->set_formatter(std::make_unique<LineFormatter>("%Y-%m-%d %H:%M:%S"));
  if (early_messages()) {
    for (const spdlog::details::log_msg& message : early_messages()->last_raw()) file->log(message);
    early_messages() = nullptr;
  }
  install({talk_sink(), std::move(file)}, spdlog::get_level());
} catch (const spdlog::spdlog_ex& error) {
  throw_error(ErrorKind::kIo, "{}: cannot write the log: {}", path.string(), error.what());
}

LogToFunction::LogToFunction(Function function) : before_(spdlog::default_logger()) {
  function_sink() = std::make_shared<FunctionSink>(std::move(function));
  install_without_file(spdlog::level::info);
}

LogToFunction::~LogToFunction() {
  function_sink() = nullptr;
  spdlog::set_default_logger(before_);
}

size_t terminal_width(int descriptor) {
  winsize size{};
  constexpr size_t kUsual = 80;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

bool stderr_is_terminal() { return isatty(STDERR_FILENO) == 1; }

bool colour_allowed(int descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return isatty(descriptor) == 1 && (no_colour == nullptr || *no_colour == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

void show_progress(const std::string& line) {
  if (!spdlog::should_log(spdlog::level::info)) return;
  if (!stderr_is_terminal() || function_sink()) return;
  const std::lock_guard lock(progress_line().mutex);
  progress_line().erase();
  progress_line().text = cut_to_terminal(printable(line));
  progress_line().draw();
}

void end_progress() {
  const std::lock_guard lock(progress_line().mutex);
  progress_line().erase();
  progress_line().text.clear();
  progress_line().draw();
}

std::string format_duration(double seconds) {
  constexpr double kNearlyTen = 9.95;
  constexpr double kLongest = 1e15;
  if (!(seconds >= 0) || seconds > kLongest) return "?";
  if (seconds < kNearlyTen) return fmt::format("{:.1f}s", seconds);
  const auto whole = static_cast<int64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{}s", whole);
  if (whole < 3600) return fmt::format("{}m {:02}s", whole / 60, whole % 60);
  return fmt::format("{}h {:02}m", whole / 3600, whole % 3600 / 60);
}

std::string format_count(int64_t value) {
  std::string digits = fmt::format("{}", value);
  const size_t first = value < 0 ? 1 : 0;
  for (size_t place = digits.size(); place > first + 3;) digits.insert(place -= 3, 1, ',');
  return digits;
}

}  // namespace heed
