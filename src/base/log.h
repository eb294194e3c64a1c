// The log: spdlog, to stderr on a terminal with colour (unless NO_COLOR is set), and to a run's
// train.log once it is known. stdout is for results alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <spdlog/spdlog.h>

namespace heed {

// level: trace, debug, info, warn, error.
void set_up_log(const std::string& level);
// Everything logged from now on goes to this file as well (appended), and to none that was named
// before.
void log_to_file(const std::filesystem::path& path);
bool stderr_is_terminal();
bool colour_allowed(int descriptor);
// In columns; 80 where it is no terminal.
size_t terminal_width(int descriptor);

// Progress of long work: on a terminal one line that is drawn anew, else nothing (plain lines are
// the caller's), and nothing below the log level info. The log and the line share stderr without
// tearing each other.
void show_progress(const std::string& line);
void end_progress();

// 1h 02m, 3m 20s, 12s, 0.4s
std::string format_duration(double seconds);
// 12,345
std::string format_count(int64_t value);

}  // namespace heed
