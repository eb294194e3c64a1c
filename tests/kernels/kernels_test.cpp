// Each set of kernels of this processor, at odd sizes, compared with formulas in double precision.
#include "kernels/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/each_set.h"
#include "kernels/packed_matrix.h"

namespace heed {

std::vector<const Kernels*> tested_sets() {
  auto sets = all_kernels();
#if defined(__x86_64__)
  const auto add = [&](const Kernels& emulated, Kernels& named, const char* name) {
    named = emulated;
    named.name = name;
    sets.push_back(&named);
  };
  static Kernels amx, avx_vnni;
  if (__builtin_cpu_supports("avx512bf16")) add(emulated_amx_kernels(), amx, "emulated_amx");
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    add(kEmulatedAvxVnniKernels, avx_vnni, "emulated_avx_vnni");
#endif
  return sets;
}

namespace {

INSTANTIATE_TEST_SUITE_P(Kernels, EachSet, testing::ValuesIn(tested_sets()),
                         [](const auto& set) { return std::string(set.param->name); });

struct Size {
  int64_t rows, inputs, outputs;
};
// Sizes around those of vectors, panels, tiles and blocks of rows.
const std::vector<Size> kSizes = {{1, 1, 1},   {1, 7, 33},   {2, 16, 31},   {5, 13, 65},
                                  {6, 4, 32},  {7, 64, 16},  {12, 128, 8},  {13, 129, 95},
                                  {25, 3, 64}, {97, 31, 40}, {200, 18, 17}, {300, 70, 70}};

// Σ_i x_i w_i + b, and Σ_i |x_i w_i|, the scale of the rounding error.
struct Sum {
  double value, magnitude;
};
Sum product_of(const std::vector<float>& x, const std::vector<float>& w,
               const std::vector<float>& b, const Size& size, int64_t row, int64_t output) {
  Sum sum{b.empty() ? 0.0 : b[output], 0};
  for (int64_t i = 0; i < size.inputs; ++i) {
    const double term = static_cast<double>(x[row * size.inputs + i]) * w[output * size.inputs + i];
    sum.value += term;
    sum.magnitude += std::fabs(term);
  }
  return sum;
}

TEST_P(EachSet, ProductsAreSums) {
  for (const Size& size : kSizes) {
    for (const bool has_bias : {false, true}) {
      const auto x = numbers_(size.rows * size.inputs), w = numbers_(size.outputs * size.inputs);
      const auto bias = has_bias ? numbers_(size.outputs) : std::vector<float>();
      const PackedMatrix packed(set_, Precision::kFloat, w.data(), size.outputs, size.inputs, bias);
      std::vector<float> y(static_cast<size_t>(size.rows * size.outputs) + 1, 99.0F);
      packed.product(x.data(), size.rows, y.data());
      EXPECT_EQ(y.back(), 99.0F) << "written behind the end";
      for (int64_t r = 0; r < size.rows; ++r) {
        for (int64_t o = 0; o < size.outputs; ++o) {
          const Sum sum = product_of(x, w, bias, size, r, o);
          ASSERT_NEAR(y[r * size.outputs + o], sum.value, 2e-6 * (1 + sum.magnitude))
              << size.rows << " x " << size.inputs << " x " << size.outputs;
        }
      }
    }
  }
}

// Each factor has a relative error of 2^-8 at most.
TEST_P(EachSet, ProductsOfHalvesAreOffByTheirRounding) {
  for (const Size& size : kSizes) {
    const auto x = numbers_(size.rows * size.inputs), w = numbers_(size.outputs * size.inputs);
    const auto bias = numbers_(size.outputs);
    const PackedMatrix packed(set_, Precision::kBFloat16, w.data(), size.outputs, size.inputs,
                              bias);
    std::vector<float> y(static_cast<size_t>(size.rows * size.outputs) + 1, 99.0F);
    packed.product(x.data(), size.rows, y.data());
    EXPECT_EQ(y.back(), 99.0F);
    for (int64_t r = 0; r < size.rows; ++r) {
      for (int64_t o = 0; o < size.outputs; ++o) {
        const Sum sum = product_of(x, w, bias, size, r, o);
        ASSERT_NEAR(y[r * size.outputs + o], sum.value, 1e-5 + sum.magnitude * (0x1p-7 + 0x1p-16));
      }
    }
  }
}

// A row alone has the same sums as among others, in each format, but for AMX.
TEST_P(EachSet, ProductsOfARowDoNotDependOnOthers) {
  for (const Precision precision :
       {Precision::kFloat, Precision::kBFloat16, Precision::kInt8, Precision::kInt16}) {
    if (set_.amx && precision == Precision::kBFloat16) continue;
    for (const Size& size : kSizes) {
      const auto x = numbers_(size.rows * size.inputs), w = numbers_(size.outputs * size.inputs);
      const PackedMatrix packed(set_, precision, w.data(), size.outputs, size.inputs);
      std::vector<float> all(static_cast<size_t>(size.rows * size.outputs)), alone(all.size());
      packed.product(x.data(), size.rows, all.data());
      for (int64_t r = 0; r < size.rows; ++r)
        packed.product(x.data() + r * size.inputs, 1, alone.data() + r * size.outputs);
      EXPECT_EQ(alone, all) << precision_word(precision) << ", " << size.rows << " x "
                            << size.inputs << " x " << size.outputs;
    }
  }
}

TEST_P(EachSet, RoundsToTheNearestHalf) {
  const std::vector<float> x = {1.0F, 1.00390625F, 1.01171875F, -1.005F, 0.0F, 3.4e38F};
  std::vector<uint16_t> halves(8, 1);
  set_.round_bf16(x.data(), 1, 6, 8, halves.data());
  EXPECT_EQ(halves, (std::vector<uint16_t>{0x3F80, 0x3F80, 0x3F82, 0xBF81, 0, 0x7F80, 0, 0}));
}

// Quantization steps of rows in 8 bits: the largest magnitude is 127 steps.
std::vector<double> steps_of(const std::vector<float>& x, int64_t width) {
  std::vector<double> steps;
  for (auto row = x.begin(); row != x.end(); row += width) {
    double largest = 0;
    for (int64_t i = 0; i < width; ++i) largest = std::max(largest, std::fabs(double{row[i]}));
    steps.push_back(largest / 127);
  }
  return steps;
}

// Quantization scales of weights [O,I].
std::vector<float> scales_of_weights(const Kernels& set, const std::vector<float>& w,
                                     int64_t inputs) {
  std::vector<uint8_t> bytes(w.size());
  std::vector<float> scales(w.size() / static_cast<size_t>(inputs));
  set.quantize(w.data(), std::ssize(scales), inputs, inputs, inputs, {bytes.data(), scales.data()});
  return scales;
}

// An element has an error of half a step of its row. The error of a product is at most half a step
// of each factor times the other factor.
double bound_by_steps(const float* x, double x_step, const float* w, double w_step,
                      int64_t inputs) {
  double bound = 1e-5;
  for (int64_t i = 0; i < inputs; ++i) {
    const double a = std::fabs(x[i]), b = std::fabs(w[i]);
    bound += 0.5 * (x_step * b + w_step * a + 0.5 * x_step * w_step);
  }
  return bound;
}

TEST_P(EachSet, ProductsOfBytesAreOffByTheirSteps) {
  for (const Size& size : kSizes) {
    const auto x = numbers_(size.rows * size.inputs), w = numbers_(size.outputs * size.inputs);
    const auto bias = numbers_(size.outputs);
    const PackedMatrix packed(set_, Precision::kInt8, w.data(), size.outputs, size.inputs, bias);
    std::vector<float> y(static_cast<size_t>(size.rows * size.outputs) + 1, 99.0F);
    packed.product(x.data(), size.rows, y.data());
    EXPECT_EQ(y.back(), 99.0F);
    const auto row_steps = steps_of(x, size.inputs);
    const auto output_steps = scales_of_weights(set_, w, size.inputs);
    for (int64_t r = 0; r < size.rows; ++r) {
      for (int64_t o = 0; o < size.outputs; ++o) {
        const double bound =
            bound_by_steps(x.data() + r * size.inputs, row_steps[r], w.data() + o * size.inputs,
                           output_steps[o], size.inputs);
        ASSERT_NEAR(y[r * size.outputs + o], product_of(x, w, bias, size, r, o).value, bound);
      }
    }
  }
}

TEST_P(EachSet, SelectedOutputsAreThoseOfTheMatrix) {
  const std::vector<int32_t> outputs = {3, 0, 67, 66, 64, 31, 32, 68};
  constexpr int64_t kOutputs = 69, kInputs = 37, kRows = 5;
  const auto x = numbers_(kRows * kInputs), w = numbers_(kOutputs * kInputs),
             bias = numbers_(kOutputs);
  for (const Precision precision :
       {Precision::kFloat, Precision::kBFloat16, Precision::kInt8, Precision::kInt16}) {
    const PackedMatrix all(set_, precision, w.data(), kOutputs, kInputs, bias);
    const PackedMatrix some = all.select(outputs);
    std::vector<float> y(kRows * kOutputs), part(kRows * outputs.size());
    all.product(x.data(), kRows, y.data());
    some.product(x.data(), kRows, part.data());
    for (size_t r = 0; r < kRows; ++r) {
      for (size_t o = 0; o < outputs.size(); ++o)
        EXPECT_NEAR(part[r * outputs.size() + o], y[r * kOutputs + outputs[o]], 1e-5);
    }
  }
}

TEST_P(EachSet, PanelsOfAMatrixAreThoseOfItsProductBitForBit) {
  for (const Size& size : kSizes) {
    const auto x = numbers_(size.inputs), w = numbers_(size.outputs * size.inputs),
               bias = numbers_(size.outputs);
    const PackedMatrix packed(set_, Precision::kFloat, w.data(), size.outputs, size.inputs, bias);
    // Multiplies x as one of several rows, which uses other tiles.
    std::vector<float> rows, all(static_cast<size_t>(5 * size.outputs));
    for (int i = 0; i < 5; ++i) rows.insert(rows.end(), x.begin(), x.end());
    packed.product(rows.data(), 5, all.data());
    all.resize(static_cast<size_t>(size.outputs));
    std::vector<float> joined, unpacked, panel(static_cast<size_t>(kPanelColumns)), own;
    for (int64_t first = 0; first < size.outputs; first += kPanelColumns) {
      const int64_t count = std::min(kPanelColumns, size.outputs - first);
      const auto number = static_cast<int32_t>(first / kPanelColumns);
      packed.product_of_panels(x.data(), {&number, 1}, panel.data());
      joined.insert(joined.end(), panel.begin(), panel.begin() + count);
      own.resize(static_cast<size_t>(count * size.inputs));
      packed.unpack(first, count, own.data());
      unpacked.insert(unpacked.end(), own.begin(), own.end());
    }
    EXPECT_EQ(joined, all);
    EXPECT_EQ(unpacked, w);
  }
}

// Several panels at a time, in any order, one of them twice; outputs after the last one are zeros.
TEST_P(EachSet, SomePanelsOfAMatrixAreThoseOfItsProductBitForBit) {
  constexpr int64_t kInputs = 19;
  const int64_t columns = kPanelColumns, panels = 7, outputs = panels * columns - columns / 2;
  const auto x = numbers_(kInputs), w = numbers_(outputs * kInputs);
  std::vector<float> bias = numbers_(outputs);
  for (int times = 0; times < 2; ++times, bias.clear()) {
    const PackedMatrix packed(set_, Precision::kFloat, w.data(), outputs, kInputs, bias);
    std::vector<float> all(static_cast<size_t>(panels * columns), 0.0F);
    packed.product(x.data(), 1, all.data());
    const std::vector<int32_t> some = {6, 0, 3, 6, 2, 5, 1};
    for (size_t count = 0; count <= some.size(); ++count) {
      std::vector<float> y(count * static_cast<size_t>(columns) + 1, 99.0F), expected;
      packed.product_of_panels(x.data(), std::span(some).first(count), y.data());
      for (size_t p = 0; p < count; ++p)
        expected.insert(expected.end(), all.begin() + some[p] * columns,
                        all.begin() + (some[p] + 1) * columns);
      expected.push_back(99.0F);
      EXPECT_EQ(y, expected) << count;
    }
  }
}

TEST_P(EachSet, GreatestOfPanels) {
  for (const int64_t count : {1, 15, 31, 32, 33, 70, 100}) {
    const auto x = numbers_(count);
    const auto panels = static_cast<size_t>((count + kPanelColumns - 1) / kPanelColumns);
    std::vector<float> found(panels + 1, 99.0F), expected;
    set_.greatest_of_panels(x.data(), count, found.data());
    for (int64_t first = 0; first < count; first += kPanelColumns)
      expected.push_back(
          *std::max_element(x.begin() + first, x.begin() + std::min(count, first + kPanelColumns)));
    expected.push_back(99.0F);
    EXPECT_EQ(found, expected) << count;
  }
}

TEST_P(EachSet, TheLargestWeightIs127Steps) {
  constexpr int64_t kOutputs = 20, kInputs = 45;
  const auto normal = numbers_(kOutputs * kInputs);
  const std::vector<std::function<float(int64_t, float)>> kinds = {
      [](int64_t, float x) { return x; },
      [](int64_t, float x) { return std::fabs(x); },
      [](int64_t, float x) { return -std::fabs(x); },
      [](int64_t i, float x) { return i % 7 == 3 ? 100 * x : x; },
      [](int64_t i, float) { return i % 2 == 0 ? 0.1F : -0.1F; },
      [](int64_t, float) { return 0.1F; },
  };
  for (size_t kind = 0; kind < kinds.size(); ++kind) {
    auto w = normal;
    for (int64_t i = 0; i < std::ssize(w); ++i) w[i] = kinds[kind](i, w[i]);
    const auto scales = scales_of_weights(set_, w, kInputs);
    const auto steps = steps_of(w, kInputs);
    for (int64_t o = 0; o < kOutputs; ++o) {
      EXPECT_NEAR(scales[o] / steps[o], 1, 1e-5) << kind;
    }
  }
}

// Rows and weights have their largest magnitude, of either sign: saturated sums would be far off.
TEST_P(EachSet, ProductsOfTheLargestBytesAreNotCutOff) {
  constexpr int64_t kInputs = 44, kRows = 9, kOutputs = 40;
  std::vector<float> x(kRows * kInputs), w(kOutputs * kInputs);
  for (int64_t i = 0; i < kInputs; ++i) {
    for (int64_t r = 0; r < kRows; ++r)
      x[r * kInputs + i] = r % 2 == 0 || (i / r) % 2 == 0 ? 1 : -1;
    for (int64_t o = 0; o < kOutputs; ++o)
      w[o * kInputs + i] = o % 3 == 0 ? 1 : o % 3 == 1 ? -1 : (i >> (o % 4)) % 2 == 0 ? 1 : -1;
  }
  const PackedMatrix packed(set_, Precision::kInt8, w.data(), kOutputs, kInputs);
  std::vector<float> y(kRows * kOutputs);
  packed.product(x.data(), kRows, y.data());
  for (int64_t r = 0; r < kRows; ++r) {
    for (int64_t o = 0; o < kOutputs; ++o) {
      const double exact = product_of(x, w, {}, {kRows, kInputs, kOutputs}, r, o).value;
      EXPECT_NEAR(y[r * kOutputs + o], exact, 1e-3 + 0.02 * std::fabs(exact));
    }
  }
}

TEST_P(EachSet, RowsOfZerosStayZeros) {
  const std::vector<float> x(24, 0.0F), w = numbers_(8 * 12);
  for (const Precision precision : {Precision::kInt8, Precision::kInt16}) {
    const PackedMatrix packed(set_, precision, w.data(), 8, 12);
    std::vector<float> y(16, 1.0F);
    packed.product(x.data(), 2, y.data());
    EXPECT_EQ(y, std::vector<float>(16, 0.0F));
  }
}

// Quantization step of a row in 16 bits.
double step_of_shorts(const float* x, int64_t width) {
  double largest = 0, squares = 0;
  for (int64_t i = 0; i < width; ++i) {
    largest = std::max(largest, std::fabs(double{x[i]}));
    squares += double{x[i]} * x[i];
  }
  return std::max(largest / 32'767, std::sqrt(squares) / 46'000);
}

TEST_P(EachSet, ProductsOfShortsAreOffByTheirSteps) {
  for (const Size& size : kSizes) {
    const auto x = numbers_(size.rows * size.inputs), w = numbers_(size.outputs * size.inputs);
    const auto bias = numbers_(size.outputs);
    const PackedMatrix packed(set_, Precision::kInt16, w.data(), size.outputs, size.inputs, bias);
    std::vector<float> y(static_cast<size_t>(size.rows * size.outputs) + 1, 99.0F);
    packed.product(x.data(), size.rows, y.data());
    EXPECT_EQ(y.back(), 99.0F);
    for (int64_t r = 0; r < size.rows; ++r) {
      const float* row = x.data() + r * size.inputs;
      for (int64_t o = 0; o < size.outputs; ++o) {
        const float* output = w.data() + o * size.inputs;
        const double bound = bound_by_steps(row, step_of_shorts(row, size.inputs), output,
                                            step_of_shorts(output, size.inputs), size.inputs);
        ASSERT_NEAR(y[r * size.outputs + o], product_of(x, w, bias, size, r, o).value, bound);
      }
    }
  }
}

// Rows equal to their outputs reach the bound of Cauchy and Schwarz: the sum, 46,000², nearly fills
// int32. A single element is 32,767 steps; one instruction adds the products of neighbours.
TEST_P(EachSet, ProductsOfTheLargestShortsAreNotCutOff) {
  for (const int64_t inputs : {int64_t{1}, int64_t{2}, int64_t{3}, int64_t{44}, kWidestInt16}) {
    constexpr int64_t kKinds = 4;
    std::vector<float> x(static_cast<size_t>(kKinds * inputs));
    for (int64_t i = 0; i < inputs; ++i) {
      x[i] = 1;
      x[inputs + i] = -0.3F;
      x[2 * inputs + i] = i < 2 ? 5.0F : 0.0F;
      x[3 * inputs + i] = i == 0 ? -1e3F : 1e-3F;
    }
    const PackedMatrix packed(set_, Precision::kInt16, x.data(), kKinds, inputs);
    std::vector<float> y(kKinds * kKinds);
    packed.product(x.data(), kKinds, y.data());
    for (int64_t r = 0; r < kKinds; ++r) {
      for (int64_t o = 0; o < kKinds; ++o) {
        const double exact = product_of(x, x, {}, {kKinds, inputs, kKinds}, r, o).value,
                     norms = std::sqrt(product_of(x, x, {}, {kKinds, inputs, kKinds}, r, r).value *
                                       product_of(x, x, {}, {kKinds, inputs, kKinds}, o, o).value);
        EXPECT_NEAR(y[r * kKinds + o], exact, (1e-3 + 1e-7 * static_cast<double>(inputs)) * norms)
            << inputs << ", " << r << ", " << o;
      }
    }
  }
}

// A value that is not finite must stay so.
TEST_P(EachSet, WhatIsNotANumberStaysSo) {
  for (const float odd :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (const size_t at : {0, 17, 38}) {
      auto x = numbers_(2 * 39), w = numbers_(5 * 39);
      x[at] = odd;
      for (const Precision precision :
           {Precision::kFloat, Precision::kBFloat16, Precision::kInt8, Precision::kInt16}) {
        const PackedMatrix packed(set_, precision, w.data(), 5, 39);
        std::vector<float> y(10);
        packed.product(x.data(), 2, y.data());
        for (int o = 0; o < 5; ++o) {
          EXPECT_FALSE(std::isfinite(y[o])) << odd << " at " << at;
          EXPECT_TRUE(std::isfinite(y[5 + o])) << "the other row";
        }
      }
      set_.relu(x.data(), 39);
      EXPECT_FALSE(std::isfinite(x[at])) << odd << " at " << at;
    }
  }
}

TEST_P(EachSet, LayerNormHasMeanZeroAndVarianceOne) {
  for (const int64_t width : {1, 3, 16, 17, 40, 128}) {
    const auto x = numbers_(3 * width, 2), gain = numbers_(width), bias = numbers_(width);
    std::vector<float> y = x;
    set_.layer_norm(y.data(), 3, width, gain.data(), bias.data(), y.data());
    for (int64_t r = 0; r < 3; ++r) {
      double mean = 0, variance = 0;
      for (int64_t i = 0; i < width; ++i) mean += x[r * width + i] / static_cast<double>(width);
      for (int64_t i = 0; i < width; ++i)
        variance += std::pow(x[r * width + i] - mean, 2) / static_cast<double>(width);
      for (int64_t i = 0; i < width; ++i) {
        const double expected =
            (x[r * width + i] - mean) / std::sqrt(variance + 1e-5) * gain[i] + bias[i];
        ASSERT_NEAR(y[r * width + i], expected, 2e-5 * (1 + std::fabs(expected))) << width;
      }
    }
  }
}

TEST_P(EachSet, RmsNormHasMeanSquareOne) {
  for (const int64_t width : {1, 3, 16, 17, 40, 128}) {
    const auto x = numbers_(3 * width, 0.01F), gain = numbers_(width);  // ε counts
    std::vector<float> y = x;
    set_.rms_norm(y.data(), 3, width, gain.data(), y.data());
    for (int64_t r = 0; r < 3; ++r) {
      double mean = 0;
      for (int64_t i = 0; i < width; ++i)
        mean += std::pow(x[r * width + i], 2) / static_cast<double>(width);
      for (int64_t i = 0; i < width; ++i) {
        const double expected = x[r * width + i] / std::sqrt(mean + 1e-6) * gain[i];
        ASSERT_NEAR(y[r * width + i], expected, 2e-6 * (1 + std::fabs(expected))) << width;
      }
    }
  }
}

TEST_P(EachSet, ElementWiseOnes) {
  for (const int64_t count : {1, 7, 16, 33, 100}) {
    const auto x = numbers_(count, 3), gate = numbers_(count, 20);
    std::vector<float> sum = gate, positive = x, gated = x;
    set_.add(x.data(), count, sum.data());
    set_.relu(positive.data(), count);
    set_.silu_times(gate.data(), count, gated.data());
    std::vector<float> open = gate;
    set_.sigmoid(open.data(), count);
    for (int64_t i = 0; i < count; ++i) {
      EXPECT_EQ(sum[i], x[i] + gate[i]);
      EXPECT_EQ(positive[i], std::max(x[i], 0.0F));
      const double silu = gate[i] / (1 + std::exp(-static_cast<double>(gate[i])));
      EXPECT_NEAR(gated[i], x[i] * silu, 1e-5 * (1 + std::fabs(x[i] * silu)));
      EXPECT_NEAR(open[i], 1 / (1 + std::exp(-static_cast<double>(gate[i]))), 1e-6);
    }
  }
}

// Scores from nearly -∞ to where exp overflows unless the maximum is subtracted.
TEST_P(EachSet, LogSumExp) {
  for (const int64_t count : {1, 5, 16, 31, 400}) {
    for (const float scale : {0.1F, 5.0F, 300.0F}) {
      const auto x = numbers_(count, scale);
      const double most = *std::ranges::max_element(x);
      double sum = 0;
      for (const float v : x) sum += std::exp(v - most);
      EXPECT_NEAR(set_.log_sum_exp(x.data(), count), most + std::log(sum),
                  1e-6 * (10 + std::fabs(most)));
    }
  }
  for (const float odd :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (const size_t at : {0, 20, 36}) {
      auto x = numbers_(37);
      x[at] = odd;
      EXPECT_FALSE(std::isfinite(set_.log_sum_exp(x.data(), 37))) << odd << " at " << at;
    }
  }
}

TEST_P(EachSet, TopKIsTheBeginningOfTheSortedRow) {
  for (const int64_t count : {1, 6, 17, 128, 300}) {
    for (const bool ties : {false, true}) {
      auto x = numbers_(count);
      if (ties) {
        for (float& v : x) v = std::round(2 * v);
      }
      if (count > 10) x[3] = x[9] = -std::numeric_limits<float>::infinity();
      std::vector<int32_t> order(x.size());
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](int32_t a, int32_t b) { return x[a] > x[b]; });
      const int64_t wanted = std::min<int64_t>(count, 12);
      std::vector<float> values(12);
      std::vector<int32_t> ids(12);
      set_.top_k(x.data(), count, wanted, values.data(), ids.data());
      for (int64_t i = 0; i < wanted; ++i) {
        EXPECT_EQ(values[i], x[order[i]]) << count << " " << i;
        EXPECT_EQ(ids[i], std::isinf(x[order[i]]) ? -1 : order[i]) << count << " " << i;
      }
    }
  }
}

