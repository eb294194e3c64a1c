// An LSTM cell after its products, and its gradient, in one pass each. Included after
// vector_loops.h and additive_score_loops.h, which has tanh_of().
#pragma once

namespace heed {
namespace {

inline Floats sigmoid_of(Floats x) { return 1.0F / (exp_of(-x) + 1.0F); }
inline float sigmoid_of_one(float x) { return sigmoid_of(all(x))[0]; }

// The sum of the parts at an element, or at kLanes elements.
inline float part_sum(const LstmCellView& view, int64_t at, float) {
  float sum = view.parts[0][at];
  for (int p = 1; p < LstmCellView::kMostParts && view.parts[p] != nullptr; ++p)
    sum += view.parts[p][at];
  return sum;
}
inline Floats part_sum(const LstmCellView& view, int64_t at, Floats) {
  Floats sum = load<Floats>(view.parts[0] + at);
  for (int p = 1; p < LstmCellView::kMostParts && view.parts[p] != nullptr; ++p)
    sum += load<Floats>(view.parts[p] + at);
  return sum;
}

void lstm_cell(const LstmCellView& view, float* hidden) {
  const int64_t width = view.width;
  for (int64_t r = 0; r < view.rows; ++r) {
    const int64_t row = r * width;
    float* gates = view.gates + 4 * row;
    along(
        width,
        [&](int64_t k) {
          const auto sum = [&](int64_t gate) {
            return part_sum(view, 4 * row + gate * width + k, Floats{});
          };
          const Floats i = sigmoid_of(sum(0)), f = sigmoid_of(sum(1)), g = tanh_of(sum(2)),
                       o = sigmoid_of(sum(3));
          const Floats cell = f * load<Floats>(view.before + row + k) + i * g;
          store(gates + k, i);
          store(gates + width + k, f);
          store(gates + 2 * width + k, g);
          store(gates + 3 * width + k, o);
          store(view.after + row + k, cell);
          store(hidden + row + k, o * tanh_of(cell));
        },
        [&](int64_t k) {
          const auto sum = [&](int64_t gate) {
            return part_sum(view, 4 * row + gate * width + k, 0.0F);
          };
          const float i = sigmoid_of_one(sum(0)), f = sigmoid_of_one(sum(1)),
                      g = tanh_of_one(sum(2)), o = sigmoid_of_one(sum(3));
          gates[k] = i;
          gates[width + k] = f;
          gates[2 * width + k] = g;
          gates[3 * width + k] = o;
          view.after[row + k] = f * view.before[row + k] + i * g;
          hidden[row + k] = o * tanh_of_one(view.after[row + k]);
        });
  }
}

void lstm_cell_backward(const LstmCellView& view, const LstmCellGradient& gradient) {
  const int64_t width = view.width;
  for (int64_t r = 0; r < view.rows; ++r) {
    const int64_t row = r * width;
    const float *gates = view.gates + 4 * row, *before = view.before + row,
                *after = view.after + row;
    const float* by_hidden = gradient.hidden == nullptr ? nullptr : gradient.hidden + row;
    const float* by_after = gradient.after == nullptr ? nullptr : gradient.after + row;
    float *by_gates = gradient.gates + 4 * row, *by_before = gradient.before + row;
    along(
        width,
        [&](int64_t k) {
          const Floats i = load<Floats>(gates + k), f = load<Floats>(gates + width + k),
                       g = load<Floats>(gates + 2 * width + k),
                       o = load<Floats>(gates + 3 * width + k);
          const Floats t = tanh_of(load<Floats>(after + k));
          const Floats h = by_hidden == nullptr ? Floats{} : load<Floats>(by_hidden + k);
          Floats c = h * o * (1.0F - t * t);
          if (by_after != nullptr) c += load<Floats>(by_after + k);
          store(by_gates + k, c * g * i * (1.0F - i));
          store(by_gates + width + k, c * load<Floats>(before + k) * f * (1.0F - f));
          store(by_gates + 2 * width + k, c * i * (1.0F - g * g));
          store(by_gates + 3 * width + k, h * t * o * (1.0F - o));
          store(by_before + k, c * f);
        },
        [&](int64_t k) {
          const float i = gates[k], f = gates[width + k], g = gates[2 * width + k],
                      o = gates[3 * width + k];
          const float t = tanh_of_one(after[k]), h = by_hidden == nullptr ? 0 : by_hidden[k];
          const float c = h * o * (1 - t * t) + (by_after == nullptr ? 0 : by_after[k]);
          by_gates[k] = c * g * i * (1 - i);
          by_gates[width + k] = c * before[k] * f * (1 - f);
          by_gates[2 * width + k] = c * i * (1 - g * g);
          by_gates[3 * width + k] = h * t * o * (1 - o);
          by_before[k] = c * f;
        });
  }
}

}  // namespace
}  // namespace heed
