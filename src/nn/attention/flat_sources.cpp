// multi_source, combine: flat.
#include "nn/torch.h"

#include "base/error.h"
#include "nn/attention/multi_source.h"

namespace heed {

namespace {

class FlatSources final : public Attention {
 public:
  FlatSources(const MultiSourceConfig& config, const AttentionDims& dims) {
    const auto project = [&](const std::string& name, int64_t from) {
      return register_module(name, without_bias(from, dims.query));
    };
    for (const auto& [name, source] : dims.sources) {
      names_.push_back(name);
      keys_.push_back(project("keys_" + name, source.key));        // U_a^k
      values_.push_back(project("values_" + name, source.value));  // U_c^k
    }
    attention_ =
        register_module("attention", config.attention->build(dims_of_width(dims, dims.query)));
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
      state.put_shared("mask." + names_[k], source.mask);
    }
    all.keys = torch::cat(keys, 1);            // [R,ΣS,W]
    all.values = torch::cat(values, 1);        // [R,ΣS,W]
    all.mask = torch::cat(masks, 1);           // [R,ΣS]
    all.positions = torch::cat(positions, 1);  // [R,ΣS]
    attention_->start({{"all", all}}, state.view("all"));
  }

  void extend(const Tensor&, const Tensor&, const Tensor&, StateView) override {
    throw InternalError("several sources, and they grow");
  }

  Attended attend(const Tensor& query, const Tensor& positions, StateView state) override {
    Attended result = attention_->attend(query, positions, state.view("all"));
    const Tensor weights = std::exchange(result.weights, Tensor());
    int64_t begin = 0;
    for (size_t k = 0; k < names_.size() && weights.defined(); ++k) {
      const int64_t size = state.get("mask." + names_[k]).size(1);
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
  std::vector<torch::nn::Linear> keys_, values_;
  std::shared_ptr<Attention> attention_;
};

}  // namespace

std::shared_ptr<Attention> make_flat(const MultiSourceConfig& config, const AttentionDims& dims) {
  return std::make_shared<FlatSources>(config, dims);
}

}  // namespace heed