struct Heads {
  int64_t heads, width, keys, queries;
};
const std::vector<Heads> kHeadSizes = {
    {1, 1, 1, 1}, {2, 3, 5, 2}, {4, 32, 17, 5}, {2, 20, 33, 1}, {2, 70, 50, 11}};

// softmax(q K) of a head, and the weighted sum of the values, in double precision. keys [S,H·D],
// values [S,H·V]
void expect_context(const float* context, const float* query, const std::vector<const float*>& keys,
                    const std::vector<const float*>& values, const Heads& size, int64_t value_width,
                    std::vector<double>* mean) {
  for (int64_t h = 0; h < size.heads; ++h) {
    std::vector<double> weights;
    double sum = 0;
    for (const float* key : keys) {
      double score = 0;
      for (int64_t d = 0; d < size.width; ++d)
        score += static_cast<double>(query[h * size.width + d]) * key[h * size.width + d];
      weights.push_back(std::exp(score));
      sum += weights.back();
    }
    for (size_t s = 0; s < weights.size(); ++s) {
      weights[s] /= sum;
      if (mean != nullptr) (*mean)[s] += weights[s] / static_cast<double>(size.heads);
    }
    for (int64_t d = 0; d < value_width; ++d) {
      double expected = 0;
      for (size_t s = 0; s < weights.size(); ++s)
        expected += weights[s] * values[s][h * value_width + d];
      ASSERT_NEAR(context[h * value_width + d], expected, 1e-5);
    }
  }
}

