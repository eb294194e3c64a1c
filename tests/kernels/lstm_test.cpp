// The LSTM cell in each set, at odd sizes, compared with its equations in double precision and
// their central differences.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/each_set.h"
#include "kernels/kernels.h"

namespace heed {
namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// Output of one cell; x: i, f, g, o, c.
struct CellOutput {
  double hidden, cell;
};
CellOutput cell_of(const std::vector<double>& x) {
  const double cell = logistic(x[1]) * x[4] + logistic(x[0]) * std::tanh(x[2]);
  return {logistic(x[3]) * std::tanh(cell), cell};
}

struct CellRows {
  CellRows(int64_t rows, int64_t width, std::vector<std::vector<float>> of_parts,
           std::vector<float> c)
      : parts(std::move(of_parts)), before(std::move(c)), gates(4 * before.size()), after(before) {
    view = {.rows = rows,
            .width = width,
            .parts = {},
            .before = before.data(),
            .gates = gates.data(),
            .after = after.data()};
    for (size_t p = 0; p < parts.size(); ++p) view.parts[p] = parts[p].data();
  }
  // Inputs of cell k of row r: i, f, g, o, c.
  std::vector<double> inputs(int64_t r, int64_t k) const {
    std::vector<double> x(5, 0);
    for (int64_t gate = 0; gate < 4; ++gate) {
      for (const auto& part : parts) x[gate] += part[(4 * r + gate) * view.width + k];
    }
    x[4] = before[r * view.width + k];
    return x;
  }
  std::vector<std::vector<float>> parts;
  std::vector<float> before, gates, after;
  LstmCellView view;
};

TEST_P(EachSet, LstmCellEqualsItsEquationsAndTheirDifferences) {
  for (const int64_t width : {1, 16, 37}) {
    for (const size_t count : {1, 2, 3}) {
      const int64_t rows = 3;
      std::vector<std::vector<float>> parts;
      for (size_t p = 0; p < count; ++p) parts.push_back(numbers_(rows * 4 * width, 2));
      CellRows cells(rows, width, parts, numbers_(rows * width, 2));
      std::vector<float> hidden(cells.before);
      set_.lstm_cell(cells.view, hidden.data());
      const auto by_hidden = numbers_(rows * width), by_after = numbers_(rows * width);
      std::vector<float> by_gates(cells.gates), by_before(cells.before);
      set_.lstm_cell_backward(cells.view, {.hidden = by_hidden.data(),
                                           .after = by_after.data(),
                                           .gates = by_gates.data(),
                                           .before = by_before.data()});
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t k = 0; k < width; ++k) {
          const int64_t at = r * width + k;
          const auto x = cells.inputs(r, k);
          ASSERT_NEAR(hidden[at], cell_of(x).hidden, 2e-6);
          ASSERT_NEAR(cells.after[at], cell_of(x).cell, 4e-6);
          for (size_t i = 0; i < 5; ++i) {
            const auto loss = [&](double step) {
              auto moved = x;
              moved[i] += step;
              return by_hidden[at] * cell_of(moved).hidden + by_after[at] * cell_of(moved).cell;
            };
            const double expected = (loss(1e-5) - loss(-1e-5)) / 2e-5;
            const int64_t gate = (4 * r + static_cast<int64_t>(i)) * width + k;
            ASSERT_NEAR(i < 4 ? by_gates[gate] : by_before[at], expected, 1e-5) << i;
          }
        }
      }
    }
  }
}

TEST_P(EachSet, LstmCellTakesMissingGradientsAsZero) {
  CellRows cells(2, 19, {numbers_(2 * 4 * 19)}, numbers_(2 * 19));
  std::vector<float> hidden(cells.before), none(cells.before.size(), 0), by_gates(cells.gates),
      by_before(cells.before);
  set_.lstm_cell(cells.view, hidden.data());
  const auto run = [&](const float* by_hidden, const float* by_after) {
    set_.lstm_cell_backward(cells.view, {.hidden = by_hidden,
                                         .after = by_after,
                                         .gates = by_gates.data(),
                                         .before = by_before.data()});
    auto both = by_gates;
    both.insert(both.end(), by_before.begin(), by_before.end());
    return both;
  };
  const auto by = numbers_(2 * 19);
  EXPECT_EQ(run(by.data(), nullptr), run(by.data(), none.data()));
  EXPECT_EQ(run(nullptr, by.data()), run(none.data(), by.data()));
}

// Gates far from 0 are 0 or 1, not NaN; NaN stays NaN.
TEST_P(EachSet, LstmCellOfExtremes) {
  const int64_t width = 20;
  for (const float extreme : {1e4F, INFINITY}) {
    std::vector<float> gates(4 * width, extreme);
    std::fill_n(gates.begin(), width, -extreme);  // i = 0, f = 1
    CellRows cells(1, width, {gates}, std::vector<float>(width, 0.5F));
    std::vector<float> hidden(width);
    set_.lstm_cell(cells.view, hidden.data());
    for (int64_t k = 0; k < width; ++k) {
      EXPECT_NEAR(cells.after[k], 0.5, 1e-6);
      EXPECT_NEAR(hidden[k], std::tanh(0.5), 1e-6);
    }
  }
  CellRows cells(1, width, {std::vector<float>(4 * width, NAN)}, std::vector<float>(width));
  std::vector<float> hidden(width);
  set_.lstm_cell(cells.view, hidden.data());
  for (const float h : hidden) EXPECT_TRUE(std::isnan(h));
}

}  // namespace
}  // namespace heed
