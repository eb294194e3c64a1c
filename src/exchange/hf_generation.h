// How generate() of transformers searches, as settings of heed's search: generation_config.json, or
// config.json of an older folder without it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "exchange/json_settings.h"
#include "search/search_config.h"

namespace heed {

inline constexpr const char *kHfConfig = "config.json", *kHfGeneration = "generation_config.json";

struct HfGeneration {
  SearchConfig search;  // without suppressed tokens
  // Ids of tokens that are never generated, and not generated first.
  std::vector<int64_t> banned, banned_first;
  // True if log-probabilities are normalized over the tokens that may be generated.
  bool renormalizes = false;
  std::optional<int64_t> forced_begin;  // forced_bos_token_id
};

// Facts of the decoder that the settings depend on.
struct HfDecoder {
  int64_t begin_id, end_id;
  bool begins_with_token;  // whether every target begins with a forced token, its language
};

// Problems are added to `file`, the settings of the file that generate() reads. Warns of settings
// that the search does not have.
HfGeneration read_hf_generation(JsonSettings& file, const std::string& name,
                                const HfDecoder& decoder);

// True for a key of config.json that generate() reads.
bool is_generation_key(const std::string& key);
// True if a value of such a key is its default, which changes no translation.
bool is_generation_default(const std::string& key, const Json& value);

// Settings as a list for a message: "top_k (50), prefix (\"a\")".
std::string settings_text(const std::map<std::string, Json>& settings);

}  // namespace heed
