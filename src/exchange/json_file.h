// Files of other toolkits as JSON: config.json, vocab.json, config.yaml.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace heed {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;  // keys in the order in which they were added

// Throws Error(kModel) where it is no JSON or nested deeper than such files are; IoError.
Json read_json(const std::filesystem::path& path);
// A YAML text. Plain scalars are numbers, truth values and null as in YAML 1.1. name: for messages.
// Throws Error(kModel) that names a mistake, or what heed's parser refuses (config/parse.h).
Json parse_yaml_json(const std::string& text, const std::string& name);
// A YAML file with the line of each key of the map that it is, and of its sections, from 1.
struct YamlFile {
  std::filesystem::path path{};
  Json values = Json::object();
  std::map<std::string, int> lines{};  // "testing", "testing.beam_size"
  // "a.yml:3: testing.beam_size"
  std::string place(const std::string& key) const;
};
// Throws Error(kModel) also for a file that is not a map; IoError. An empty one has no keys.
YamlFile read_yaml_map(const std::filesystem::path& path);
void write_json(const std::filesystem::path& path, const OrderedJson& json);

// Tokens by id: {"token": id, …}. Throws Error(kModel) that names the file where it is something
// else, or an id is negative or given twice.
std::map<int64_t, std::string> read_token_ids(const std::filesystem::path& path);

}  // namespace heed
