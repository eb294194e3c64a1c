// How a command searches: what the model says, the defaults of the command, and the options.
#pragma once

#include <cstdint>
#include <optional>

#include "cli/options.h"
#include "search/search_config.h"
#include "translate/search_overrides.h"

namespace heed {

// What a model says of its search.
struct ModelSearch {
  SearchConfig config;             // with which it was validated
  bool has_source_weights = true;  // for a coverage penalty
};

// `heed summarize`: what every config says by default becomes what fits headlines and paragraphs, in
// words, pieces or characters; a model that has learned where to end needs the lengths only where it
// fails. Trigrams as in Paulus et al. 2018. A summary leaves most of its source unread, so that the
// 0.2 of Wu et al. 2016 is too much: on headlines it costs 3 points of ROUGE-1, and 0.01 costs 0.1 at
// most. The minimum gives way to --max-length.
SearchConfig summary_search(const ModelSearch& model, const SearchOptions& options);

// `heed generate`: a text may have 100 tokens where the model's config says nothing of lengths.
SearchConfig generation_search(SearchConfig config);

// What the model says, but where the options say otherwise. nbest: translations of each line, which
// widen a beam that no option names. Throws Error(kUsage) where the settings do not go together.
SearchConfig search_config(const ModelSearch& model, const SearchOptions& options,
                           std::optional<int64_t> nbest = std::nullopt);

}  // namespace heed
