// Kernels without vectors, for processors without AVX2.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "kernels/sets.h"

namespace heed {

namespace {

float sum_at(const MatrixView& w, int64_t output, float sum) {
  return w.bias != nullptr ? sum + w.bias[output] : sum;
}

void product(const float* x, int64_t rows, int64_t stride, const MatrixView& w, float* y,
             int64_t y_stride) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t o = 0; o < w.outputs; ++o) {
      float sum = 0;
      for (int64_t i = 0; i < w.inputs; ++i) sum += x[r * stride + i] * w.floats[o * w.inputs + i];
      y[r * y_stride + o] = sum_at(w, o, sum);
    }
  }
}

float float_of(uint16_t half) { return std::bit_cast<float>(static_cast<uint32_t>(half) << 16); }

void product_bf16(const uint16_t* x, int64_t rows, const MatrixView& w, float* y,
                  int64_t y_stride) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t o = 0; o < w.outputs; ++o) {
      float sum = 0;
      for (int64_t i = 0; i < w.depth; ++i)
        sum += float_of(x[r * w.depth + i]) * float_of(w.halves[o * w.depth + i]);
      y[r * y_stride + o] = sum_at(w, o, sum);
    }
  }
}

void round_bf16(const float* x, int64_t rows, int64_t width, int64_t depth, uint16_t* to) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < depth; ++i) {
      const float value = i < width ? x[r * width + i] : 0;
      const auto bits = std::bit_cast<uint32_t>(value);
      const uint32_t rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
      to[r * depth + i] = static_cast<uint16_t>(std::isnan(value) ? 0x7FC0 : rounded);
    }
  }
}

void product_int8(const QuantizedRows& x, int64_t rows, const MatrixView& w, float* y,
                  int64_t y_stride) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t o = 0; o < w.outputs; ++o) {
      int32_t sum = 0;
      for (int64_t i = 0; i < w.depth; ++i)
        sum += (x.bytes[r * w.depth + i] - 128) * w.bytes[o * w.depth + i];
      y[r * y_stride + o] = sum_at(w, o, static_cast<float>(sum) * w.scales[o] * x.scales[r]);
    }
  }
}

void quantize(const float* x, int64_t rows, int64_t stride, int64_t width, int64_t depth,
              const QuantizedRows& to) {
  for (int64_t r = 0; r < rows; ++r) {
    const float* row = x + r * stride;
    float largest = 0;
    bool odd = false;  // whether a value is not finite
    for (int64_t i = 0; i < width; ++i) {
      largest = std::max(largest, std::fabs(row[i]));
      odd = odd || !std::isfinite(row[i]);
    }
    constexpr float kSmallest = 1e-30F;  // rows below it are 0 in 8 bits
    const float scale = largest > kSmallest && !odd ? 127 / largest : 0;
    for (int64_t i = 0; i < depth; ++i) {
      const float q = i < width && !odd ? std::nearbyint(row[i] * scale) : 0;
      to.bytes[r * depth + i] = static_cast<uint8_t>(static_cast<int>(q) + 128);
    }
    to.scales[r] = odd ? std::numeric_limits<float>::quiet_NaN() : scale > 0 ? largest / 127 : 0;
  }
}

void layer_norm(const float* x, int64_t rows, int64_t width, const float* gain, const float* bias,
                float* y) {
  for (int64_t r = 0; r < rows; ++r, x += width, y += width) {
    double mean = 0, variance = 0;
    for (int64_t i = 0; i < width; ++i) mean += x[i];
    mean /= static_cast<double>(width);
    for (int64_t i = 0; i < width; ++i) variance += (x[i] - mean) * (x[i] - mean);
    variance /= static_cast<double>(width);
    const double scale = 1 / std::sqrt(variance + 1e-5);
    for (int64_t i = 0; i < width; ++i)
      y[i] = static_cast<float>((x[i] - mean) * scale) * gain[i] + bias[i];
  }
}

void add(const float* x, int64_t count, float* y) {
  for (int64_t i = 0; i < count; ++i) y[i] += x[i];
}

void relu(float* x, int64_t count) {
  for (int64_t i = 0; i < count; ++i) x[i] = x[i] < 0 ? 0 : x[i];
}

void silu_times(const float* gate, int64_t count, float* x) {
  for (int64_t i = 0; i < count; ++i) x[i] *= gate[i] / (1 + std::exp(-gate[i]));
}

void softmax(float* x, int64_t count) {
  const float most = *std::max_element(x, x + count);
  float sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += x[i] = std::exp(x[i] - most);
  for (int64_t i = 0; i < count; ++i) x[i] /= sum;
}

void attend(const AttentionView& view) {
  for (int64_t q = 0; q < view.query_count; ++q) {
    for (int64_t h = 0; h < view.heads; ++h) {
      const float* query = view.queries + q * view.query_stride + h * view.width;
      for (int64_t s = 0; s < view.key_count; ++s) {
        view.scores[s] = 0;
        for (int64_t d = 0; d < view.width; ++d)
          view.scores[s] += query[d] * view.keys[(h * view.width + d) * view.padded + s];
      }
      softmax(view.scores, view.key_count);
      for (int64_t d = 0; d < view.width; ++d) {
        float sum = 0;
        for (int64_t s = 0; s < view.key_count; ++s)
          sum += view.scores[s] * view.values[s * view.value_stride + h * view.width + d];
        view.context[q * view.context_stride + h * view.width + d] = sum;
      }
      for (int64_t s = 0; view.mean != nullptr && s < view.key_count; ++s)
        view.mean[q * view.mean_stride + s] += view.scores[s] / static_cast<float>(view.heads);
    }
  }
}

void attend_past(const PastView& view) {
  const int64_t all_heads = view.heads * view.width;
  for (int64_t h = 0; h < view.heads; ++h) {
    const auto at = [&](const float* x, int64_t i, int64_t d) {
      return x[view.slots[i] * all_heads + h * view.width + d];
    };
    for (int64_t i = 0; i < view.count; ++i) {
      view.scores[i] = 0;
      for (int64_t d = 0; d < view.width; ++d)
        view.scores[i] += view.query[h * view.width + d] * at(view.keys, i, d);
    }
    softmax(view.scores, view.count);
    for (int64_t d = 0; d < view.width; ++d) {
      float sum = 0;
      for (int64_t i = 0; i < view.count; ++i) sum += view.scores[i] * at(view.values, i, d);
      view.context[h * view.width + d] = sum;
    }
  }
}

float log_sum_exp(const float* x, int64_t count) {
  float most = x[0];
  for (int64_t i = 1; i < count; ++i) most = std::max(most, x[i]);
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += std::exp(static_cast<double>(x[i]) - most);
  return static_cast<float>(most + std::log(sum));
}

void top_k(const float* x, int64_t count, int64_t wanted, float* values, int32_t* ids) {
  std::vector<int32_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [x](int32_t a, int32_t b) { return x[a] > x[b]; });
  constexpr float kNone = -std::numeric_limits<float>::infinity();
  for (int64_t i = 0; i < wanted; ++i) {
    const int32_t id = i < count ? order[static_cast<size_t>(i)] : -1;
    const bool possible = id >= 0 && x[id] > kNone;
    values[i] = possible ? x[id] : kNone;
    ids[i] = possible ? id : -1;
  }
}

}  // namespace

const Kernels kPlainKernels = HEED_KERNELS("plain", 1, 1);

}  // namespace heed
