// The kernels between the products of a sublayer in each set, at odd sizes, beside formulas in double
// precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/each_set.h"
#include "kernels/kernels.h"

namespace heed {
namespace {

struct Extent {
  int64_t rows, width;
};
const std::vector<Extent> kExtents = {{1, 1}, {3, 16}, {5, 37}, {7, 128}, {2, 70}, {0, 9}};

std::vector<float> sums_of_columns(const std::vector<float>& x, const Extent& size, float first) {
  std::vector<float> sums(static_cast<size_t>(size.width), first);
  for (size_t i = 0; i < x.size(); ++i) sums[i % size.width] += x[i];
  return sums;
}

void expect_near(const std::vector<float>& actual, const std::vector<float>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) ASSERT_NEAR(actual[i], expected[i], 1e-5) << i;
}

// Keys of rows, and the factors that they stand for.
struct Dropout {
  Dropout(const Extent& size, float p) {
    for (int64_t r = 0; r < size.rows; ++r) keys.push_back((r + 1) * 0x9e3779b97f4a7c15U);
    rows = {.keys = p > 0 ? keys.data() : nullptr,
            .threshold = static_cast<uint32_t>(p * 4294967296.0),
            .kept = 1 / (1 - p)};
  }
  std::vector<uint64_t> keys;
  DropoutRows rows;
};

TEST_P(EachSet, DropoutKeepsItsPart) {
  const Extent size{200, 100};
  const Dropout dropout(size, 0.3F);
  std::vector<float> ones(static_cast<size_t>(size.rows * size.width), 1.0F), y(ones.size());
  set_.drop(ones.data(), size.rows, size.width, dropout.rows, y.data(), nullptr, nullptr);
  double sum = 0;
  for (int64_t i = 0; i < size.rows * size.width; ++i) {
    ASSERT_EQ(y[i], dropout_factor(dropout.rows, i / size.width, i % size.width));
    sum += y[i];
  }
  EXPECT_NEAR(sum / (200 * 100), 1, 0.02);
}

TEST_P(EachSet, DropsAndAdds) {
  for (const Extent& size : kExtents) {
    for (const float p : {0.0F, 0.4F}) {
      const Dropout dropout(size, p);
      const int64_t count = size.rows * size.width;
      const auto x = numbers_(count), f = numbers_(count);
      std::vector<float> sum(x.size() + 1, 9.0F), dropped(x), expected(x), expected_sum(x);
      for (int64_t i = 0; i < count; ++i) {
        expected[i] = f[i] * dropout_factor(dropout.rows, i / size.width, i % size.width);
        expected_sum[i] += expected[i];
      }
      set_.add_dropped(x.data(), f.data(), size.rows, size.width, dropout.rows, sum.data());
      EXPECT_EQ(sum.back(), 9.0F) << "written behind the end";
      sum.pop_back();
      expect_near(sum, expected_sum);
      std::vector<uint16_t> halves(x.size());
      std::vector<float> sums(static_cast<size_t>(size.width), 2.0F);
      set_.drop(f.data(), size.rows, size.width, dropout.rows, dropped.data(), halves.data(),
                sums.data());
      EXPECT_EQ(dropped, expected);
      EXPECT_EQ(halves, rounded(set_, dropped));
      expect_near(sums, sums_of_columns(expected, size, 2));
    }
  }
}

TEST_P(EachSet, ReluWithDropoutAndItsGradient) {
  for (const Extent& size : kExtents) {
    for (const float p : {0.0F, 0.4F}) {
      const Dropout dropout(size, p);
      const int64_t count = size.rows * size.width;
      const auto x = numbers_(count), bias = numbers_(size.width), by_y = numbers_(count);
      std::vector<float> expected(x), by_x(x);
      for (int64_t i = 0; i < count; ++i) {
        const float factor = dropout_factor(dropout.rows, i / size.width, i % size.width);
        expected[i] = std::max(x[i] + bias[i % size.width], 0.0F) * factor;
        by_x[i] = expected[i] == 0 ? 0 : by_y[i] * factor;
      }
      std::vector<uint16_t> y(x.size()), by(x.size());
      set_.relu_dropped(x.data(), bias.data(), size.rows, size.width, dropout.rows, y.data());
      EXPECT_EQ(y, rounded(set_, expected));
      std::vector<float> sums(static_cast<size_t>(size.width), 2.0F);
      set_.relu_dropped_backward(by_y.data(), y.data(), size.rows, size.width, dropout.rows.kept,
                                 by.data(), sums.data());
      EXPECT_EQ(by, rounded(set_, by_x));
      expect_near(sums, sums_of_columns(by_x, size, 2));
    }
  }
}

TEST_P(EachSet, FillsRows) {
  for (const Extent& size : kExtents) {
    const auto row = numbers_(size.width);
    std::vector<float> y(static_cast<size_t>(size.rows * size.width) + 1, 9.0F);
    set_.fill_rows(row.data(), size.rows, size.width, y.data());
    EXPECT_EQ(y.back(), 9.0F);
    for (int64_t i = 0; i < size.rows * size.width; ++i) ASSERT_EQ(y[i], row[i % size.width]);
  }
}

// Layer normalization in double precision.
struct Formula {
  Extent size;
  std::vector<float> x, gain, bias;

