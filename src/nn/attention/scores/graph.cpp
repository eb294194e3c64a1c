// graph: LeakyReLU(aᵀ [W h_i ‖ W h_j]) of two positions of one sequence, slope 0.2 (Veličković et al.
// 2018, equation 3): the parts a₁, a₂ of a that meet the query and the key add up, so only they are
// kept of both. One W for both; that of the values is the read-out's, or without `project` the
// caller's, who computes W h for all three. `terms: [edges]` restricts it to a graph.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/heads.h"
#include "nn/attention/scores/graph_config.h"
#include "nn/linear.h"

namespace heed {

namespace {

class GraphScorer final : public Scorer {
 public:
  GraphScorer(const GraphConfig& config, const StageDims& dims)
      : heads_(dims.heads), slope_(config.slope) {
    const int64_t width = config.width_of_heads(dims);
    if (config.project) node_ = Linear(*this, "node", dims.query, width, kNoBias);
    of_query_ = add_parameter("of_query", {width}, Init::vector());
    of_key_ = add_parameter("of_key", {width}, Init::vector());
  }
  Tensor prepare_queries(const Tensor& x, const Tensor&) override { return part(x, of_query_); }
  Tensor prepare_keys(const Tensor& x, const Tensor&) override { return part(x, of_key_); }
  Tensor score(const At& at) override {
    return torch::leaky_relu(at.queries + at.keys.transpose(2, 3), slope_);  // [R,H,T,S]
  }

 private:
  // a_iᵀ W x, a head at a time.  [R,H,T,1]
  Tensor part(const Tensor& x, const Tensor& a) {
    return torch::matmul(split_heads(node_ ? node_(x) : x, heads_), a.view({heads_, -1, 1}));
  }

  int64_t heads_;
  double slope_;
  Linear node_;               // W; none without `project`
  Tensor of_query_, of_key_;  // a₁, a₂ [H·D]
};

}  // namespace

std::shared_ptr<Scorer> builders::graph(const ScorerConfig& config, const StageDims& dims) {
  return std::make_shared<GraphScorer>(settings_as<GraphConfig>(config), dims);
}

}  // namespace heed
