// Settings of other toolkits in JSON files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/settings.h"
#include "exchange/json_file.h"

namespace heed {

// The values of one or more files, of which the first that has a key gives it (null: no value).
// What is wrong is collected, so that all of it is reported at once.
class JsonSettings {
 public:
  // Missing files are left out.
  JsonSettings(const std::filesystem::path& folder, const std::vector<std::string>& files);

  // Without a default the key has to be there.
  int64_t whole(const std::string& key, std::optional<int64_t> otherwise = std::nullopt,
                IntRange range = {});
  double real(const std::string& key, double otherwise, Range range = kAnyNumber);
  bool truth(const std::string& key, bool otherwise);
  std::string word(const std::string& key, const std::optional<std::string>& otherwise = {});
  // A token: a word, or an object with its `content`.
  std::string token(const std::string& key, const std::string& otherwise);
  // A whole number, or a list of one.
  int64_t id(const std::string& key, std::optional<int64_t> otherwise = std::nullopt);
  // A list of whole numbers; empty if the key has no value.
  std::vector<int64_t> ids(const std::string& key);
  // A list of such lists, none of them empty.
  std::vector<std::vector<int64_t>> id_lists(const std::string& key);
  bool has(const std::string& key) const { return find(key) != nullptr; }
  bool says(const std::string& key, const Json& value) const {
    return has(key) && *find(key) == value;
  }
  // Keys with values that nobody has asked for so far.
  std::map<std::string, Json> others() const;
  void add_problem(const std::string& problem) { problems_.push_back(problem); }
  // Throws Error(kModel) if there was a problem.
  void throw_if_any() const;

 private:
  const Json* find(const std::string& key) const;
  static std::optional<std::vector<int64_t>> ids_in(const Json& list);
  // find(), of a key that others() then leaves out.
  const Json* take(const std::string& key);
  // The value; null, and a problem, where it is missing without a default or of another type.
  const Json* value(const std::string& key, const char* type,
                    bool (Json::*is_type)() const noexcept, bool has_default);

  std::filesystem::path folder_;
  std::vector<Json> files_;
  std::set<std::string> taken_;
  std::vector<std::string> problems_;
};

}  // namespace heed
