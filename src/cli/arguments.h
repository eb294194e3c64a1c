// Options and checks that several commands share, and validators of numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/options.h"
#include "config/bindings.h"

namespace heed {

// Checks a value as the config reads it: decimal numbers without the sign + and without leading
// zeros, within the bounds of the field. CLI11 alone would read 010 as 8.
CLI::Validator as_in_config(ScalarField field);
CLI::Validator whole_number(const IntRange& range);
CLI::Validator real_number(const Range& range);

// Adds an option that takes one or more values each time it is given, or a positional that takes
// all remaining arguments. A value in brackets stays a text; CLI11 alone would split '[x]' into a
// list.
CLI::Option* add_list(CLI::App& command, const char* names, std::vector<std::string>& values,
                      const char* help);
CLI::Option* add_positionals(CLI::App& command, const char* name, std::vector<std::string>& values,
                             const char* help);
// Adds an option that takes one value each time it is given, so that it never swallows a
// positional.
CLI::Option* add_repeated(CLI::App& command, const char* names, std::vector<std::string>& values,
                          const char* help);

// Checks the extension of a file name.
CLI::Validator picture_name(const std::vector<std::string>& endings);
// Adds -o FILE for names that end in .svg, .html, .pdf or .png; may be repeated.
CLI::Option* add_pictures(CLI::App& command, std::vector<std::string>& files, const char* help);

// Heading of the options that name input files.
inline constexpr const char* kInputGroup = "Input";
// Heading of the search options.
inline constexpr const char* kSearchGroup = "Search";
// Groups the options of a command and of its sub-commands under headings, unless they are few or
// already have a heading.
void group_options(CLI::App& command);

// Refuses an empty name for every option and positional that names a file or folder.
void refuse_empty_names(CLI::App& command);

// Adds the models of a command, MODEL...
void add_models(CLI::App& command, std::vector<std::string>& models);
// Adds --tag.
CLI::Option* add_tag(CLI::App& command, std::optional<std::string>& tag);
// Adds --source-language and --target-language.
std::vector<CLI::Option*> add_direction(CLI::App& command, Direction& direction);
void add_device(CLI::App& command, std::string& device);
// Adds --batch, in `unit` with its default, --workers and --device.
inline constexpr const char* kTranslatedLines = "lines (what suits the model: 16 to 64)";
void add_decoding_options(CLI::App& command, DecodingOptions& decoding, const char* unit);
// Adds --precision; help: of a command that does not translate.
void add_precision(CLI::App& command, std::optional<Precision>& precision,
                   const std::string& help = "");

}  // namespace heed
