#include "nn/attention/scores/dot.h"

#include <cmath>

#include "nn/torch.h"

#include "nn/attention/heads.h"

namespace heed {

namespace {

class DotScorer final : public Scorer {
 public:
  DotScorer(const StageDims& dims, int64_t width, bool project, bool scaled)
      : heads_(dims.heads), scaled_(scaled) {
    if (!project) return;
    query_ = register_module("query", torch::nn::Linear(dims.query, width));
    key_ = register_module("key", torch::nn::Linear(dims.key, width));
  }
  Tensor prepare_queries(const Tensor& x, const Tensor&) override {
    return split_heads(query_ ? query_(x) : x, heads_);
  }
  Tensor prepare_keys(const Tensor& x, const Tensor&) override {
    return split_heads(key_ ? key_(x) : x, heads_);
  }
  Tensor score(const At& at) override {
    const Tensor queries =
        scaled_ ? at.queries / std::sqrt(static_cast<double>(at.queries.size(3))) : at.queries;
    return torch::matmul(queries, at.keys.transpose(2, 3));  // [R,H,T,S]
  }

 private:
  int64_t heads_;
  bool scaled_;
  torch::nn::Linear query_{nullptr}, key_{nullptr};
};

}  // namespace

void DotConfig::fields(Fields& f) {
  f.field("project", project,
          "learned projections of queries and keys; default: with several heads, or inside a "
          "Transformer block");
  f.field("width", width, kNotNegative,
          "width of all projected heads together; 0: the width of the query");
}

int64_t DotConfig::width_of_heads(const StageDims& dims) const {
  return project.value_or(dims.project()) && width > 0 ? width : dims.query;
}

void DotConfig::check(const StageDims& dims, Problems& problems) const {
  if (project.value_or(dims.project()) || dims.query == dims.key) return;
  problems.add("", fmt::format("{} compares a query of width {} with keys of width {} as they are: "
                               "make the widths equal, set project: true, or take general or "
                               "additive",
                               type, dims.query, dims.key));
}

std::shared_ptr<Scorer> DotConfig::build(const StageDims& dims) const {
  return std::make_shared<DotScorer>(dims, width_of_heads(dims), project.value_or(dims.project()),
                                     is_scaled());
}

}  // namespace heed
