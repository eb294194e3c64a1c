// Makers of all filters, in their order.
#pragma once

#include "clean/pair_filter.h"
#include "clean/side_models.h"

namespace heed {

using PairFilterPtr = std::shared_ptr<const PairFilter>;
using MemoryFilterPtr = std::shared_ptr<const MemoryFilter>;

// A filter of each side by itself.
class SideFilter : public PairFilter {
 public:
  std::string reason(const CorpusPair& pair) const final;

 private:
  virtual std::string side_reason(const CorpusPair& pair, size_t side) const = 0;
};

// A reason for items that only one side has: "numbers 1987 in the source, 1978 in the target",
// "links a.org in the source alone"; "": both are empty.
std::string difference(const char* what, const std::string& only_source,
                       const std::string& only_target);

PairFilterPtr make_length_filter(const LengthFilterConfig& config);
PairFilterPtr make_ratio_filter(const RatioFilterConfig& config, const CorpusProfile& profile);
PairFilterPtr make_identical_filter();
PairFilterPtr make_characters_filter(const CharactersFilterConfig& config);
PairFilterPtr make_script_filter(const ScriptFilterConfig& config, const CorpusProfile& profile);
// nullptr: no language is known; the log says why. So it does for the sides.
PairFilterPtr make_language_filter(const LanguageFilterConfig& config, const CorpusProfile& profile,
                                   const std::shared_ptr<const SideModels>& models);
PairFilterPtr make_sides_filter(const SidesFilterConfig& config,
                                const std::shared_ptr<const SideModels>& models);
PairFilterPtr make_numbers_filter();
PairFilterPtr make_markup_filter();
PairFilterPtr make_links_filter();
PairFilterPtr make_repetition_filter(const RepetitionFilterConfig& config);
PairFilterPtr make_punctuation_filter();
PairFilterPtr make_test_filter(const std::vector<std::string>& files);
// The settings have a bound. Throws Error(kData) for files that are not a number a line, as
// many as pairs.
PairFilterPtr make_scores_filter(const ScoresFilterConfig& config, const FilterInputs& inputs,
                                 const CorpusProfile& profile);
MemoryFilterPtr make_duplicates_filter(const DuplicatesFilterConfig& config);
MemoryFilterPtr make_near_duplicates_filter(const NearDuplicatesFilterConfig& config);

}  // namespace heed
