// What a test holds, written into its report: keys and options without whose effect it would fail,
// or by column of the table of mechanisms the kinds that it goes through. scripts/tested.py makes
// tables of it.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace heed {

inline void holds(const std::string& column, const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  testing::Test::RecordProperty(column, text);
}

// "data.temperature", "train.optimizer=sgd", "--beam", "heed inspect"
inline void holds(const std::set<std::string>& keys) { holds("keys", keys); }

// Why no test holds a column of these names: {name, reason}.
inline void holds_not(const std::string& column,
                      const std::map<std::string, std::string>& reasons) {
  std::string text;
  for (const auto& [name, reason] : reasons)
    text += (text.empty() ? "" : "; ") + name + " = " + reason;
  testing::Test::RecordProperty("not " + column, text);
}

}  // namespace heed