  std::vector<double> normed(int64_t row) const {
    std::vector<double> y(x.begin() + row * size.width, x.begin() + (row + 1) * size.width);
    double mean = 0, variance = 0;
    for (const double v : y) mean += v / static_cast<double>(size.width);
    for (const double v : y) variance += (v - mean) * (v - mean) / static_cast<double>(size.width);
    for (double& v : y) v = (v - mean) / std::sqrt(variance + 1e-5);
    return y;
  }
  // Σ of the result times by_y.
  double loss(const std::vector<float>& by_y) const {
    double sum = 0;
    for (int64_t r = 0; r < size.rows; ++r) {
      const auto y = normed(r);
      for (int64_t i = 0; i < size.width; ++i)
        sum += (y[i] * gain[i] + bias[i]) * by_y[r * size.width + i];
    }
    return sum;
  }
};

class NormalizedRows {
 public:
  NormalizedRows(const Formula& formula)
      : view_{.rows = formula.size.rows,
              .width = formula.size.width,
              .x = formula.x.data(),
              .gain = formula.gain.data(),
              .bias = formula.bias.data()},
        mean_(static_cast<size_t>(view_.rows)),
        scale_(mean_) {
    view_.mean = mean_.data();
    view_.scale = scale_.data();
  }
  const LayerNormView& view() const { return view_; }

