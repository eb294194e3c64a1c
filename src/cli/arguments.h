// What several sub-commands declare alike, and the reading of numbers.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/options.h"

namespace heed {

// Decimal whole numbers within bounds, as the config reads them: CLI11 alone would take 010 for 8.
CLI::Validator whole_number(int64_t low, int64_t high = std::numeric_limits<int64_t>::max());
// Finite decimal numbers of at least `low`.
CLI::Validator real_number(double low);

// An option that takes one value each time it is given, so that it never swallows a positional.
CLI::Option* add_repeated(CLI::App& command, const char* names, std::vector<std::string>& values,
                          const char* help);

// --beam, --length-penalty, --min-length, --max-length, --batch, --workers, --device
void add_search_options(CLI::App& command, SearchOptions& search);
void add_device(CLI::App& command, std::string& device);

}  // namespace heed
