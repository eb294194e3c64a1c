// Self-attentive pooling of the states H of a sentence to few rows, which the decoder attends to:
//   rows           A = softmax(W2 tanh(W1 Hᵀ)), M = A H, r rows, with the penalty ‖AAᵀ - I‖²_F that
//                  makes them attend to different positions (Lin et al. 2017, equations 6 to 8)
//   source2token   one row; for each feature a softmax of Wᵀ ELU(W1 h + b1) + b over the positions
//                  (Shen et al. 2018, DiSAN, section 3.2.1); with_max: beside that of max
//   max            one row: the greatest value of each feature
// The initial decoder state is from the concatenated rows (`start: rows`; as in Lin's classifier),
// from the final state of the encoder, or from the rows p and h of two sources: [p; h; |p - h|; p ⊙ h]
// (`start: matched`; Mou et al. 2016, as in the classifiers of Im and Cho 2017 and, without the
// absolute value, of DiSAN). A sentence without readable positions has rows of 0.
#include "nn/torch.h"

#include "base/error.h"
#include "model/builders.h"
#include "model/joiners/self_attentive_config.h"
#include "nn/attention/normalizers/masked_softmax.h"
#include "nn/layer_norm.h"
#include "nn/linear.h"

namespace heed {

namespace {

using Start = SelfAttentiveConfig::Start;

struct Pooled {
  Tensor keys, values;  // [R,r,W]
  Tensor weights;       // [R,r,S] of the positions in each row
  Tensor penalty;       // [R], undefined if there is none
};

class Pooling : public Module {
 public:
  virtual Pooled pool(const Source& source) = 0;
};

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

class SourceToToken final : public Pooling {
 public:
  SourceToToken(const SourceToTokenConfig& config, int64_t width)
      : with_max_(config.with_max),
        hidden_(*this, "hidden", width, config.hidden),
        features_(*this, "features", config.hidden, width) {
    if (!config.layer_norm) return;
    hidden_norm_ = register_module("hidden_norm", std::make_shared<LayerNorm>(config.hidden));
    features_norm_ = register_module("features_norm", std::make_shared<LayerNorm>(width));
  }
  Pooled pool(const Source& source) override {
    const Tensor hidden = torch::elu(normed(hidden_norm_, hidden_(source.keys)));   // [R,S,D]
    const Tensor scores = normed(features_norm_, features_(hidden));                // [R,S,W]
    const Tensor mask = source.mask.unsqueeze(1);                                   // [R,1,S]
    const Tensor p = masked_softmax(scores.transpose(1, 2), mask).transpose(1, 2);  // [R,S,W]
    Pooled row = read_both(source, p.mean(2).unsqueeze(1),
                           [&p](const Tensor& x) { return (p * x).sum(1, true); });
    return with_max_ ? beside_max(std::move(row), source) : row;
  }

 private:
  static Tensor normed(const std::shared_ptr<LayerNorm>& norm, const Tensor& x) {
    return norm ? (*norm)(x) : x;
  }
  static Pooled beside_max(Pooled row, const Source& source) {
    const Pooled max = Max().pool(source);
    const bool alike = row.values.is_same(row.keys);
    row.keys = torch::cat({row.keys, max.keys}, 2);  // [R,1,2W]
    row.values = alike ? row.keys : torch::cat({row.values, max.values}, 2);
    row.weights = (row.weights + max.weights) / 2;
    return row;
  }

  bool with_max_;
  Linear hidden_, features_;
  std::shared_ptr<LayerNorm> hidden_norm_, features_norm_;  // null: none
};

std::shared_ptr<Pooling> build_pooling(const PoolConfig& config, int64_t width) {
  if (const auto* rows = dynamic_cast<const RowsConfig*>(&config))
    return std::make_shared<Rows>(width, rows->hidden, rows->rows);
  if (const auto* token = dynamic_cast<const SourceToTokenConfig*>(&config))
    return std::make_shared<SourceToToken>(*token, width);
  return std::make_shared<Max>();
}

class SelfAttentive final : public Joiner {
 public:
  SelfAttentive(const SelfAttentiveConfig& config, const AllSourceDims& sources)
      : weight_(config.pool->penalty_weight()), start_(config.start) {
    for (const auto& [name, dims] : sources) {
      HEED_CHECK(dims.source.key == dims.source.value, "{}: the features are those of the keys",
                 name);
      poolings_[name] = register_module(name, build_pooling(*config.pool, dims.source.key));
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
    if (start_ == Start::kMatched)
      match(encoded.sources.begin()->second.final_state,
            encoded.sources.rbegin()->second.final_state);
    return encoded;
  }

 private:
  // Both become [p; h; |p - h|; p ⊙ h].
  static void match(FinalState& first, FinalState& second) {
    const Tensor p = first.hidden[0], h = second.hidden[0];
    first.hidden = second.hidden = {torch::cat({p, h, (p - h).abs(), p * h}, 1)};
  }

  double weight_;
  Start start_;
  std::map<std::string, std::shared_ptr<Pooling>> poolings_;
};

}  // namespace

std::shared_ptr<Joiner> builders::self_attentive(const JoinerConfig& config,
                                                 const AllSourceDims& sources) {
  return std::make_shared<SelfAttentive>(settings_as<SelfAttentiveConfig>(config), sources);
}

}  // namespace heed
