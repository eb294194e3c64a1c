// multi_source, combine: flat.
#include "nn/torch.h"

#include "nn/attention/builders.h"
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
      masks_.push_back(layout_.memory("mask." + name));
      keys_.push_back(project("keys_" + name, source.key));        // U_a^k
      values_.push_back(project("values_" + name, source.value));  // U_c^k
    }
    attention_ =
        register_module("attention", build(*config.attention, dims_of_width(dims, dims.query)));
    all_ = layout_.block("all", attention_->layout());
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
    std::vector<Tensor> sizes;
    for (const Tensor& mask : masks) sizes.push_back(all.lengths.new_full({}, mask.size(1)));
    state.put(sizes_, torch::stack(sizes).expand({all.lengths.size(0), -1}));
    attention_->start({{"all", all}}, state[all_]);
  }

  Attended attend(const Tensor& query, const Tensor& positions, StateView state) override {
    Attended result = attention_->attend(query, positions, state[all_]);
    const Tensor weights = std::exchange(result.weights, Tensor());
    for (size_t k = 0; k < names_.size() && weights.defined(); ++k) {
      Attended& part = result.parts.emplace_back();
      part.weights = of_source(weights, k, state);
      part.form = result.form;
      part.part = Part::kSource;
      part.source = names_[k];
    }
    return result;
  }

 private:
  // Weights of source k out of [N,H,T,ΣS]; it begins behind the sources before it, at a position
  // that differs between sentences after join().  [N,H,T,S]
  Tensor of_source(const Tensor& weights, size_t k, const StateView& state) const {
    const Tensor& mask = state.get(masks_[k]);  // [N,S]
    const Tensor begins = state.get(sizes_).narrow(1, 0, static_cast<int64_t>(k)).sum(1, true);
    const Tensor positions = begins + torch::arange(mask.size(1), begins.options());  // [N,S]
    const Tensor inside = positions.clamp_max(weights.size(3) - 1).unsqueeze(1).unsqueeze(1);
    return weights.gather(3, inside.expand({-1, weights.size(1), weights.size(2), -1}))
        .masked_fill(~mask.unsqueeze(1).unsqueeze(1), 0);
  }

  std::vector<std::string> names_;
  std::vector<Linear> keys_, values_;
  std::vector<MemorySlot> masks_;               // [N,S] of each
  MemorySlot sizes_ = layout_.memory("sizes");  // [N,K] number of positions of each, with padding
  std::shared_ptr<Attention> attention_;
  StateBlock all_;
};

}  // namespace

std::shared_ptr<Attention> make_flat(const MultiSourceConfig& config, const AttentionDims& dims) {
  return std::make_shared<FlatSources>(config, dims);
}

}  // namespace heed
