// Loops of Transformers in translation that differ from Vaswani et al. 2017: RMSNorm, gates, and
// attention with shared heads of keys and with positions in its scores. Included after
// vector_loops.h and recurrent_loops.h, which has sigmoid_of().
#pragma once

namespace heed {
namespace {

void rms_norm(const float* x, int64_t rows, int64_t width, const float* gain, float* y) {
  for (int64_t r = 0; r < rows; ++r, x += width, y += width) {
    const float scale = 1 / __builtin_sqrtf(dot(x, x, width) / static_cast<float>(width) + 1e-6F);
    along(
        width,
        [&](int64_t i) { store(y + i, load<Floats>(x + i) * scale * load<Floats>(gain + i)); },
        [&](int64_t i) { y[i] = x[i] * scale * gain[i]; });
  }
}

void sigmoid(float* x, int64_t count) {
  for_cells(count, [&](int64_t k, auto zero) {
    using Values = decltype(zero);
    store(x + k, sigmoid_of(load<Values>(x + k)));
  });
}

template <class Key>
void attend_rows_of(const RowsView& view, const Key* all_keys, const Key* all_values) {
  const int64_t sharing = view.heads / view.key_value_heads;
  const auto row = [&](int64_t i) { return view.rows == nullptr ? i : view.rows[i]; };
  for (int64_t h = 0; h < view.heads; ++h) {
    const Key* keys = all_keys + h / sharing * view.width;
    const Key* values = all_values + h / sharing * view.value_width;
    float* scores = view.weights + h * view.weight_stride;
    for (int64_t i = 0; i < view.count; ++i)
      scores[i] = dot(keys + row(i) * view.key_stride, view.query + h * view.width, view.width);
    if (view.bias != nullptr) add(view.bias + h * view.bias_stride, view.count, scores);
    weigh_rows<1>({scores, 0, view.context + h * view.value_width, 0}, view.count, view.value_width,
                  [&](int64_t i) { return values + row(i) * view.value_stride; });
  }
}

void attend_rows(const RowsView& view) {
  if (view.keys.halves != nullptr)
    return attend_rows_of(view, view.keys.halves, view.values.halves);
  attend_rows_of(view, view.keys.floats, view.values.floats);
}

}  // namespace
}  // namespace heed