 private:
  LayerNormView view_;
  std::vector<float> mean_, scale_;
};

TEST_P(EachSet, NormalizesRows) {
  for (const Extent& size : kExtents) {
    const Formula formula{size, numbers_(size.rows * size.width, 3), numbers_(size.width),
                          numbers_(size.width)};
    const NormalizedRows rows(formula);
    std::vector<float> y(formula.x), alone(y);
    std::vector<uint16_t> halves(y.size());
    set_.normalize(rows.view(), y.data(), halves.data());
    set_.normalize(rows.view(), alone.data(), nullptr);
    EXPECT_EQ(y, alone);
    EXPECT_EQ(halves, rounded(set_, y));
    for (int64_t r = 0; r < size.rows; ++r) {
      const auto expected = formula.normed(r);
      for (int64_t i = 0; i < size.width; ++i) {
        ASSERT_NEAR(y[r * size.width + i], expected[i] * formula.gain[i] + formula.bias[i], 1e-5);
      }
    }
  }
}

// Against central differences of the formula in double precision.
TEST_P(EachSet, NormalizationHasTheGradientOfItsFormula) {
  for (const Extent& size : kExtents) {
    if (size.width == 1) continue;  // is 0 for any x
    const int64_t count = size.rows * size.width;
    Formula formula{size, numbers_(count), numbers_(size.width), numbers_(size.width)};
    const auto by_y = numbers_(count), more = numbers_(count);
    const NormalizedRows rows(formula);
    std::vector<float> y(formula.x), by_x(y), alone(y);
    set_.normalize(rows.view(), y.data(), nullptr);
    std::vector<float> by_gain(static_cast<size_t>(size.width), 2.0F), by_bias(by_gain),
        again(by_gain);
    set_.normalize_backward(rows.view(), {.y = by_y.data(),
                                          .more = more.data(),
                                          .x = by_x.data(),
                                          .gain = by_gain.data(),
                                          .bias = by_bias.data()});
    set_.normalize_backward(
        rows.view(),
        {.y = by_y.data(), .x = alone.data(), .gain = again.data(), .bias = again.data()});
    for (size_t i = 0; i < by_x.size(); ++i) ASSERT_NEAR(by_x[i], alone[i] + more[i], 1e-5);
    const auto expect = [&](std::vector<float>& leaf, const std::vector<float>& gradient,
                            float first) {
      for (size_t i = 0; i < leaf.size(); i += 1 + leaf.size() / 30) {
        const float kept = leaf[i], up = kept + 0x1p-9F, down = kept - 0x1p-9F;
        leaf[i] = up;
        const double above = formula.loss(by_y);
        leaf[i] = down;
        const double below = formula.loss(by_y);
        leaf[i] = kept;
        ASSERT_NEAR(gradient[i] - first, (above - below) / (static_cast<double>(up) - down),
                    1e-3 * (0.1 + std::fabs(gradient[i])));
      }
    };
    expect(formula.x, alone, 0);
    expect(formula.gain, by_gain, 2);
    expect(formula.bias, by_bias, 2);
  }
}

TEST_P(EachSet, TransposesHalves) {
  for (const auto& [rows, columns] :
       std::vector<std::pair<int64_t, int64_t>>{{2, 1}, {32, 16}, {34, 17}, {70, 100}, {6, 33}}) {
    const int64_t stride = columns + 3;
    const auto x = rounded(set_, numbers_(rows * stride));
    std::vector<uint16_t> y(static_cast<size_t>(rows * columns) + 1, 77);
    set_.transpose_bf16(x.data(), rows, columns, stride, y.data());
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t c = 0; c < columns; ++c) ASSERT_EQ(y[c * rows + r], x[r * stride + c]);
    }
    EXPECT_EQ(y.back(), 77) << "written behind the end";
  }
}

// The product with a packed matrix reads the same numbers, wherever they lay; rows of x may lie apart.
TEST_P(EachSet, PacksBothOrders) {
  constexpr int64_t kRows = 300;
  for (const auto& [depth, columns] : std::vector<std::pair<int64_t, int64_t>>{
           {2, 1}, {8, 32}, {34, 33}, {70, 100}, {6, 15}, {2114, 33}}) {
    const int64_t stride = depth + 5;
    const auto b = rounded(set_, numbers_(depth * columns)),
               x = rounded(set_, numbers_(kRows * stride));
    std::vector<uint16_t> across(b.size());  // transposed
    for (int64_t i = 0; i < depth; ++i) {
      for (int64_t c = 0; c < columns; ++c) across[c * depth + i] = b[i * columns + c];
    }
    const int64_t padded = (columns + kPanelColumns - 1) / kPanelColumns * kPanelColumns;
    std::vector<uint16_t> packed(static_cast<size_t>(depth * padded) + 1, 77), same(packed);
    set_.pack_bf16(b.data(), depth, columns, columns, 1, packed.data());
    set_.pack_bf16(across.data(), depth, columns, 1, depth, same.data());
    EXPECT_EQ(packed, same);
    EXPECT_EQ(packed.back(), 77) << "written behind the end";
    const MatrixView view{
        .outputs = columns, .inputs = depth, .depth = depth, .halves = packed.data()};
    std::vector<float> y(static_cast<size_t>(kRows * columns));
    set_.product_bf16(x.data(), kRows, stride, view, y.data(), columns);
    for (int64_t r = 0; r < kRows; ++r) {
      for (int64_t c = 0; c < columns; ++c) {
        double sum = 0, magnitude = 0;
        for (int64_t i = 0; i < depth; ++i) {
          const double term = float_of_half(x[r * stride + i]) * float_of_half(b[i * columns + c]);
          sum += term;
          magnitude += std::fabs(term);
        }
        ASSERT_NEAR(y[r * columns + c], sum, 1e-5 + 1e-6 * magnitude);
      }
    }
  }
}

}  // namespace
}  // namespace heed
