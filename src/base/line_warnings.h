// Warnings about single lines of an input: one summary line for each kind, which names the first
// three. All functions may be called from several threads, in any order of the lines.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace heed {

class LineWarnings {
 public:
  // kind: "malformed UTF-8, read as U+FFFD"; detail: of this line, "byte 7", or "".
  void add(const std::string& kind, int64_t line, const std::string& detail);
  // A message of each kind that was added since the last call.
  std::vector<std::string> take();
  // Logs these.
  void log();

 private:
  struct Kind {
    std::string name;
    std::multimap<int64_t, std::string> first{};  // "line 3 (byte 7)" by the number of the line
    int64_t count = 0;
  };
  std::mutex mutex_;
  std::vector<Kind> kinds_;
};

inline constexpr const char* kMalformedText = "malformed UTF-8, read as U+FFFD";
// The text of a line with U+FFFD in place of malformed bytes, which the warnings then name; nullptr:
// they name nothing.
std::string well_formed(const std::string& text, int64_t line, LineWarnings* warnings);

}  // namespace heed
