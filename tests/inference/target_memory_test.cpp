#include "inference/target_memory.h"

#include <random>

#include <gtest/gtest.h>

#include "kernels/each_set.h"
#include "kernels/kernels.h"

namespace heed {
namespace {

// Layers of different widths; the second one keeps nothing.
const std::vector<MemoryWidths> kWidths = {{3, 5}, {0, 0}, {4, 2}};

// A memory and the tokens that it has to hold: those of each row in order, as numbers that bfloat16
// represents exactly.
struct Decoded {
  explicit Decoded(bool rounds)
      : memory(kWidths, NumberArray(rounds, *all_kernels().front())),
        numbers(rounds ? 250 : 10000) {}

  TargetMemory memory;
  uint32_t numbers;  // tokens are below this number
  std::vector<std::vector<float>> tokens;

  void step(std::mt19937& draw) {
    memory.extend();
    for (int64_t row = 0; row < memory.rows(); ++row) {
      tokens[row].push_back(static_cast<float>(draw() % numbers));
      for (int64_t layer = 0; layer < std::ssize(kWidths); ++layer) {
        const float number = tokens[row].back() + static_cast<float>(layer);
        const std::vector<float> keys(static_cast<size_t>(kWidths[layer].keys), number),
            values(static_cast<size_t>(kWidths[layer].values), -number);
        memory.write_last(layer, row, keys.data(), values.data());
      }
    }
  }

  void add_rows(int64_t rows) {
    memory.add_rows(rows);
    tokens.resize(tokens.size() + static_cast<size_t>(rows));
  }

  void gather(const std::vector<int64_t>& rows) {
    memory.gather(rows);
    std::vector<std::vector<float>> kept;
    for (const int64_t row : rows) kept.push_back(tokens[row]);
    tokens = kept;
  }

  void join(const Decoded& more) {
    memory.join(more.memory);
    tokens.insert(tokens.end(), more.tokens.begin(), more.tokens.end());
  }

  size_t count() const {
    size_t count = 0;
    for (const auto& row : tokens) count += row.size();
    return count;
  }

  static double number(const NumbersView& numbers, int64_t i) {
    return numbers.halves != nullptr ? float_of_half(numbers.halves[i]) : numbers.floats[i];
  }

  void check() const {
    ASSERT_EQ(memory.rows(), std::ssize(tokens));
    for (int64_t row = 0; row < memory.rows(); ++row) {
      ASSERT_EQ(memory.length(row), std::ssize(tokens[row]));
      for (int64_t layer = 0; layer < std::ssize(kWidths); ++layer) {
        const auto [keys, values] = kWidths[layer];
        for (int64_t t = 0; t < memory.length(row); ++t) {
          const int64_t slot = memory.path(row)[t];
          for (int64_t i = slot * keys; i < (slot + 1) * keys; ++i)
            ASSERT_EQ(number(memory.keys(layer), i), tokens[row][t] + layer);
          for (int64_t i = slot * values; i < (slot + 1) * values; ++i)
            ASSERT_EQ(number(memory.values(layer), i), -tokens[row][t] - layer);
        }
      }
    }
  }
};

// Parameter: true if numbers are rounded to bfloat16.
class TargetMemories : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(TargetMemory, TargetMemories, testing::Bool());

TEST_P(TargetMemories, HoldThePrefixOfEachRowWhileRowsAreReorderedLeaveAndJoin) {
  std::mt19937 draw(1);
  Decoded decoded(GetParam());
  decoded.add_rows(4);
  for (int turn = 0; turn < 200; ++turn) {
    decoded.step(draw);
    std::vector<int64_t> rows(1 + draw() % 6);
    for (int64_t& row : rows) row = draw() % decoded.tokens.size();
    decoded.gather(rows);
    if (turn % 7 == 0) {
      Decoded more(GetParam());
      more.add_rows(2);
      for (int step = 0; step < turn % 3; ++step) more.step(draw);
      more.gather({1, 0, 1});
      decoded.join(more);
    }
    decoded.check();
  }
}

// One of 8 rows leaves at each step and another begins: at most 8·9/2 tokens are held.
TEST_P(TargetMemories, UseTheSlotsOfRowsThatHaveLeft) {
  std::mt19937 draw(1);
  Decoded decoded(GetParam());
  size_t most = 0;
  for (int turn = 0; turn < 1000; ++turn) {
    if (decoded.tokens.size() == 8) decoded.gather({1, 2, 3, 4, 5, 6, 7});
    Decoded next(GetParam());
    next.add_rows(1);
    decoded.join(next);
    decoded.step(draw);
    most = std::max(most, decoded.count());
  }
  EXPECT_EQ(most, 36U);
  EXPECT_LE(decoded.memory.slots(), 36 * 5 / 4);
  decoded.check();
}

}  // namespace
}  // namespace heed
