// linformer: softmax over keys and values that are projected from S places to a few (Wang et al.
// 2020, equation 7).
#include <cmath>

#include "nn/torch.h"

#include "base/error.h"
#include "config/sizes.h"
#include "nn/attention/empty_rows.h"
#include "nn/attention/linear_projections.h"

namespace heed {

namespace {

struct LinformerFeatures final : FeaturesConfig {
  int64_t slots = 64;            // places that are left
  int64_t max_positions = 1024;  // places that are told apart
  void fields(Fields& f) const override {
    f.field("slots", slots, kLengths, "length that a sentence is projected to");
    f.field("max_positions", max_positions, kTablePositions,
            "maximum length; later positions share the last projection");
  }
  bool needs_whole_sentence() const override { return true; }
  std::shared_ptr<Attention> build(const LinearConfig& config,
                                   const AttentionDims& dims) const override;
};

class Linformer final : public LinearProjections {
 public:
  Linformer(const LinearConfig& config, const LinformerFeatures& own, const AttentionDims& dims)
      : LinearProjections(config, dims) {
    const std::vector<int64_t> shape{own.slots, own.max_positions};
    key_places_ = register_parameter("key_places", torch::empty(shape));
    value_places_ = register_parameter("value_places", torch::empty(shape));
  }
  void start(const Sources& sources, StateView state) override {
    HEED_CHECK(sources.size() == 1, "this attention reads one source, not {}", sources.size());
    const Source& source = sources.begin()->second;
    const Tensor closed = ~source.mask.unsqueeze(1).unsqueeze(3);  // [R,1,S,1]
    // Places beyond the last one told apart are that one.
    const Tensor places = torch::arange(source.keys.size(1), source.positions.options())
                              .clamp_max(key_places_.size(1) - 1);
    const Tensor of_keys = key_places_.index_select(1, places),
                 of_values = value_places_.index_select(1, places);  // [slots,S]
    const auto projected = [&](const Tensor& to_slots, const Tensor& x) {
      return torch::matmul(to_slots, x.masked_fill(closed, 0));
    };
    state.put_shared("keys", projected(of_keys, keys_of(source.keys)));
    state.put_shared("values", projected(of_values, values_of(source.values)));
    if (state.pass().keep_weights) {
      const Tensor open = source.mask.unsqueeze(1).to(of_values.scalar_type());  // [R,1,S]
      state.put_shared("slots", of_values * open);                               // [R,slots,S]
    }
    put_empty_rows(source, state);
  }
  void extend(const Tensor&, const Tensor&, const Tensor&, StateView) override {
    HEED_CHECK(false, "linformer over a growing past");
  }
  Attended attend(const Tensor& query, const Tensor&, StateView state) override {
    const Tensor queries = queries_of(query);
    const double root = std::sqrt(static_cast<double>(queries.size(3)));
    const Tensor weights =
        torch::softmax(torch::matmul(queries / root, state.get("keys").transpose(2, 3)), -1);
    Attended attended = finished(torch::matmul(weights, state.get("values")), state);
    // How much of each place is in what was read of the slots; it may be less than nothing.
    if (state.pass().keep_weights)
      attended.weights = torch::matmul(weights, state.get("slots").unsqueeze(1));  // [R,H,T,S]
    return attended;
  }

 private:
  Tensor key_places_, value_places_;  // E, F [slots,P]
};

std::shared_ptr<Attention> LinformerFeatures::build(const LinearConfig& config,
                                                    const AttentionDims& dims) const {
  return std::make_shared<Linformer>(config, *this, dims);
}

}  // namespace

namespace kinds {
Kind<FeaturesConfig> linformer() {
  return kind<LinformerFeatures, FeaturesConfig>(
      "linformer", "softmax over projections to a fixed length (Wang 2020)");
}
}  // namespace kinds

}  // namespace heed
