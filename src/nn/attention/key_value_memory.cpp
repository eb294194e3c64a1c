// `type: key_value_memory`: hops over a memory of keys and values that are two texts with equally
// many entries (Miller et al. 2016, section 3.1). With rows k_i = A Φ(k_i) and v_i = A Φ(v_i) of
// the two sources and the query q_1 = A Φ(x):
//   p_i = softmax(q_jᵀ k_i)              key addressing
//   o_j = Σ_i p_i v_i                    value reading
//   q_{j+1} = R_j (q_j + o_j)            of each hop j = 1 … H
// The context vector is q_{H+1}, from which the output layer computes softmax(q_{H+1}ᵀ B Φ(y)).
// The memory is of the entries that the data have: finding them in a larger memory by words (key
// hashing) is left to the data. PairEncoder checks that the numbers of entries agree.
#include "nn/torch.h"

#include "base/error.h"
#include "nn/attention/builders.h"
#include "nn/attention/empty_rows.h"
#include "nn/attention/key_value_memory_config.h"
#include "nn/attention/normalizers/masked_softmax.h"
#include "nn/linear.h"

namespace heed {

namespace {

class KeyValueMemory final : public Attention {
 public:
  KeyValueMemory(const KeyValueMemoryConfig& config, const AttentionDims& dims) : config_(config) {
    for (int64_t hop = 0; hop < config.hops; ++hop)
      maps_.emplace_back(*this, fmt::format("map_{}", hop), dims.query, dims.query, kNoBias);
  }

  void start(const Sources& sources, StateView state) override {
    const Source &keys = sources.at(config_.keys), &values = sources.at(config_.values);
    HEED_CHECK(keys.keys.size(1) == values.values.size(1), "{} keys and {} values",
               keys.keys.size(1), values.values.size(1));
    // Views: gradients are summed for each attention, so those of recomputed layers are the same.
    state.put(keys_, keys.keys.view_as(keys.keys));
    state.put(values_, values.values.view_as(values.values));
    state.put(mask_, keys.mask);
    empty_.put(keys, state);
  }

  Attended attend(const Tensor& query, const Tensor&, StateView state) override {
    const Tensor mask = state.get(mask_).unsqueeze(1);     // [R,1,S]
    const Tensor keys = state.get(keys_).transpose(1, 2);  // [R,W,S]
    Attended result;
    Tensor q = query;  // [R,T,W]
    for (size_t hop = 0; hop < maps_.size(); ++hop) {
      const Tensor p = masked_softmax(torch::matmul(q, keys), mask);  // [R,T,S]
      q = maps_[hop](q + torch::matmul(p, state.get(values_)));
      if (!state.pass().keep_weights) continue;
      Attended& part = result.parts.emplace_back();
      part.weights = result.weights = p.unsqueeze(1);  // [R,1,T,S]
      part.part = Part::kHop;
      part.hop = static_cast<int64_t>(hop);
    }
    result.context = empty_.without(q, state);
    name_source(result, config_.keys);
    return result;
  }

 private:
  KeyValueMemoryConfig config_;
  std::vector<Linear> maps_;  // R_j
  MemorySlot keys_ = layout_.memory("keys"), values_ = layout_.memory("values"),
             mask_ = layout_.memory("mask");
  EmptyRows empty_{layout_};
};

}  // namespace

std::shared_ptr<Attention> builders::key_value_memory(const AttentionConfig& config,
                                                      const AttentionDims& dims) {
  return std::make_shared<KeyValueMemory>(settings_as<KeyValueMemoryConfig>(config), dims);
}

}  // namespace heed
