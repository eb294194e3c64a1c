// Search settings of a command: the model's, the defaults of the command, and the options.
#pragma once

#include <cstdint>
#include <optional>

#include "cli/options.h"
#include "search/search_config.h"
#include "translate/search_overrides.h"

namespace heed {

// Search settings of a model, and whether it has weights over its source.
struct ModelSearch {
  SearchConfig config;             // used in validation
  bool has_source_weights = true;  // needed for a coverage penalty
};

// Settings of `heed summarize`. Replaces settings that have the general defaults by values for
// headlines and paragraphs, in words, pieces or characters. The lengths matter only if a model has
// not learned where to end. No trigram repeats, as in Paulus et al. 2018. The coverage penalty is
// small, because a summary leaves most of its source unread: the 0.2 of Wu et al. 2016 costs 3
// points of ROUGE-1 on headlines, and 0.01 costs at most 0.1. --max-length lowers the minimum
// length.
SearchConfig summary_search(const ModelSearch& model, const SearchOptions& options);

// Settings of `heed generate`: a text may have 100 tokens if the model's config sets no length.
SearchConfig generation_search(SearchConfig config);

// The model's settings, overridden by the options. nbest: translations of each line; widens the
// beam unless an option sets it. Throws Error(kUsage) for settings that do not fit together.
SearchConfig search_config(const ModelSearch& model, const SearchOptions& options,
                           std::optional<int64_t> nbest = std::nullopt);

}  // namespace heed
