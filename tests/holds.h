// Records in the report of a test what it covers: keys and options whose effect it checks, or, by
// column of the table of mechanisms, the kinds that it runs. scripts/tested.py makes tables from
// the reports.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace heed {

inline void holds(const std::string& column, const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  testing::Test::RecordProperty(column, text);
}

// Examples: "data.temperature", "train.optimizer=sgd", "--beam", "heed inspect"
inline void holds(const std::set<std::string>& keys) { holds("keys", keys); }

// Records why no test covers a column of these names: {name, reason}.
inline void holds_not(const std::string& column,
                      const std::map<std::string, std::string>& reasons) {
  std::string text;
  for (const auto& [name, reason] : reasons)
    text += (text.empty() ? "" : "; ") + name + " = " + reason;
  testing::Test::RecordProperty("not " + column, text);
}

// Records the options of all commands that a test runs, such as "heed plot attention --svg". Each
// option is recorded after zero, one and two words of the command; scripts/tested.py chooses the
// right one.
inline void record_run(const std::vector<std::string>& arguments) {
  static const testing::TestInfo* last = nullptr;
  static std::set<std::string> runs;
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  if (test == nullptr) return;  // in the set-up that tests share
  if (test != last) runs.clear();
  last = test;
  std::string command = "heed ";
  for (size_t words = 0; words <= std::min<size_t>(2, arguments.size()); ++words) {
    if (words > 0 && arguments[words - 1].starts_with('-')) break;
    if (words > 0) command += arguments[words - 1] + " ";
    for (const std::string& argument : arguments) {
      const std::string option = argument.substr(0, argument.find('='));
      if (std::regex_match(option, std::regex("--?[a-z][a-z-]*"))) runs.insert(command + option);
    }
  }
  holds("runs", runs);
}

}  // namespace heed
