// `features: fertility` and `gru_coverage` of the score `location`: the coverage of Tu et al. 2016.
#include "nn/torch.h"

#include "nn/attention/scores/location.h"
#include "nn/linear.h"

namespace heed {

namespace {

// Appends source features to U h: the last columns of the prepared keys.
Tensor beside(const Tensor& prepared, const Tensor& more) {
  return torch::cat({prepared, more.unsqueeze(1).expand({-1, prepared.size(1), -1, -1})}, 3);
}

class FertilityScorer final : public AdditiveScorer {
 public:
  FertilityScorer(const StageDims& dims, const AdditiveConfig& additive, double most)
      : AdditiveScorer(dims, additive, true),
        most_(most),
        fertility_(*this, "fertility", dims.source.key, 1, kNoBias) {
    coverage_ = add_parameter("coverage", {additive.hidden}, Init::vector());
  }
  Tensor prepare_keys(const Tensor& x, const Tensor& positions) override {
    constexpr double kSmallest = 1e-6;  // lower bound of Φ/N, a divisor
    const Tensor fertility =
        most_ * torch::sigmoid(fertility_(x)).clamp_min(kSmallest);  // Φ [R,S,1]
    return beside(AdditiveScorer::prepare_keys(x, positions), 1 / fertility);
  }
  Tensor score(const At& at) override {
    const Tensor keys = at.keys.unsqueeze(2);  // [R,H,1,S,·]
    const int64_t width = keys.size(4) - 1;
    const Tensor covered = at.history.total.unsqueeze(4) * keys.narrow(4, width, 1);  // C
    return compare(at.queries,
                   keys.narrow(4, 0, width) + covered * coverage_.view({heads_, 1, 1, -1}));
  }

 private:
  double most_;       // N
  Linear fertility_;  // U_f
  Tensor coverage_;   // V_a [H·D]
};

// The gates are r, z and n in the order and form of nn/recurrent.h, each d numbers wide, and the
// same for every head.
class GruCoverageScorer final : public AdditiveScorer {
 public:
  GruCoverageScorer(const StageDims& dims, const AdditiveConfig& additive, int64_t width)
      : AdditiveScorer(dims, additive, true),
        width_(width),
        key_(*this, "gru_key", dims.source.key, kGates * width, kNoBias),
        query_(*this, "gru_query", dims.query, kGates * width),
        hidden_(*this, "gru_hidden", width, kGates * width) {
    weight_ = add_parameter("gru_weight", {kGates * width}, Init::vector());
    coverage_ = add_parameter("coverage", {additive.hidden, width}, Init::matrix());
  }

  Tensor prepare_keys(const Tensor& x, const Tensor& positions) override {
    return beside(AdditiveScorer::prepare_keys(x, positions), key_(x));
  }

  Tensor score(const At& at) override {
    const Tensor keys = at.keys.narrow(3, 0, at.keys.size(3) - kGates * width_).unsqueeze(2);
    if (!at.history.kept.defined()) return compare(at.queries, keys);         // C is 0
    const Tensor map = coverage_.view({heads_, -1, width_}).transpose(1, 2);  // V_a [H,d,D]
    return compare(at.queries, keys + torch::matmul(at.history.kept, map.unsqueeze(1)));
  }

  Tensor remember(const At& at, const Tensor& weights) override {
    const Tensor of_keys =
        at.keys.narrow(3, at.keys.size(3) - kGates * width_, kGates * width_).unsqueeze(2);
    const Tensor of_weights = weights.unsqueeze(4) * weight_;            // [R,H,T,S,3d]
    const Tensor of_query = query_(at.query).unsqueeze(1).unsqueeze(3);  // [R,1,T,1,3d]
    const auto x = (of_keys + of_weights + of_query).chunk(kGates, 4);   // [R,H,T,S,d]
    const Tensor before =
        at.history.kept.defined() ? at.history.kept : torch::zeros_like(x[0]).detach();
    const auto u = hidden_(before).chunk(kGates, 4);
    const Tensor r = torch::sigmoid(x[0] + u[0]), z = torch::sigmoid(x[1] + u[1]);
    const Tensor after = (1 - z) * torch::tanh(x[2] + r * u[2]) + z * before;
    const Tensor known = torch::arange(after.size(3), at.reach.options()) < at.reach;  // [R,S]
    return torch::where(known.view({-1, 1, 1, after.size(3), 1}), after, before);
  }

 private:
  static constexpr int64_t kGates = 3;

  int64_t width_;
  Linear key_, query_, hidden_;
  Tensor weight_;    // of a  [3·d]
  Tensor coverage_;  // V_a [H·D,d]
};

}  // namespace

std::shared_ptr<Scorer> fertility_scorer(const StageDims& dims, const AdditiveConfig& additive,
                                         double most) {
  return std::make_shared<FertilityScorer>(dims, additive, most);
}

std::shared_ptr<Scorer> gru_coverage_scorer(const StageDims& dims, const AdditiveConfig& additive,
                                            int64_t width) {
  return std::make_shared<GruCoverageScorer>(dims, additive, width);
}

}  // namespace heed