// Layout of an attention over contiguous rows.
AttentionView view_of(const Heads& size, int64_t value_width, int64_t padded) {
  return {.query_count = size.queries,
          .query_stride = size.heads * size.width,
          .key_count = size.keys,
          .padded = padded,
          .value_stride = size.heads * value_width,
          .heads = size.heads,
          .width = size.width,
          .value_width = value_width,
          .context_stride = size.heads * value_width};
}

TEST_P(EachSet, AttendsToTheKeysOfASentence) {
  for (const Heads& size : kHeadSizes) {
    const int64_t all = size.heads * size.width, value_width = size.width + 3,
                  all_values = size.heads * value_width,
                  padded = (size.keys + kSumLanes - 1) / kSumLanes * kSumLanes;
    const auto queries = numbers_(size.queries * all, 0.5), keys = numbers_(size.keys * all),
               values = numbers_(size.keys * all_values);
    std::vector<float> transposed(static_cast<size_t>(all * padded), 0.0F);
    std::vector<const float*> key_rows, value_rows;
    for (int64_t s = 0; s < size.keys; ++s) {
      key_rows.push_back(keys.data() + s * all);
      value_rows.push_back(values.data() + s * all_values);
      for (int64_t d = 0; d < all; ++d) transposed[d * padded + s] = keys[s * all + d];
    }
    std::vector<float> scores(static_cast<size_t>(kQueriesTogether * padded)),
        context(static_cast<size_t>(size.queries * all_values)),
        mean(static_cast<size_t>(size.queries * size.keys), 0.0F);
    AttentionView view = view_of(size, value_width, padded);
    view.queries = queries.data();
    view.keys = {transposed.data()};
    view.values = {values.data()};
    view.scores = scores.data();
    view.context = context.data();
    view.mean = mean.data();
    view.mean_stride = size.keys;
    set_.attend(view);
    for (int64_t q = 0; q < size.queries; ++q) {
      std::vector<double> expected(static_cast<size_t>(size.keys), 0.0);
      expect_context(context.data() + q * all_values, queries.data() + q * all, key_rows,
                     value_rows, size, value_width, &expected);
      for (int64_t s = 0; s < size.keys; ++s)
        EXPECT_NEAR(mean[q * size.keys + s], expected[s], 1e-5);
    }
  }
}

