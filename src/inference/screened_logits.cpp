#include "inference/screened_logits.h"

namespace heed {

ScreenedLogits::ScreenedLogits(const PackedMatrix& weights, const Kernels& set)
    : weights_(weights),
      set_(set),
      rounded_(weights, set, Precision::kInt16,
               [this, shorts = Aligned<int16_t>()](const float* w) mutable {
                 return error_of(w, shorts);
               }) {}

bool ScreenedLogits::suits(const PackedMatrix& weights, const Kernels& set, int64_t count) {
  // Weights: 16 MB in float32. With fewer, screening gains little: with 1.0 million translation was
  // 1.03 to 1.07 times as fast, with 4.1 million, of an LSTM, 0.96 to 1.03 times.
  constexpr int64_t kFewest = 1 << 22;
  constexpr int64_t kShare = 32;  // one panel in so many is multiplied once more, at most
  return weights.precision() == Precision::kFloat &&
         weights.outputs() * weights.inputs() >= kFewest && weights.inputs() <= kWidestInt16 &&
         count * kShare <= weights.outputs() / kPanelColumns;
}

RoundingError ScreenedLogits::error_of(const float* x, Aligned<int16_t>& shorts) const {
  const int64_t width = weights_.inputs();
  shorts.resize(static_cast<size_t>(width));
  float scale = 0;
  set_.quantize_int16(x, 1, width, width, width, {shorts.data(), &scale});
  return rounding_error(x, width,
                        [&](int64_t i) { return static_cast<double>(scale) * shorts[i]; });
}

void ScreenedLogits::refine(const float* x, std::span<float> logits, int64_t count, int32_t forced,
                            LikelyOutputs& likely, Workspace& room) const {
  const ScoreBound bound(error_of(x, room.shorts), weights_.inputs());
  likely.choose(set_, logits, count, forced,
                [&](int32_t p) { return bound.of(rounded_.bounds[p]); });
  room.products.resize(likely.panels().size() * static_cast<size_t>(kPanelColumns));
  weights_.product_of_panels(x, likely.panels(), room.products.data());
  likely.replace(room.products.data(), logits);
}

}  // namespace heed
