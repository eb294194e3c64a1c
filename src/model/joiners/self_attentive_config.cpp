#include "model/joiners/self_attentive_config.h"

#include "config/sizes.h"

namespace heed {

namespace {

using Start = SelfAttentiveConfig::Start;

struct MaxConfig final : PoolConfig {
  void fields(Fields&) override {}
};

const Registry<PoolConfig>& pools() {
  static const Registry<PoolConfig> list = {
      kind<RowsConfig, PoolConfig>("rows", "several rows by attention (Lin 2017)"),
      kind<SourceToTokenConfig, PoolConfig>("source2token",
                                            "one row by feature-wise attention (Shen 2018)"),
      kind<MaxConfig, PoolConfig>("max", "max pooling to one row"),
  };
  return list;
}

}  // namespace

void RowsConfig::fields(Fields& f) {
  f.field("rows", rows, kHeads, "r, rows of a sentence");
  f.field("hidden", hidden, kWidths, "width of the hidden layer");
  f.field("penalty", penalty, kWeights, "weight of the penalty on similar rows");
}

void SourceToTokenConfig::fields(Fields& f) {
  f.field("hidden", hidden, kWidths, "width of the hidden layer");
}

SelfAttentiveConfig::SelfAttentiveConfig() : pool(fresh_kind(pools(), "rows")) {}

void SelfAttentiveConfig::fields(Fields& f) {
  static const Words<Start> starts = {{"rows", Start::kRows}, {"encoder", Start::kEncoder}};
  f.one_of("pool", pool, pools(), "pooling of the encoder states of a sentence to rows");
  f.choice("start", start, starts,
           "initial state of a recurrent decoder: from the rows, or from the last encoder state");
}

AllSourceDims SelfAttentiveConfig::dims(const AllSourceDims& sources) const {
  AllSourceDims rows = sources;
  for (auto& [name, dims] : rows) {
    dims.source.ordered = dims.of_text = false;
    dims.memory = 0;
    if (start == Start::kEncoder) continue;
    dims.cell.clear();
    dims.layers = 1;
    dims.final_width = pool->count() * dims.source.value;
  }
  return rows;
}

namespace kinds {
Kind<JoinerConfig> self_attentive() {
  return kind<SelfAttentiveConfig, JoinerConfig>(
      "self_attentive",
      "self-attentive pooling of the encoder states to a few rows (Lin 2017, Shen 2018)");
}
}  // namespace kinds

}  // namespace heed