std::vector<float> widened(const std::vector<uint16_t>& halves) {
  std::vector<float> floats;
  std::ranges::transform(halves, std::back_inserter(floats), float_of_half);
  return floats;
}

// Keys and values in bfloat16 give the same result as the same numbers in float32.
TEST_P(EachSet, AttendsToRoundedKeys) {
  for (const Heads& size : kHeadSizes) {
    const int64_t all = size.heads * size.width,
                  padded = (size.keys + kSumLanes - 1) / kSumLanes * kSumLanes;
    const auto queries = numbers_(size.queries * all, 0.5);
    const auto keys = rounded(set_, numbers_(all * padded)),
               values = rounded(set_, numbers_(size.keys * all));
    const std::vector<float> wide_keys = widened(keys), wide_values = widened(values);
    std::vector<float> scores(static_cast<size_t>(kQueriesTogether * padded)),
        context(static_cast<size_t>(size.queries * all)), expected(context);
    AttentionView view = view_of(size, size.width, padded);
    view.queries = queries.data();
    view.keys = {wide_keys.data()};
    view.values = {wide_values.data()};
    view.scores = scores.data();
    view.context = expected.data();
    set_.attend(view);
    view.keys = {nullptr, keys.data()};
    view.values = {nullptr, values.data()};
    view.context = context.data();
    set_.attend(view);
    for (size_t i = 0; i < context.size(); ++i) ASSERT_NEAR(context[i], expected[i], 1e-6);
  }
}

