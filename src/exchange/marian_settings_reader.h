// Reads special:model.yml of Marian, each setting by its key and with Marian's default; common to its
// kinds of models.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <set>
#include <string>

#include "exchange/marian_tables.h"
#include "exchange/toolkit_model.h"

namespace heed {

class MarianSettingsReader {
 public:
  // settings: has to outlive the reader
  explicit MarianSettingsReader(const Json& settings) : settings_(settings) {}

 protected:
  Json get(const std::string& key, const Json& otherwise);
  int64_t count(const std::string& key, int64_t otherwise);
  // A width, whose own key of a part may also be 0: as elsewhere.
  int64_t size(const std::string& key, int64_t otherwise);
  // Number of layers, or of cells of a layer.
  int64_t depth(const std::string& key, int64_t otherwise = 1);
  bool flag(const std::string& key);
  void require(const std::string& key, std::initializer_list<Json> expected, const Json& otherwise);
  // Refuses what no model of heed has, such as factors.
  void require_plain();
  void read_tables(MarianTables& tables);
  void known(std::initializer_list<const char*> keys) { read_.insert(keys.begin(), keys.end()); }
  // Warns of keys that were not read, except those that begin with `ignored`.
  void warn_of_rest(const std::string& ignored = "-") const;

  ToolkitProblems problems_;

 private:
  const Json& settings_;
  std::set<std::string> read_;
};

}  // namespace heed
