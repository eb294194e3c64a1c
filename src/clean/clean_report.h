// Pairs that the filters of `heed clean` drop: counts, and samples with reasons.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/random.h"

namespace heed {

// A pair that a filter drops.
struct DroppedPair {
  int64_t line = 0;  // of the file, from 1
  std::string reason{};
  std::string source{}, target{};
};

struct FilterCount {
  std::string name;
  int64_t alone = 0;                   // pairs that it drops, whatever the others do
  int64_t first = 0;                   // those that no filter before it drops
  std::vector<DroppedPair> samples{};  // of the pairs that it drops alone, by line
};

class CleanReport {
 public:
  // samples: of each filter at most this many, drawn by the seed.
  CleanReport(std::string corpus, const std::vector<std::string>& filters, int64_t samples,
              uint64_t seed);

  // Counts a pair that this filter drops alone.
  void add(size_t filter, const DroppedPair& pair);
  void add_first(size_t filter) { ++filters_.at(filter).first; }
  void count_pair(bool is_kept) { ++pairs_, kept_ += is_kept; }
  void finish();  // sorts the samples

  int64_t pairs() const { return pairs_; }
  int64_t kept() const { return kept_; }
  const std::vector<FilterCount>& filters() const { return filters_; }

  // "train.en + train.de: 100 pairs, 95 kept (95.00 %)"
  std::string summary() const;
  // width: of the terminal.
  std::string text(size_t width) const;
  nlohmann::ordered_json json() const;

 private:
  std::string corpus_;
  std::vector<FilterCount> filters_;
  std::vector<RandomStream> draws_;  // by filter
  int64_t samples_;
  int64_t pairs_ = 0, kept_ = 0;
};

}  // namespace heed