TEST_P(EachSet, WeighsRowsByTheirScores) {
  for (const auto& [count, width] : {std::pair<int64_t, int64_t>{1, 1}, {5, 33}, {17, 16}}) {
    const int64_t stride = width + 2;
    const auto scores = numbers_(count, 3), values = numbers_(count * stride);
    std::vector<float> weights(scores);
    weights.resize(static_cast<size_t>(count + kSumLanes));
    std::vector<float> context(static_cast<size_t>(width));
    set_.weigh(weights.data(), count, values.data(), stride, width, context.data());
    double sum = 0;
    for (const float score : scores) sum += std::exp(static_cast<double>(score));
    std::vector<double> expected(static_cast<size_t>(width), 0.0);
    for (int64_t s = 0; s < count; ++s) {
      const double weight = std::exp(static_cast<double>(scores[s])) / sum;
      EXPECT_NEAR(weights[s], weight, 1e-6);
      for (int64_t i = 0; i < width; ++i) expected[i] += weight * values[s * stride + i];
    }
    for (int64_t i = 0; i < width; ++i) EXPECT_NEAR(context[i], expected[i], 1e-5);
  }
}

// Equations of PyTorch's GRUCell.
TEST_P(EachSet, AdvancesGruCells) {
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  for (const int64_t width : {1, 7, 16, 37}) {
    const int64_t rows = 3;
    const auto input = numbers_(rows * 3 * width, 2), state = numbers_(rows * 3 * width, 2),
               before = numbers_(rows * width);
    std::vector<float> hidden(before);
    set_.gru_cell({.rows = rows,
                   .width = width,
                   .input = input.data(),
                   .state = state.data(),
                   .before = hidden.data()},
                  hidden.data());
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t k = 0; k < width; ++k) {
        const auto at = [&](const std::vector<float>& x, int64_t gate) {
          return static_cast<double>(x[(3 * r + gate) * width + k]);
        };
        const double reset = sigmoid(at(input, 0) + at(state, 0)),
                     update = sigmoid(at(input, 1) + at(state, 1)),
                     candidate = std::tanh(at(input, 2) + reset * at(state, 2));
        EXPECT_NEAR(hidden[r * width + k],
                    (1 - update) * candidate + update * before[r * width + k], 1e-6);
      }
    }
  }
}

