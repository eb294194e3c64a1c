// Settings of other toolkits in JSON files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "exchange/json_file.h"

namespace heed {

// The values of one or more files, of which the first that has a key gives it (null: no value).
// What is wrong is collected, so that all of it is reported at once.
class JsonSettings {
 public:
  // Missing files are left out.
  JsonSettings(const std::filesystem::path& folder, const std::vector<std::string>& files);

  // Without a default the key has to be there.
  int64_t whole(const std::string& key, std::optional<int64_t> otherwise = std::nullopt);
  double real(const std::string& key, double otherwise);
  bool truth(const std::string& key, bool otherwise);
  std::string word(const std::string& key, const std::optional<std::string>& otherwise = {});
  // The first of a list [[id], …] that hold one id each; nothing if there is no list.
  std::vector<int64_t> single_ids(const std::string& key) const;
  void add_problem(const std::string& problem) { problems_.push_back(problem); }
  // Throws Error(kModel) if there was a problem.
  void throw_if_any() const;

 private:
  const Json* find(const std::string& key) const;
  // The value; null, and a problem, where it is missing without a default or of another type.
  const Json* value(const std::string& key, const char* type,
                    bool (Json::*is_type)() const noexcept, bool has_default);

  std::filesystem::path folder_;
  std::vector<Json> files_;
  std::vector<std::string> problems_;
};

}  // namespace heed
