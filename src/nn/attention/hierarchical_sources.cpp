// multi_source, combine: hierarchical.
#include "nn/torch.h"

#include "nn/attention/multi_source.h"
#include "nn/attention/normalizers/masked_softmax.h"
#include "nn/linear.h"

namespace heed {

namespace {

class HierarchicalSources final : public SeparateSources {
 public:
  HierarchicalSources(const MultiSourceConfig& config, const AttentionDims& dims)
      : SeparateSources(config, dims),
        query_(*this, "query", dims.query, dims.query),
        energy_(*this, "energy", dims.query, 1, kNoBias) {
    for (size_t k = 0; k < names().size(); ++k) {
      keys_.emplace_back(*this, "keys_" + names()[k], width(k), dims.query, kNoBias);
      values_.emplace_back(*this, "values_" + names()[k], width(k), dims.query, kNoBias);
    }
  }

  void start(const Sources& sources, StateView state) override {
    SeparateSources::start(sources, state);
    std::vector<Tensor> present;
    for (const std::string& name : names()) present.push_back(sources.at(name).mask.any(1));
    state.put(present_, torch::stack(present, 1));
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
                                          state.get(present_).unsqueeze(1));
    result.context =
        torch::matmul(weights.unsqueeze(2), torch::stack(values, 2)).squeeze(2);  // [R,T,W]
    if (!state.pass().keep_weights) return result;
    Attended& over = result.parts.emplace_back();
    over.weights = weights.unsqueeze(1);  // [R,1,T,K]
    over.part = Part::kOverSources;
    return result;
  }

 private:
  Linear query_, energy_;                           // W, v
  std::vector<Linear> keys_, values_;               // U_b^k, U_c^k: without bias, so that 0 stays 0
  MemorySlot present_ = layout_.memory("present");  // [N,K] whether a sentence has a source
};

}  // namespace

std::shared_ptr<Attention> make_hierarchical(const MultiSourceConfig& config,
                                             const AttentionDims& dims) {
  return std::make_shared<HierarchicalSources>(config, dims);
}

}  // namespace heed
