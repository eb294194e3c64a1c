#include "nn/position_config.h"

#include <algorithm>

#include "config/sizes.h"

namespace heed {

namespace {

struct NoPositionsConfig final : PositionConfig {
  NoPositionsConfig() : PositionConfig(PositionKind::kNone) {}
};

struct SinusoidalConfig final : PositionConfig {
  SinusoidalConfig() : PositionConfig(PositionKind::kSinusoidal) {}
  void fields(Fields& f) override {
    static const Words<SinusoidLayout> layouts = {{"interleaved", SinusoidLayout::kInterleaved},
                                                  {"halves", SinusoidLayout::kHalves},
                                                  {"fairseq", SinusoidLayout::kFairseq},
                                                  {"opennmt_tf", SinusoidLayout::kOpennmtTf},
                                                  {"marian", SinusoidLayout::kMarian}};
    f.choice("layout", layout, layouts,
             "order within the vector: sine and cosine in turn (interleaved), or all sines before "
             "all cosines (halves: MarianMT of transformers; fairseq: with its rates and from "
             "position 2, as M2M-100 and NLLB; opennmt_tf: with the same rates and from position "
             "1; marian: with the same rates and from position 0, as Marian itself)");
  }
};

struct LearnedConfig final : PositionConfig {
  LearnedConfig() : PositionConfig(PositionKind::kLearned) {}
  void fields(Fields& f) override {
    f.field("max_positions", max_positions, kTablePositions,
            "size of the table; later positions share the last");
  }
  int64_t max_positions = PositionConfig::max_length();
  int64_t max_length() const override { return max_positions; }
};

}  // namespace

int64_t first_position(SinusoidLayout layout) {
  if (layout == SinusoidLayout::kFairseq) return 2;
  return layout == SinusoidLayout::kOpennmtTf ? 1 : 0;
}

int64_t sinusoid_period(SinusoidLayout layout, int64_t width) {
  const bool is_of_paper =
      layout == SinusoidLayout::kInterleaved || layout == SinusoidLayout::kHalves;
  return is_of_paper ? width : std::max<int64_t>(1, width - 2);
}

const Registry<PositionConfig>& position_kinds() {
  static const Registry<PositionConfig> list = {
      kind<SinusoidalConfig, PositionConfig>("sinusoidal", "sines and cosines (Vaswani 2017)"),
      kind<LearnedConfig, PositionConfig>("learned", "a table of embeddings (Gehring 2017)"),
      kind<NoPositionsConfig, PositionConfig>("none", "no position embeddings"),
  };
  return list;
}

void PositionSettings::position_fields(Fields& f) {
  f.one_of("positions", positions, position_kinds(), "position embeddings");
}

}  // namespace heed
