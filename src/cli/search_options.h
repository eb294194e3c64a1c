// The options of search: each key of `search` in a config is one, `--no-repeat-ngram` for
// `no_repeat_ngram`, with the key's meaning, range and default.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/options.h"
#include "search/search_config.h"

namespace heed {

// --set search.KEY=VALUE, --max-length, and an option for each key. usual: what the command searches
// with where neither model nor option says anything, for the help.
void add_search_options(CLI::App& command, SearchOptions& search, const SearchConfig& usual = {});

// --sample with --temperature, --top-k, --top-p and --seed; of a command with search options.
void add_sampling_options(CLI::App& command, std::optional<SamplingOptions>& sampling);

}  // namespace heed
