// What several sub-commands declare alike, and the reading of numbers.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/options.h"
#include "config/settings.h"

namespace heed {

// Decimal whole numbers within bounds, as the config reads them: CLI11 alone would take 010 for 8.
CLI::Validator whole_number(int64_t low, int64_t high = std::numeric_limits<int64_t>::max());
CLI::Validator whole_number(const IntRange& range);
// Finite decimal numbers within bounds.
CLI::Validator real_number(double low, double high);

// An option that takes one value or more each time it is given, or a positional that takes all that
// are left. A value in brackets is what it says: CLI11 alone would take '[x]' for a list of x.
CLI::Option* add_list(CLI::App& command, const char* names, std::vector<std::string>& values,
                      const char* help);
CLI::Option* add_positionals(CLI::App& command, const char* name, std::vector<std::string>& values,
                             const char* help);
// An option that takes one value each time it is given, so that it never swallows a positional.
CLI::Option* add_repeated(CLI::App& command, const char* names, std::vector<std::string>& values,
                          const char* help);

// The heading of the options that name what is read.
inline constexpr const char* kInputGroup = "Input";
// Puts the options of a command, and of the commands below it, under headings, unless they are few
// or have one already.
void group_options(CLI::App& command);

// Has every option and positional that names a file or folder refuse an empty name.
void refuse_empty_names(CLI::App& command);

// What the help says of a search: what it gives, and what it does by default.
struct SearchHelp {
  std::string result = "translation";
  std::string coverage_penalty = "0", min_length = "0", no_repeat_ngram = "0";
  std::string max_length = "twice the source and 10";
};

// --set, --beam, --length-penalty, --coverage-penalty, --min-length, --max-length, --no-repeat-ngram,
// --batch, --workers, --device
void add_search_options(CLI::App& command, SearchOptions& search, const SearchHelp& help = {});
// --set of a trained model: search.KEY=VALUE; refused beside the option of the same key
void add_search_set(CLI::App& command, std::vector<std::string>& set);
// --tag
CLI::Option* add_tag(CLI::App& command, std::optional<std::string>& tag);
void add_device(CLI::App& command, std::string& device);

}  // namespace heed
