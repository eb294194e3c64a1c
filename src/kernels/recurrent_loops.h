// Recurrent cells after their products, and the gradient of an LSTM cell, in one pass each.
// Included after vector_loops.h and additive_score_loops.h, which has tanh_of().
#pragma once

namespace heed {
namespace {

// Functions of each element of a vector, or of one element.
inline Floats sigmoid_of(Floats x) { return 1.0F / (exp_of(-x) + 1.0F); }
inline float sigmoid_of(float x) { return sigmoid_of(all(x))[0]; }
inline float tanh_of(float x) { return tanh_of_one(x); }

// Calls cells(k, zero) for the cells of a row from k on: for kLanes cells with a zero of Floats, or
// for one cell with a zero of float.
template <class Cells>
inline void for_cells(int64_t width, const Cells& cells) {
  along(
      width, [&](int64_t k) { cells(k, Floats{}); }, [&](int64_t k) { cells(k, 0.0F); });
}

// Sum of the parts, starting at element `at`.
template <class Values>
inline Values part_sum(const LstmCellView& view, int64_t at) {
  Values sum = load<Values>(view.parts[0] + at);
  for (int p = 1; p < LstmCellView::kMostParts && view.parts[p] != nullptr; ++p)
    sum += load<Values>(view.parts[p] + at);
  return sum;
}

void lstm_cell(const LstmCellView& view, float* hidden) {
  const int64_t width = view.width;
  for (int64_t r = 0; r < view.rows; ++r) {
    const int64_t row = r * width;
    float* gates = view.gates + 4 * row;
    for_cells(width, [&](int64_t k, auto zero) {
      using Values = decltype(zero);
      const auto sum = [&](int64_t gate) {
        return part_sum<Values>(view, 4 * row + gate * width + k);
      };
      const Values i = sigmoid_of(sum(0)), f = sigmoid_of(sum(1)), g = tanh_of(sum(2)),
                   o = sigmoid_of(sum(3));
      const Values cell = fused(f, load<Values>(view.before + row + k), i * g);
      store(gates + k, i);
      store(gates + width + k, f);
      store(gates + 2 * width + k, g);
      store(gates + 3 * width + k, o);
      store(view.after + row + k, cell);
      store(hidden + row + k, o * tanh_of(cell));
    });
  }
}

void lstm_cell_backward(const LstmCellView& view, const LstmCellGradient& gradient) {
  const int64_t width = view.width;
  for (int64_t r = 0; r < view.rows; ++r) {
    const int64_t row = r * width;
    const float* gates = view.gates + 4 * row;
    float* by_gates = gradient.gates + 4 * row;
    for_cells(width, [&](int64_t k, auto zero) {
      using Values = decltype(zero);
      const auto given = [&](const float* x) {
        return x == nullptr ? zero : load<Values>(x + row + k);
      };
      const Values i = load<Values>(gates + k), f = load<Values>(gates + width + k),
                   g = load<Values>(gates + 2 * width + k), o = load<Values>(gates + 3 * width + k);
      const Values t = tanh_of(load<Values>(view.after + row + k));
      const Values h = given(gradient.hidden);
      const Values c = h * o * (1.0F - t * t) + given(gradient.after);
      store(by_gates + k, c * g * i * (1.0F - i));
      store(by_gates + width + k, c * load<Values>(view.before + row + k) * f * (1.0F - f));
      store(by_gates + 2 * width + k, c * i * (1.0F - g * g));
      store(by_gates + 3 * width + k, h * t * o * (1.0F - o));
      store(gradient.before + row + k, c * f);
    });
  }
}

void gru_cell(const GruCellView& view, float* hidden) {
  const int64_t width = view.width;
  for (int64_t r = 0; r < view.rows; ++r) {
    const int64_t row = r * width;
    for_cells(width, [&](int64_t k, auto zero) {
      using Values = decltype(zero);
      const auto input = [&](int64_t gate) {
        return load<Values>(view.input + 3 * row + gate * width + k);
      };
      const auto state = [&](int64_t gate) {
        return load<Values>(view.state + 3 * row + gate * width + k);
      };
      const Values reset = sigmoid_of(input(0) + state(0)),
                   update = sigmoid_of(input(1) + state(1));
      const Values candidate = tanh_of(fused(reset, state(2), input(2)));
      const Values before = load<Values>(view.before + row + k);
      store(hidden + row + k, fused(update, before - candidate, candidate));
    });
  }
}

void tanh(float* x, int64_t count) {
  for_cells(count, [&](int64_t k, auto zero) {
    using Values = decltype(zero);
    store(x + k, tanh_of(load<Values>(x + k)));
  });
}

}  // namespace
}  // namespace heed
