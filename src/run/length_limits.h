// Lines of a validation or test set that are longer than search allows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/evaluation_set.h"
#include "search/search_config.h"

namespace heed {

// Lengths that a model knows, in tokens; nullopt: it has no such limit, or it is unknown.
struct KnownLengths {
  std::optional<int64_t> trained{};  // the longest source of the training
  std::optional<int64_t> source_positions{}, target_positions{};  // of learned tables
  std::optional<int64_t> scored_positions{};                      // of the source, by a score
};

// A warning of the references that have more tokens than a translation of their source may have, one
// of the sources that are cut, one of texts with more tokens than a table has positions, and one of
// sources with more tokens than a score knows; each names the first line, and a setting that is enough for all where there is one.
std::vector<std::string> find_cuts(const EvaluationSet& set, const SearchConfig& search,
                                   const KnownLengths& known);

}  // namespace heed
