// Interface of a filter, and the list of all filters.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "clean/clean_config.h"
#include "clean/corpus_pair.h"
#include "clean/corpus_profile.h"

namespace heed {

class PairFilter {
 public:
  virtual ~PairFilter() = default;
  // Why the pair is dropped, "target: 3 words, at least 4"; "": it is kept. From any thread.
  virtual std::string reason(const CorpusPair& pair) const = 0;
};

// Remembers the pairs that came before, 16 to 32 bytes each.
class MemoryFilter {
 public:
  virtual ~MemoryFilter() = default;
  // The keys of a pair; a pair is dropped if one came before. From any thread.
  virtual std::vector<uint64_t> keys(const CorpusPair& pair) const = 0;
  virtual std::string reason() const = 0;
};

template <class Filter>
struct NamedFilter {
  std::string name;  // the key of its settings
  std::shared_ptr<const Filter> filter;
};

struct FilterList {
  std::vector<NamedFilter<PairFilter>> filters;
  std::vector<NamedFilter<MemoryFilter>> memories;  // of the pairs that the others keep
};

struct FilterInputs {
  std::vector<std::string> tests{};  // files
  std::optional<std::string> scores{}, reverse_scores{};
  std::vector<std::string> language_samples{};  // "de=FILE"
};

// Throws Error(kUsage) for an input of a filter that is off, and for scores without a bound or a bound
// without scores.
void check_inputs(const CleanConfig& config, const FilterInputs& inputs);

// The filters that are enabled and have their inputs, in their order.
FilterList make_filters(const CleanConfig& config, const FilterInputs& inputs,
                        const CorpusProfile& profile);

}  // namespace heed
