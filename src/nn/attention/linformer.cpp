// linformer: softmax over keys and values that are projected from S positions to a few (Wang et al.
// 2020, equation 7).
#include <cmath>

#include "nn/torch.h"

#include "base/error.h"
#include "nn/attention/linear_projections.h"

namespace heed {

namespace {

class Linformer final : public LinearProjections {
 public:
  Linformer(const LinearConfig& config, const LinformerFeatures& own, const AttentionDims& dims)
      : LinearProjections(config, dims) {
    key_projection_ = add_parameter("key_places", {own.slots, own.max_positions}, Init::matrix());
    value_projection_ =
        add_parameter("value_places", {own.slots, own.max_positions}, Init::matrix());
  }
  void start(const Sources& sources, StateView state) override {
    HEED_CHECK(sources.size() == 1, "this attention reads one source, not {}", sources.size());
    const Source& source = sources.begin()->second;
    const Tensor closed = ~source.mask.unsqueeze(1).unsqueeze(3);  // [R,1,S,1]
    // Positions from max_positions on share the last column.
    const Tensor positions = torch::arange(source.keys.size(1), source.positions.options())
                                 .clamp_max(key_projection_.size(1) - 1);
    const Tensor of_keys = key_projection_.index_select(1, positions),
                 of_values = value_projection_.index_select(1, positions);  // [slots,S]
    const auto projected = [&](const Tensor& to_slots, const Tensor& x) {
      return torch::matmul(to_slots, x.masked_fill(closed, 0));
    };
    state.put(keys_, projected(of_keys, keys_of(source.keys)));
    state.put(values_, projected(of_values, values_of(source.values)));
    if (state.pass().keep_weights) {
      const Tensor open = source.mask.unsqueeze(1).to(of_values.scalar_type());  // [R,1,S]
      state.put(slots_, of_values * open);
    }
    empty_.put(source, state);
  }
  Attended attend(const Tensor& query, const Tensor&, StateView state) override {
    const Tensor queries = queries_of(query);
    const double root = std::sqrt(static_cast<double>(queries.size(3)));
    const Tensor weights =
        torch::softmax(torch::matmul(queries / root, state.get(keys_).transpose(2, 3)), -1);
    Attended attended = finished(torch::matmul(weights, state.get(values_)), state);
    // Weights of the positions by way of the slots; they may be negative.
    if (state.pass().keep_weights)
      attended.weights = torch::matmul(weights, state.get(slots_).unsqueeze(1));  // [R,H,T,S]
    return attended;
  }

 private:
  Tensor key_projection_, value_projection_;      // E, F [slots,P]
  MemorySlot keys_ = layout_.memory("keys");      // [N,H,slots,D]
  MemorySlot values_ = layout_.memory("values");  // [N,H,slots,V]
  MemorySlot slots_ = layout_.memory("slots");    // [N,slots,S], for plots
};

}  // namespace

std::shared_ptr<Attention> make_linformer(const LinearConfig& config, const LinformerFeatures& own,
                                          const AttentionDims& dims) {
  return std::make_shared<Linformer>(config, own, dims);
}

}  // namespace heed
