#include "nn/attention/scores/dot_product.h"

#include "nn/torch.h"

#include "nn/attention/heads.h"
#include "nn/attention/unit.h"

namespace heed {

DotProductScorer::DotProductScorer(const DotProductConfig& config, const StageDims& dims)
    : ProjectedScorer(config, dims), divisor_(config.divisor(dims)) {
  const QueryKeyNormConfig& norm = *config.query_key_norm;
  if (const auto* l2 = dynamic_cast<const L2NormConfig*>(&norm))
    gain_ = add_parameter("gain", {1}, Init::all(l2->gain));
  if (norm.type != "rms") return;
  const int64_t width = config.width_of_heads(dims) / dims.heads;
  query_norm_ = register_module("query_norm", std::make_shared<RmsNorm>(width));
  key_norm_ = register_module("key_norm", std::make_shared<RmsNorm>(width));
}

Tensor DotProductScorer::prepare_queries(const Tensor& x, const Tensor& positions) {
  const Tensor queries = ProjectedScorer::prepare_queries(x, positions);  // [R,H,T,D]
  if (gain_.defined()) return gain_ * unit(queries);
  return query_norm_ ? (*query_norm_)(queries) : queries;
}

Tensor DotProductScorer::prepare_keys(const Tensor& x, const Tensor& positions) {
  const Tensor keys = ProjectedScorer::prepare_keys(x, positions);  // [R,G,S,D]
  if (gain_.defined()) return unit(keys);
  return key_norm_ ? (*key_norm_)(keys) : keys;
}

Tensor DotProductScorer::score(const At& at) {
  return head_products(divisor_ == 1 ? at.queries : at.queries / divisor_, at.keys);
}

}  // namespace heed
