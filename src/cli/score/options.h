// Options of `heed score`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options.h"

namespace heed {

// An n-best list that is scored and re-ranked.
struct RerankingOptions {
  std::string list;
  std::string feature = "Score";       // name of the appended feature
  double length_penalty = 0;           // α that normalizes its value
  std::optional<std::string> weights;  // file: rank by the weighted sum of all features
  bool best = false;                   // write the best texts alone
};

struct ScoreOptions {
  static constexpr const char* kEntry = "heed_score";  // of the library with tensors
  std::vector<std::string> models;
  std::vector<std::string> sources;  // FILE or NAME=FILE
  std::optional<std::string> tag;    // of every line
  Direction direction;               // of every line that does not name its own
  std::string target;                // unless there is an n-best list
  std::optional<RerankingOptions> reranking;
  std::string output = "-";
  bool tokens = false;  // an object for each line
  DecodingOptions decoding;
};

}  // namespace heed