TEST_P(EachSet, TakesTanhOfLargeAndSmallNumbers) {
  std::vector<float> x = {0, 1e-3F, -1e-3F, 100, -100, 1e30F, -1e30F, NAN};
  for (const float more : numbers_(20, 4)) x.push_back(more);
  std::vector<float> y(x);
  set_.tanh(y.data(), std::ssize(y));
  for (size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i])) {
      EXPECT_TRUE(std::isnan(y[i]));
    } else {
      EXPECT_NEAR(y[i], std::tanh(static_cast<double>(x[i])), 3e-7);
    }
  }
}

TEST_P(EachSet, AttendsToSlotsInAnyOrder) {
  for (const Heads& size : kHeadSizes) {
    const int64_t all = size.heads * size.width, slots = 3 * size.keys;
    const auto query = numbers_(all, 0.5);
    const auto half_keys = rounded(set_, numbers_(slots * all)),
               half_values = rounded(set_, numbers_(slots * all));
    const std::vector<float> keys = widened(half_keys), values = widened(half_values);
    std::vector<int32_t> path;
    std::vector<const float*> key_rows, value_rows;
    for (int64_t i = 0; i < size.keys; ++i) {
      path.push_back(static_cast<int32_t>((i * 7 + 2) % slots));
      key_rows.push_back(keys.data() + path.back() * all);
      value_rows.push_back(values.data() + path.back() * all);
    }
    std::vector<float> scores(path.size() + static_cast<size_t>(kSumLanes)),
        context(static_cast<size_t>(all));
    PastView view{.query = query.data(),
                  .slots = path.data(),
                  .count = size.keys,
                  .heads = size.heads,
                  .width = size.width,
                  .scores = scores.data(),
                  .context = context.data()};
    for (const bool rounds : {false, true}) {
      view.keys = rounds ? NumbersView{nullptr, half_keys.data()} : NumbersView{keys.data()};
      view.values = rounds ? NumbersView{nullptr, half_values.data()} : NumbersView{values.data()};
      std::ranges::fill(context, 99.0F);
      set_.attend_past(view);
      expect_context(context.data(), query.data(), key_rows, value_rows, size, size.width, nullptr);
    }
  }
}

