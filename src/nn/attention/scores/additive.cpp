#include "nn/attention/scores/additive.h"

#include <cmath>

#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/heads.h"
#include "nn/attention/unit.h"

namespace heed {

AdditiveScorer::AdditiveScorer(const StageDims& dims, const AdditiveConfig& config, bool bias)
    : heads_(dims.heads),
      query_(*this, "query", dims.query, config.hidden, {.bias = bias}),
      key_(*this, "key", dims.source.key, config.hidden, kNoBias) {
  v_ = add_parameter("v", {config.hidden}, Init::vector());
  if (config.layer_norm) {
    query_gain_ = add_parameter("query_gain", {config.hidden}, Init::all(1));
    key_gain_ = add_parameter("key_gain", {config.hidden}, Init::all(1));
  }
  if (!config.normalize) return;
  const double width = static_cast<double>(config.hidden) / static_cast<double>(heads_);
  gain_ = add_parameter("gain", {heads_}, Init::all(1 / std::sqrt(width)));
}

namespace {

// The layer of x, its product normalized if there is a gain.
Tensor normed_layer(const Linear& layer, const Tensor& gain, const Tensor& x) {
  if (!gain.defined()) return layer(x);
  const Tensor normed = normed_product(x, layer.weight(), gain);
  return layer.bias().defined() ? normed + layer.bias() : normed;
}

}  // namespace

Tensor AdditiveScorer::prepare_queries(const Tensor& x, const Tensor&) {
  return split_heads(normed_layer(query_, query_gain_, x), heads_);
}

Tensor AdditiveScorer::prepare_keys(const Tensor& x, const Tensor&) {
  return split_heads(normed_layer(key_, key_gain_, x), heads_);
}

Tensor AdditiveScorer::compare(const Tensor& queries, const Tensor& keys) const {
  Tensor v = v_.view({heads_, -1});  // [H,D]
  if (gain_.defined()) v = gain_.unsqueeze(1) * unit(v);
  return additive_scores(queries, keys, v);
}

Tensor AdditiveScorer::score(const At& at) { return compare(at.queries, at.keys); }

std::shared_ptr<Scorer> builders::concat(const ScorerConfig& config, const StageDims& dims) {
  return std::make_shared<AdditiveScorer>(dims, settings_as<AdditiveConfig>(config), false);
}

std::shared_ptr<Scorer> builders::additive(const ScorerConfig& config, const StageDims& dims) {
  return std::make_shared<AdditiveScorer>(dims, settings_as<AdditiveConfig>(config), true);
}

}  // namespace heed
