#include "model/joiners/self_attentive.h"

#include "nn/torch.h"

#include "base/error.h"
#include "config/older.h"
#include "config/sizes.h"
#include "nn/attention/normalizers/masked_softmax.h"
#include "nn/linear.h"

namespace heed {

namespace {

using Start = SelfAttentiveConfig::Start;

// `read` of the keys and of the values; computed once if they are the same.
template <class Read>
Pooled read_both(const Source& source, const Tensor& weights, const Read& read) {
  Pooled pooled{.keys = read(source.keys), .values = {}, .weights = weights, .penalty = {}};
  pooled.values = source.values.is_same(source.keys) ? pooled.keys : read(source.values);
  return pooled;
}

class Rows final : public Pooling {
 public:
  Rows(int64_t width, int64_t hidden, int64_t rows)
      : hidden_(*this, "hidden", width, hidden, kNoBias),
        rows_(*this, "rows", hidden, rows, kNoBias) {}
  Pooled pool(const Source& source) override {
    const Tensor scores = rows_(torch::tanh(hidden_(source.keys))).transpose(1, 2);  // [R,r,S]
    const Tensor a = masked_softmax(scores, source.mask.unsqueeze(1));               // [R,r,S]
    const Tensor alike = torch::matmul(a, a.transpose(1, 2));                        // [R,r,r]
    const Tensor off = alike - torch::eye(alike.size(1), alike.options());
    Pooled pooled = read_both(source, a, [&a](const Tensor& x) { return torch::matmul(a, x); });
    pooled.penalty = off.square().sum({1, 2});
    return pooled;
  }

 private:
  Linear hidden_, rows_;  // W1, W2
};

class SourceToToken final : public Pooling {
 public:
  SourceToToken(int64_t width, int64_t hidden)
      : hidden_(*this, "hidden", width, hidden), features_(*this, "features", hidden, width) {}
  Pooled pool(const Source& source) override {
    const Tensor scores = features_(torch::elu(hidden_(source.keys)));              // [R,S,W]
    const Tensor mask = source.mask.unsqueeze(1);                                   // [R,1,S]
    const Tensor p = masked_softmax(scores.transpose(1, 2), mask).transpose(1, 2);  // [R,S,W]
    return read_both(source, p.mean(2).unsqueeze(1),
                     [&p](const Tensor& x) { return (p * x).sum(1, true); });
  }

 private:
  Linear hidden_, features_;
};

class Max final : public Pooling {
 public:
  Pooled pool(const Source& source) override {
    const auto [keys, positions] = greatest(source.keys, source.mask);  // [R,1,W]
    const Tensor fraction =
        torch::full_like(keys.squeeze(1), 1.0 / static_cast<double>(keys.size(2)));
    const Tensor weights = torch::zeros_like(source.mask, keys.options().requires_grad(false))
                               .scatter_add(1, positions.squeeze(1), fraction.detach());  // [R,S]
    const bool alike = source.values.is_same(source.keys);
    return {.keys = keys,
            .values = alike ? keys : std::get<0>(greatest(source.values, source.mask)),
            .weights = (weights * source.mask).unsqueeze(1),
            .penalty = {}};
  }

 private:
  static std::tuple<Tensor, Tensor> greatest(const Tensor& states, const Tensor& mask) {
    const Tensor closed = ~mask.unsqueeze(2);  // [R,S,1]
    const auto [values, positions] =
        states.masked_fill(closed, lowest_score(states.scalar_type())).max(1, true);
    return {values.masked_fill(closed.all(1, true), 0), positions};
  }
};

struct RowsConfig final : PoolConfig {
  int64_t rows = 4, hidden = 128;
  double penalty = 1;
  void fields(Fields& f) const override {
    f.field("rows", rows, kHeads, "r, rows of a sentence");
    f.field("hidden", hidden, kWidths, "width of the hidden layer");
    f.field("penalty", penalty, kWeights, "weight of the penalty on similar rows");
  }
  int64_t count() const override { return rows; }
  double penalty_weight() const override { return penalty; }
  std::shared_ptr<Pooling> build(int64_t width) const override {
    return std::make_shared<Rows>(width, hidden, rows);
  }
};

struct SourceToTokenConfig final : PoolConfig {
  int64_t hidden = 128;
  void fields(Fields& f) const override {
    f.field("hidden", hidden, kWidths, "width of the hidden layer");
  }
  std::shared_ptr<Pooling> build(int64_t width) const override {
    return std::make_shared<SourceToToken>(width, hidden);
  }
};

struct MaxConfig final : PoolConfig {
  void fields(Fields&) const override {}
  std::shared_ptr<Pooling> build(int64_t) const override { return std::make_shared<Max>(); }
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

class SelfAttentive final : public Joiner {
 public:
  SelfAttentive(const SelfAttentiveConfig& config, const AllSourceDims& sources)
      : weight_(config.pool->penalty_weight()), start_(config.start) {
    for (const auto& [name, dims] : sources) {
      HEED_CHECK(dims.source.key == dims.source.value, "{}: the features are those of the keys",
                 name);
      poolings_[name] = register_module(name, config.pool->build(dims.source.key));
    }
  }

  EncoderOutput join(EncoderOutput encoded, const Pass& pass) override {
    for (auto& [name, source] : encoded.sources) {
      const Source& from = source.source;
      const Pooled pooled = poolings_.at(name)->pool(from);
      Source to = make_source(pooled.keys, torch::full_like(from.lengths, pooled.keys.size(1)));
      to.values = pooled.values;
      if (pooled.penalty.defined()) {
        encoded.losses.push_back({.name = "self_attentive",
                                  .value = pooled.penalty.unsqueeze(1),  // [R,1]
                                  .weight = weight_});
      }
      encoded.take_weights({.place = Place::kPooling}, name, pooled.weights, pass);
      source.pool(std::move(to), pooled.weights);
      if (start_ == Start::kEncoder) continue;
      source.final_state = FinalState();
      source.final_state.hidden = {pooled.values.flatten(1)};  // [R,r·W]
    }
    return encoded;
  }

 private:
  double weight_;
  Start start_;
  std::map<std::string, std::shared_ptr<Pooling>> poolings_;
};

}  // namespace

SelfAttentiveConfig::SelfAttentiveConfig() : pool(fresh_kind(pools(), "rows")) {}

void SelfAttentiveConfig::fields(Fields& f) const {
  static const Words<Start> starts = {{"rows", Start::kRows}, {"encoder", Start::kEncoder}};
  for (const char* key : {"rows", "hidden", "penalty"}) moved(f, key, "pool");
  f.one_of("pool", pool, pools(), "pooling of the encoder states of a sentence to rows");
  earlier(f, "start", start, Start::kEncoder);
  f.choice("start", start, starts,
           "initial state of a recurrent decoder: from the rows, or from the last encoder state");
}

AllSourceDims SelfAttentiveConfig::dims(const AllSourceDims& sources) const {
  AllSourceDims rows = sources;
  for (auto& [name, dims] : rows) {
    dims.source.ordered = dims.of_text = false;
    if (start == Start::kEncoder) continue;
    dims.cell.clear();
    dims.layers = 1;
    dims.final_width = pool->count() * dims.source.value;
  }
  return rows;
}

std::shared_ptr<Joiner> SelfAttentiveConfig::build(const AllSourceDims& sources) const {
  return std::make_shared<SelfAttentive>(*this, sources);
}

}  // namespace heed