// Heads of queries that share heads of keys and values, numbers that are added to the scores, rows in
// any order and one after the other.
TEST_P(EachSet, AttendsToRowsWithNumbersAddedToTheScores) {
  constexpr int64_t kHeads = 6;
  for (const int64_t shared : {1, 2, 6}) {
    for (const auto& [count, width, value_width] :
         {std::tuple{1, 3, 5}, {7, 16, 8}, {20, 17, 33}, {33, 64, 64}}) {
      const int64_t key_stride = shared * width + 2, value_stride = shared * value_width + 1;
      const int64_t rows = 2 * count, padded = filled_up(count, kSumLanes);
      const auto query = numbers_(kHeads * width, 0.5), bias = numbers_(kHeads * padded);
      const auto half_keys = rounded(set_, numbers_(rows * key_stride)),
                 half_values = rounded(set_, numbers_(rows * value_stride));
      const std::vector<float> keys = widened(half_keys), values = widened(half_values);
      std::vector<int32_t> order;
      for (int64_t i = 0; i < count; ++i) order.push_back(static_cast<int32_t>((i * 7 + 1) % rows));
      for (const int variant : {0, 1, 2, 3}) {
        const bool rounds = (variant & 1) != 0, in_order = (variant & 2) != 0;
        std::vector<float> weights(static_cast<size_t>(kHeads * padded)),
            context(static_cast<size_t>(kHeads * value_width), 99.0F);
        set_.attend_rows(
            {.query = query.data(),
             .keys = rounds ? NumbersView{nullptr, half_keys.data()} : NumbersView{keys.data()},
             .values =
                 rounds ? NumbersView{nullptr, half_values.data()} : NumbersView{values.data()},
             .rows = in_order ? nullptr : order.data(),
             .count = count,
             .key_stride = key_stride,
             .value_stride = value_stride,
             .heads = kHeads,
             .key_value_heads = shared,
             .width = width,
             .value_width = value_width,
             .bias = in_order ? nullptr : bias.data(),
             .bias_stride = padded,
             .weights = weights.data(),
             .weight_stride = padded,
             .context = context.data()});
        for (int64_t h = 0; h < kHeads; ++h) {
          const int64_t own = h * shared / kHeads;
          std::vector<double> expected;
          double sum = 0;
          for (int64_t i = 0; i < count; ++i) {
            const int64_t row = in_order ? i : order[i];
            double score = in_order ? 0 : bias[h * padded + i];
            for (int64_t d = 0; d < width; ++d)
              score += static_cast<double>(query[h * width + d]) *
                       keys[row * key_stride + own * width + d];
            expected.push_back(std::exp(score));
            sum += expected.back();
          }
          for (int64_t i = 0; i < count; ++i)
            ASSERT_NEAR(weights[h * padded + i], expected[i] / sum, 1e-5);
          for (int64_t v = 0; v < value_width; ++v) {
            double mean = 0;
            for (int64_t i = 0; i < count; ++i)
              mean += expected[i] / sum *
                      values[(in_order ? i : order[i]) * value_stride + own * value_width + v];
            ASSERT_NEAR(context[h * value_width + v], mean, 2e-5);
          }
        }
      }
    }
  }
}

TEST_P(EachSet, HasEveryKernel) {
#define KERNEL(result, kernel, parameters) EXPECT_NE(set_.kernel, nullptr) << #kernel;
#include "kernels/kernels.def"
#undef KERNEL
}

// The plain ones are the path of processors without AVX2.
TEST(Kernels, ThePlainOnesAreThereAndTheBestAreTheLast) {
  EXPECT_STREQ(all_kernels().front()->name, "plain");
  EXPECT_EQ(&kernels(), all_kernels().back());
}

}  // namespace
}  // namespace heed
