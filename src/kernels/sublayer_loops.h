// Between the products of a Transformer sublayer: layer normalization, dropout with the residual
// connection, relu with dropout, and their gradients, each in one pass over its rows. Included after
// dropout_loops.h.
#pragma once

namespace heed {
namespace {

void normalize(const LayerNormView& view, float* y, uint16_t* rounded) {
  const float *x = view.x, size = static_cast<float>(view.width);
  for (int64_t r = 0; r < view.rows; ++r, x += view.width, y += view.width) {
    const auto add_square = [](auto sum, auto v) { return fused(v, v, sum); };
    const float sum = sum_along(
        view.width, [&](Floats part, int64_t i) { return part + load<Floats>(x + i); },
        [&](float part, int64_t i) { return part + x[i]; });
    const float mean = sum / size;
    const float squares = sum_along(
        view.width,
        [&](Floats part, int64_t i) { return add_square(part, load<Floats>(x + i) - mean); },
        [&](float part, int64_t i) { return add_square(part, x[i] - mean); });
    const float scale = 1 / __builtin_sqrtf(squares / size + 1e-5F);
    uint16_t* to = rounded == nullptr ? nullptr : rounded + r * view.width;
    along(
        view.width,
        [&](int64_t i) {
          const Floats v = fused((load<Floats>(x + i) - mean) * scale, load<Floats>(view.gain + i),
                                 load<Floats>(view.bias + i));
          store(y + i, v);
          if (to != nullptr) store_bf16(to + i, v);
        },
        [&](int64_t i) {
          y[i] = fused((x[i] - mean) * scale, view.gain[i], view.bias[i]);
          if (to != nullptr) to[i] = bf16_of(y[i]);
        });
    if (view.mean != nullptr) view.mean[r] = mean;
    if (view.scale != nullptr) view.scale[r] = scale;
  }
}

void layer_norm(const float* x, int64_t rows, int64_t width, const float* gain, const float* bias,
                float* y) {
  normalize({.rows = rows, .width = width, .x = x, .gain = gain, .bias = bias}, y, nullptr);
}

// With x̂ = (x - mean) · scale and g = by_y · gain: by_x = scale · (g - mean of g - x̂ · mean of g x̂).
void normalize_backward(const LayerNormView& view, const LayerNormGradient& gradient) {
  const float size = static_cast<float>(view.width);
  for (int64_t r = 0; r < view.rows; ++r) {
    const float *x = view.x + r * view.width, *by_y = gradient.y + r * view.width;
    const float* more = gradient.more == nullptr ? nullptr : gradient.more + r * view.width;
    float* by_x = gradient.x + r * view.width;
    const float mean = view.mean[r], scale = view.scale[r];
    Floats sums = {}, sums_normed = {};
    float sum = 0, sum_normed = 0;
    along(
        view.width,
        [&](int64_t i) {
          const Floats y = load<Floats>(by_y + i), normed = (load<Floats>(x + i) - mean) * scale;
          const Floats g = y * load<Floats>(view.gain + i);
          sums += g;
          sums_normed += g * normed;
          store(gradient.gain + i, load<Floats>(gradient.gain + i) + y * normed);
          store(gradient.bias + i, load<Floats>(gradient.bias + i) + y);
        },
        [&](int64_t i) {
          const float normed = (x[i] - mean) * scale, g = by_y[i] * view.gain[i];
          sum += g;
          sum_normed += g * normed;
          gradient.gain[i] += by_y[i] * normed;
          gradient.bias[i] += by_y[i];
        });
    const float mean_g = (sum + sum_of(sums)) / size,
                mean_normed = (sum_normed + sum_of(sums_normed)) / size;
    along(
        view.width,
        [&](int64_t i) {
          const Floats normed = (load<Floats>(x + i) - mean) * scale;
          const Floats g = load<Floats>(by_y + i) * load<Floats>(view.gain + i);
          const Floats v = (g - mean_g - normed * mean_normed) * scale;
          store(by_x + i, more == nullptr ? v : v + load<Floats>(more + i));
        },
        [&](int64_t i) {
          const float normed = (x[i] - mean) * scale, g = by_y[i] * view.gain[i];
          by_x[i] = (g - mean_g - normed * mean_normed) * scale + (more == nullptr ? 0 : more[i]);
        });
  }
}

void fill_rows(const float* row, int64_t rows, int64_t width, float* y) {
  for (int64_t r = 0; r < rows; ++r, y += width) {
    along(
        width, [&](int64_t i) { store(y + i, load<Floats>(row + i)); },
        [&](int64_t i) { y[i] = row[i]; });
  }
}

void add_dropped(const float* x, const float* f, int64_t rows, int64_t width,
                 const DropoutRows& dropout, float* y) {
  for (int64_t r = 0; r < rows; ++r, x += width, f += width, y += width) {
    const FactorsOfRow factors(dropout, r);
    along(
        width,
        [&](int64_t i) {
          store(y + i, load<Floats>(x + i) + factors.times(load<Floats>(f + i), i));
        },
        [&](int64_t i) { y[i] = x[i] + factors.times_one(f[i], i); });
  }
}

void drop(const float* x, int64_t rows, int64_t width, const DropoutRows& dropout, float* y,
          uint16_t* rounded, float* sums) {
  for (int64_t r = 0; r < rows; ++r, x += width, y += width) {
    const FactorsOfRow factors(dropout, r);
    uint16_t* to = rounded == nullptr ? nullptr : rounded + r * width;
    along(
        width,
        [&](int64_t i) {
          const Floats v = factors.times(load<Floats>(x + i), i);
          store(y + i, v);
          if (to == nullptr) return;
          store_bf16(to + i, v);
          store(sums + i, load<Floats>(sums + i) + v);
        },
        [&](int64_t i) {
          y[i] = factors.times_one(x[i], i);
          if (to == nullptr) return;
          to[i] = bf16_of(y[i]);
          sums[i] += y[i];
        });
  }
}

// NaN stays NaN where it is not dropped.
void relu_dropped(const float* x, const float* bias, int64_t rows, int64_t width,
                  const DropoutRows& dropout, uint16_t* y) {
  for (int64_t r = 0; r < rows; ++r, x += width, y += width) {
    const FactorsOfRow factors(dropout, r);
    along(
        width,
        [&](int64_t i) {
          const Floats v = load<Floats>(x + i) + load<Floats>(bias + i);
          store_bf16(y + i, factors.times(v < Floats{} ? Floats{} : v, i));
        },
        [&](int64_t i) {
          const float v = x[i] + bias[i];
          y[i] = bf16_of(factors.times_one(v < 0 ? 0 : v, i));
        });
  }
}

void relu_dropped_backward(const float* by_y, const uint16_t* y, int64_t rows, int64_t width,
                           float kept, uint16_t* by_x, float* sums) {
  for (int64_t r = 0; r < rows; ++r, by_y += width, y += width, by_x += width) {
    along(
        width,
        [&](int64_t i) {
          const Floats g = load<Floats>(by_y + i) * kept;
          const Floats v = floats_at(y + i) == Floats{} ? Floats{} : g;
          store_bf16(by_x + i, v);
          store(sums + i, load<Floats>(sums + i) + v);
        },
        [&](int64_t i) {
          const float v = (y[i] & 0x7FFF) == 0 ? 0 : by_y[i] * kept;
          by_x[i] = bf16_of(v);
          sums[i] += v;
        });
  }
}

}  // namespace
}  // namespace heed
