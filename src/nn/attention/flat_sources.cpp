// multi_source, combine: flat.
#include "nn/torch.h"

#include "nn/attention/multi_source.h"
#include "nn/linear.h"

namespace heed {

namespace {

class FlatSources final : public Attention {
 public:
  FlatSources(const MultiSourceConfig& config, const AttentionDims& dims) {
    const auto project = [&](const std::string& name, int64_t from) {
      return Linear(*this, name, from, dims.query, kNoBias);
    };
    for (const auto& [name, source] : dims.sources) {
      names_.push_back(name);
      masks_.push_back(keeps_.memory("mask." + name));
      keys_.push_back(project("keys_" + name, source.key));        // U_a^k
      values_.push_back(project("values_" + name, source.value));  // U_c^k
    }
    attention_ =
        register_module("attention", config.attention->build(dims_of_width(dims, dims.query)));
    all_ = keeps_.block("all", attention_->layout());
  }

  void start(const Sources& sources, StateView state) override {
    std::vector<Tensor> keys, values, masks, positions;
    Source all;
    for (size_t k = 0; k < names_.size(); ++k) {
      const Source& source = sources.at(names_[k]);
      keys.push_back(keys_[k](source.keys));
      values.push_back(values_[k](source.values));
      masks.push_back(source.mask);
      positions.push_back(source.positions);
      all.lengths = k == 0 ? source.lengths : all.lengths + source.lengths;
      state.put(masks_[k], source.mask);
    }
    all.keys = torch::cat(keys, 1);            // [R,ΣS,W]
    all.values = torch::cat(values, 1);        // [R,ΣS,W]
    all.mask = torch::cat(masks, 1);           // [R,ΣS]
    all.positions = torch::cat(positions, 1);  // [R,ΣS]
    attention_->start({{"all", all}}, state[all_]);
  }

  Attended attend(const Tensor& query, const Tensor& positions, StateView state) override {
    Attended result = attention_->attend(query, positions, state[all_]);
    const Tensor weights = std::exchange(result.weights, Tensor());
    int64_t begin = 0;
    for (size_t k = 0; k < names_.size() && weights.defined(); ++k) {
      const int64_t size = state.get(masks_[k]).size(1);
      Attended& part = result.parts.emplace_back();
      part.weights = weights.narrow(3, begin, size);  // [R,H,T,S]
      part.part = Part::kSource;
      part.source = names_[k];
      begin += size;
    }
    return result;
  }

 private:
  std::vector<std::string> names_;
  std::vector<Linear> keys_, values_;
  std::vector<MemorySlot> masks_;  // [N,S] of each
  std::shared_ptr<Attention> attention_;
  StateBlock all_;
};

}  // namespace

std::shared_ptr<Attention> make_flat(const MultiSourceConfig& config, const AttentionDims& dims) {
  return std::make_shared<FlatSources>(config, dims);
}

}  // namespace heed
