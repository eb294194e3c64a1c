// multi_source, combine: hierarchical.
#include "nn/torch.h"

#include "nn/attention/multi_source.h"
#include "nn/attention/normalizers/masked_softmax.h"

namespace heed {

namespace {

class HierarchicalSources final : public SeparateSources {
 public:
  HierarchicalSources(const MultiSourceConfig& config, const AttentionDims& dims)
      : SeparateSources(config, dims), query_(dims.query, dims.query), energy_(nullptr) {
    const auto project = [&](const std::string& name, int64_t from, int64_t to) {
      return register_module(name, without_bias(from, to));
    };
    register_module("query", query_);            // W
    energy_ = project("energy", dims.query, 1);  // v
    for (size_t k = 0; k < names().size(); ++k) {
      keys_.push_back(project("keys_" + names()[k], width(k), dims.query));      // U_b^k
      values_.push_back(project("values_" + names()[k], width(k), dims.query));  // U_c^k
    }
  }

  void start(const Sources& sources, StateView state) override {
    SeparateSources::start(sources, state);
    std::vector<Tensor> present;
    for (const std::string& name : names()) present.push_back(sources.at(name).mask.any(1));
    state.put_shared("present", torch::stack(present, 1));  // [R,K]
  }

  Attended attend(const Tensor& query, const Tensor& positions, StateView state) override {
    Attended result;
    const Tensor asked = query_(query);  // [R,T,W]
    std::vector<Tensor> energies, values;
    for (size_t k = 0; k < names().size(); ++k) {
      const Tensor context = read(k, query, positions, state, result);  // [R,T,V]
      energies.push_back(energy_(torch::tanh(asked + keys_[k](context))));
      values.push_back(values_[k](context));
    }
    const Tensor weights = masked_softmax(torch::cat(energies, 2),  // β [R,T,K]
                                          state.get("present").unsqueeze(1));
    result.context =
        torch::matmul(weights.unsqueeze(2), torch::stack(values, 2)).squeeze(2);  // [R,T,W]
    if (!state.pass().keep_weights) return result;
    Attended& over = result.parts.emplace_back();
    over.weights = weights.unsqueeze(1);  // [R,1,T,K]
    over.part = Part::kOverSources;
    return result;
  }

 private:
  torch::nn::Linear query_, energy_;
  std::vector<torch::nn::Linear> keys_, values_;
};

}  // namespace

std::shared_ptr<Attention> make_hierarchical(const MultiSourceConfig& config,
                                             const AttentionDims& dims) {
  return std::make_shared<HierarchicalSources>(config, dims);
}

}  // namespace heed
