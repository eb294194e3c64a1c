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
  f.field("layer_norm", layer_norm, "layer normalization of both projections (Im and Cho 2017)");
  f.field("with_max", with_max, "concatenate the row with that of max pooling (Im and Cho 2017)");
}

SelfAttentiveConfig::SelfAttentiveConfig() : pool(fresh_kind(pools(), "rows")) {}

void SelfAttentiveConfig::fields(Fields& f) {
  static const Words<Start> starts = {
      {"rows", Start::kRows}, {"encoder", Start::kEncoder}, {"matched", Start::kMatched}};
  f.one_of("pool", pool, pools(), "pooling of the encoder states of a sentence to rows");
  f.choice(
      "start", start, starts,
      "initial state of a recurrent decoder: from the rows, from the last encoder state, or from "
      "those of two sources p and h, matched: [p; h; |p - h|; p ⊙ h] (Mou 2016)");
}

void SelfAttentiveConfig::check(const AllSourceDims& sources, Problems& problems) const {
  for (const auto& [name, dims] : sources) {
    if (dims.source.key == dims.source.value) continue;
    problems.add("", fmt::format("pools states of one width, but {} has keys of width {} and "
                                 "values of width {}: leave its `memory_tape` out",
                                 name, dims.source.key, dims.source.value));
    return;
  }
  if (start != Start::kMatched) return;
  if (sources.size() != 2)
    return problems.add(
        "start", fmt::format("matched needs two sources, found {}: use rows", sources.size()));
  const auto& [a, first] = *sources.begin();
  const auto& [b, second] = *sources.rbegin();
  if (first.source.value == second.source.value) return;
  problems.add(
      "start",
      fmt::format("matched needs encoders of equal width, but {} has width {} and {} has {}", a,
                  first.source.value, b, second.source.value));
}

AllSourceDims SelfAttentiveConfig::dims(const AllSourceDims& sources) const {
  AllSourceDims rows = sources;
  for (auto& [name, dims] : rows) {
    dims.source.ordered = dims.of_text = dims.of_sentences = false;
    dims.source.key = pool->row_width(dims.source.key);
    dims.source.value = pool->row_width(dims.source.value);
    dims.memory = 0;
    if (start == Start::kEncoder) continue;
    dims.summarize((start == Start::kMatched ? 4 : 1) * pool->count() * dims.source.value);
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
