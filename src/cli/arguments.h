// What several commands declare alike, and the reading of numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/options.h"
#include "config/bindings.h"

namespace heed {

// A value as the config reads it: decimal numbers without a sign + and without leading zeros (CLI11
// alone would take 010 for 8), within the bounds of the field.
CLI::Validator as_in_config(ScalarField field);
CLI::Validator whole_number(const IntRange& range);
CLI::Validator real_number(const Range& range);

// An option that takes one value or more each time it is given, or a positional that takes all that
// are left. A value in brackets is what it says: CLI11 alone would take '[x]' for a list of x.
CLI::Option* add_list(CLI::App& command, const char* names, std::vector<std::string>& values,
                      const char* help);
CLI::Option* add_positionals(CLI::App& command, const char* name, std::vector<std::string>& values,
                             const char* help);
// An option that takes one value each time it is given, so that it never swallows a positional.
CLI::Option* add_repeated(CLI::App& command, const char* names, std::vector<std::string>& values,
                          const char* help);

// Checks the ending of a name.
CLI::Validator picture_name(const std::vector<std::string>& endings);
// -o FILE of a name that ends in .svg, .html, .pdf or .png; may be repeated.
CLI::Option* add_pictures(CLI::App& command, std::vector<std::string>& files, const char* help);

// The heading of the options that name what is read.
inline constexpr const char* kInputGroup = "Input";
// The heading of the options of search.
inline constexpr const char* kSearchGroup = "Search";
// Puts the options of a command, and of the commands below it, under headings, unless they are few
// or have one already.
void group_options(CLI::App& command);

// Has every option and positional that names a file or folder refuse an empty name.
void refuse_empty_names(CLI::App& command);

// The models of a command, MODEL...
void add_models(CLI::App& command, std::vector<std::string>& models);
// --tag
CLI::Option* add_tag(CLI::App& command, std::optional<std::string>& tag);
void add_device(CLI::App& command, std::string& device);
// --batch, in `unit` with its default; --workers, --device
inline constexpr const char* kTranslatedLines = "lines (what suits the model: 16 to 64)";
void add_decoding_options(CLI::App& command, DecodingOptions& decoding, const char* unit);
// --precision
void add_precision(CLI::App& command, Precision& precision);

}  // namespace heed
