// Sampling with a temperature T: a corpus of n pairs is drawn in proportion to n^(1/T) (Arivazhagan et
// al. 2019, section 3.2). T = 1: in proportion to its size; the higher T, the more alike all are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heed {

// One corpus as it is drawn without a temperature.
struct DrawnCorpus {
  int64_t pairs = 0;
  double weight = 1;  // how often each pair comes in an epoch
  std::optional<std::string> tag{};
  std::optional<double> share{};  // of the pairs of an epoch, in place of a weight
};

// How often each pair comes then: w_i · c · n^(1/T - 1), where n is the number of pairs of all
// corpora of the same tag, or, without tags, of the corpus, and c leaves the pairs of an epoch as
// many as they were. A corpus without pairs keeps its weight. Corpora with a share are added to these
// pairs, so that they are this share of the epoch.
std::vector<double> tempered_weights(const std::vector<DrawnCorpus>& corpora, double temperature);

}  // namespace heed
