#include "nn/attention/normalizers/monotonic_config.h"

namespace heed {

namespace {

constexpr IntRange kChunkWidths{2};

}  // namespace

void MonotonicConfig::fields(Fields& f) {
  static const Words<Search> words = {{"hard", Search::kHard}, {"expected", Search::kExpected}};
  f.field("offset", offset, Range{-1000, 1000},
          "initial value of the learned r that is added to the scores; ~: none");
  f.field("noise", noise, kZeroOrMore,
          "standard deviation of the Gaussian noise added to the energies in training");
  f.choice("search", search, words,
           "outside of training: stop where p > ½, in time linear in the length; or the expected "
           "alignment, as in training");
  f.field(
      "chunk", chunk, kChunkWidths,
      "MoChA chunk width w: softmax over the w keys up to the selected one; default: none, hard "
      "monotonic attention");
}

void MonotonicConfig::check(const StageDims& dims, Problems& problems) const {
  check_order(*this, dims, problems);
}

namespace kinds {
Kind<NormalizerConfig> monotonic() {
  return kind<MonotonicConfig, NormalizerConfig>(
      "monotonic", "monotonic alignment (Raffel 2017); with `chunk`, MoChA (Chiu and Raffel 2018)");
}
}  // namespace kinds

}  // namespace heed
