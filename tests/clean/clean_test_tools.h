// Pairs and profiles for tests of filters.
#pragma once

#include <string>
#include <vector>

#include "clean/corpus_profile.h"
#include "clean/filters/filters.h"

namespace heed {

inline CorpusPair pair_of(const std::string& source, const std::string& target,
                          int64_t number = 1'000'000) {
  return {number, {SideLine(source), SideLine(target)}};
}

inline CorpusProfile profile_of(const std::vector<std::array<std::string, 2>>& pairs,
                                bool counts_words = false) {
  CorpusProfiler profiler(1, counts_words);
  int64_t number = 0;
  for (const auto& pair : pairs) profiler.add(number++, pair, true);
  return profiler.finish(number);
}

inline std::shared_ptr<const SideModels> models_of(const CorpusProfile& profile,
                                                   const std::vector<std::string>& samples = {}) {
  return std::make_shared<const SideModels>(profile, samples);
}

}  // namespace heed
