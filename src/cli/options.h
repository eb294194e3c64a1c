// Options that several commands have, as plain values, filled from the command line.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "load/model_request.h"
#include "translate/direction.h"

namespace heed {

// Settings of search; a setting that is not given is the model's.
struct SearchOptions {
  std::vector<std::string> set;  // --set search.KEY=VALUE
  // Options made from the keys of `search`, by key.
  std::map<std::string, std::string> values;
  std::map<std::string, std::vector<std::string>> lists;
  std::optional<int64_t> max_length;  // target tokens; for max_length_ratio and max_length_extra
};

// Device of a model, and number of lines that it decodes at once.
struct DecodingOptions {
  std::optional<int64_t> batch;    // sentences; none: Engine::best_batch()
  std::optional<int64_t> workers;  // threads; none: one per core, or one on a GPU
  std::string device = "auto";
  std::optional<Precision> precision;  // of translation, not of scoring; none: that of the model
};

}  // namespace heed
