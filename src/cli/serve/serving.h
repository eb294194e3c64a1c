// The work of `heed serve`: loads the models, answers requests until a signal arrives, and ends once
// all that it has accepted is answered.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "request/serve_limits.h"

namespace heed {

struct ServeOptions {
  std::vector<std::string> models;           // MODEL or NAME=MODEL
  std::optional<std::string> models_folder;  // whose models are loaded when they are needed
  std::optional<double> model_memory;        // GB of these; none: a quarter of what the machine has
  std::string host = "127.0.0.1";
  int64_t port = 8080;
  std::optional<std::string> token_file;
  std::vector<std::string> origins;  // ServiceOptions::origins
  bool may_pivot = true;
  std::string glossary_match = "exact";  // kGlossaryMatches
  std::string log_level = "info";
  double time_limit = 60;            // seconds of a request
  std::optional<double> max_memory;  // GB of all requests; none: half of what the machine has
  ServeLimits limits;
  SearchOptions search;
  DecodingOptions decoding;
};

// Returns the exit code.
int run_serve(const ServeOptions& options);

}  // namespace heed
