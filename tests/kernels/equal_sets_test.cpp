// The sets that fuse multiplication and addition give the same numbers, bit for bit.
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kernels/each_set.h"
#include "kernels/packed_matrix.h"

namespace heed {
namespace {

// SSE2 has no fused instruction.
bool fuses(const Kernels& set) {
#if defined(__x86_64__)
  return std::string(set.name) != "plain";
#else
  return true;
#endif
}

using Result = std::vector<float>;

// Computes something with each set, and expects the numbers of the first one.
void expect_equal(const std::string& what, const std::function<Result(const Kernels&)>& compute) {
  const Kernels* first = nullptr;
  Result expected;
  for (const Kernels* set : tested_sets()) {
    if (!fuses(*set)) continue;
    const Result found = compute(*set);
    if (first == nullptr) {
      first = set;
      expected = found;
    }
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i)
      ASSERT_EQ(std::bit_cast<uint32_t>(found[i]), std::bit_cast<uint32_t>(expected[i]))
          << what << ": " << set->name << " has " << found[i] << " at " << i << ", " << first->name
          << ' ' << expected[i];
  }
}

const std::vector<int64_t> kWidths = {1, 3, 8, 15, 16, 17, 31, 32, 33, 40, 64, 100, 129};

TEST(EqualSets, Products) {
  Numbers numbers(3);
  for (const Precision precision : {Precision::kFloat, Precision::kInt8, Precision::kInt16}) {
    for (const int64_t inputs : kWidths) {
      for (const int64_t outputs : {1, 8, 20, 32, 48, 64, 75}) {
        for (const int64_t rows : {1, 2, 5, 13, 40}) {
          const auto x = numbers(rows * inputs), w = numbers(outputs * inputs),
                     bias = rows == 2 ? Result() : numbers(outputs);
          const std::string what = "product " + std::to_string(static_cast<int>(precision)) +
                                   " of " + std::to_string(rows) + " x " + std::to_string(inputs) +
                                   " x " + std::to_string(outputs);
          expect_equal(what, [&](const Kernels& set) {
            const PackedMatrix packed(set, precision, w.data(), outputs, inputs, bias);
            Result y(static_cast<size_t>(rows * outputs));
            packed.product(x.data(), rows, y.data());
            return y;
          });
        }
      }
    }
  }
}

TEST(EqualSets, SumsOfManyElements) {
  Numbers numbers(4);
  for (const int64_t width : kWidths) {
    const auto x = numbers(3 * width), gain = numbers(width), bias = numbers(width);
    expect_equal("layer_norm", [&](const Kernels& set) {
      Result y(x.size());
      set.layer_norm(x.data(), 3, width, gain.data(), bias.data(), y.data());
      return y;
    });
    expect_equal("rms_norm", [&](const Kernels& set) {
      Result y(x.size());
      set.rms_norm(x.data(), 3, width, gain.data(), y.data());
      return y;
    });
    expect_equal("additive_scores", [&](const Kernels& set) {
      Result scores(1);
      set.additive_scores({.width = width,
                           .query_count = 1,
                           .key_count = 1,
                           .queries = x.data(),
                           .keys = x.data() + width,
                           .query_stride = width,
                           .key_stride = width,
                           .v = gain.data()},
                          scores.data());
      return scores;
    });
    expect_equal("log_sum_exp", [&](const Kernels& set) {
      return Result{set.log_sum_exp(x.data(), std::ssize(x))};
    });
  }
}

TEST(EqualSets, FunctionsOfElements) {
  Numbers numbers(5);
  for (const int64_t width : kWidths) {
    const auto x = numbers(width, 3), y = numbers(width);
    expect_equal("tanh", [&](const Kernels& set) {
      Result z = x;
      set.tanh(z.data(), width);
      return z;
    });
    expect_equal("sigmoid", [&](const Kernels& set) {
      Result z = x;
      set.sigmoid(z.data(), width);
      return z;
    });
    expect_equal("silu_times", [&](const Kernels& set) {
      Result z = y;
      set.silu_times(x.data(), width, z.data());
      return z;
    });
    const auto input = numbers(6 * width), state = numbers(6 * width), before = numbers(2 * width);
    expect_equal("gru_cell", [&](const Kernels& set) {
      Result z(before.size());
      set.gru_cell({.rows = 2,
                    .width = width,
                    .input = input.data(),
                    .state = state.data(),
                    .before = before.data()},
                   z.data());
      return z;
    });
    const auto gates = numbers(8 * width);
    expect_equal("lstm_cell", [&](const Kernels& set) {
      Result z(before.size()), after(before.size()), kept(gates.size());
      LstmCellView view{.rows = 2, .width = width};
      view.parts[0] = gates.data();
      view.before = before.data();
      view.gates = kept.data();
      view.after = after.data();
      set.lstm_cell(view, z.data());
      z.insert(z.end(), after.begin(), after.end());
      return z;
    });
  }
}

TEST(EqualSets, Attention) {
  Numbers numbers(6);
  for (const int64_t keys : {1, 2, 7, 16, 17, 33, 50}) {
    for (const int64_t width : {4, 8, 16, 20, 64}) {
      constexpr int64_t kHeads = 2, kQueries = 5;
      const int64_t padded = (keys + kSumLanes - 1) / kSumLanes * kSumLanes, all = kHeads * width;
      const auto queries = numbers(kQueries * all), transposed = numbers(all * padded),
                 values = numbers(keys * all);
      expect_equal("attend", [&](const Kernels& set) {
        Result scores(static_cast<size_t>(kQueriesTogether * padded)), context(queries.size()),
            mean(static_cast<size_t>(kQueries * keys));
        set.attend({.queries = queries.data(),
                    .query_count = kQueries,
                    .query_stride = all,
                    .keys = {transposed.data()},
                    .values = {values.data()},
                    .key_count = keys,
                    .padded = padded,
                    .value_stride = all,
                    .heads = kHeads,
                    .width = width,
                    .value_width = width,
                    .scores = scores.data(),
                    .context = context.data(),
                    .context_stride = all,
                    .mean = mean.data(),
                    .mean_stride = keys});
        context.insert(context.end(), mean.begin(), mean.end());
        return context;
      });
      std::vector<int32_t> slots;
      for (int64_t i = 0; i < keys; ++i) slots.push_back(static_cast<int32_t>(keys - 1 - i));
      const auto past = numbers(keys * all), bias = numbers(kHeads * keys);
      expect_equal("attend_rows", [&](const Kernels& set) {
        Result weights(static_cast<size_t>(kHeads * padded)), context(static_cast<size_t>(all));
        set.attend_rows({.query = queries.data(),
                         .keys = {past.data()},
                         .values = {values.data()},
                         .rows = slots.data(),
                         .count = keys,
                         .key_stride = all,
                         .value_stride = all,
                         .heads = kHeads,
                         .key_value_heads = kHeads,
                         .width = width,
                         .value_width = width,
                         .bias = bias.data(),
                         .bias_stride = keys,
                         .weights = weights.data(),
                         .weight_stride = padded,
                         .context = context.data()});
        return context;
      });
      expect_equal("attend_past", [&](const Kernels& set) {
        Result scores(static_cast<size_t>(padded)), context(static_cast<size_t>(all));
        set.attend_past({.query = queries.data(),
                         .keys = {past.data()},
                         .values = {values.data()},
                         .slots = slots.data(),
                         .count = keys,
                         .heads = kHeads,
                         .width = width,
                         .scores = scores.data(),
                         .context = context.data()});
        return context;
      });
    }
  }
}

}  // namespace
}  // namespace heed
