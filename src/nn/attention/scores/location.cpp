#include "nn/attention/scores/location.h"

#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/scores/location_config.h"

namespace heed {

namespace {

class LocationScorer final : public AdditiveScorer {
 public:
  // Without filters where there are none, and without coverage.
  LocationScorer(const StageDims& dims, const AdditiveConfig& additive, int64_t filters,
                 int64_t kernel, bool coverage)
      : AdditiveScorer(dims, additive, true), kernel_(kernel) {
    if (filters > 0) {
      filters_ = add_parameter("filters", {filters, kernel}, Init::matrix());
      convolved_ = add_parameter("convolved", {additive.hidden, filters}, Init::matrix());
    }
    if (coverage) coverage_ = add_parameter("coverage", {additive.hidden}, Init::vector());
  }

  Tensor score(const At& at) override {
    Tensor keys = at.keys.unsqueeze(2);  // [R,H,1,S,D]
    if (filters_.defined()) {
      const Tensor map = convolved_.view({heads_, -1, filters_.size(0)});  // M [H,D,F]
      keys = keys + torch::matmul(features(at.history.previous), map.transpose(1, 2).unsqueeze(1));
    }
    if (coverage_.defined())
      keys = keys + at.history.total.unsqueeze(4) * coverage_.view({heads_, 1, 1, -1});
    return compare(at.queries, keys);
  }

 private:
  // Convolves the weights of the previous query [R,H,T,S] -> [R,H,T,S,F], padded with zeros at both
  // ends.
  Tensor features(const Tensor& weights) const {
    const Tensor rows = weights.flatten(0, 2).unsqueeze(1);  // [R·H·T,1,S]
    const Tensor out = torch::conv1d(rows, filters_.unsqueeze(1), {}, 1, kernel_ / 2);
    return out.transpose(1, 2).unflatten(0, weights.sizes().slice(0, 3));
  }

  int64_t kernel_;
  Tensor filters_;    // F [F,K]
  Tensor convolved_;  // M [H·D,F]
  Tensor coverage_;   // w_c [H·D]
};

}  // namespace

std::shared_ptr<Scorer> builders::location(const ScorerConfig& config, const StageDims& dims) {
  const auto& score = settings_as<LocationConfig>(config);
  const LocationFeaturesConfig& features = *score.features;
  if (features.type == "fertility")
    return fertility_scorer(dims, score, settings_as<FertilityFeatures>(features).most);
  if (features.type == "gru_coverage")
    return gru_coverage_scorer(dims, score, settings_as<GruCoverageFeatures>(features).width);
  if (features.type == "coverage") return std::make_shared<LocationScorer>(dims, score, 0, 0, true);
  const auto& convolved = settings_as<ConvolvedFeatures>(features);
  return std::make_shared<LocationScorer>(dims, score, convolved.filters, convolved.kernel,
                                          features.type == "both");
}

}  // namespace heed
