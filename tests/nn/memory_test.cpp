// The heads of a Neural Turing Machine equal their definition, shift in a circle within their
// sentence, and have finite gradients where a weight is zero.
#include <gtest/gtest.h>

#include "nn/attention/addressing.h"
#include "nn/attention/unit.h"
#include "nn/compared_attention.h"
#include "turing_heads.h"

namespace heed {
namespace {

using reference::Matrix;
using reference::Vector;

class Memories : public ComparedAttentions {
 protected:
  void expect_equal(const Attended& actual, double tolerance) const override {
    const TuringHeads own(parameters_of(*attention_), "");
    for (int64_t r = 0; r < 3; ++r) {
      const Sentence given = sentence(r);
      Matrix memory = first_memory(own, given);
      std::vector<Vector> weights(own.count(), TuringHeads::first_weights(memory.rows));
      for (size_t t = 0; t < given.query.rows; ++t) {
        const auto time = static_cast<int64_t>(t);
        const Vector query = given.query.row(t);
        const auto address = [&](size_t h) {
          weights[h] = turing_weights(own.head(query, h), memory, weights[h]);
          const Tensor drawn = drawn_weights(actual, h, own.read_heads())[r];
          expect_close(drawn[time].narrow(0, 0, static_cast<int64_t>(memory.rows)),
                       tensor_of(weights[h]), tolerance, "weights");
        };
        const bool writes = own.count() > own.read_heads(), writes_first = is("write_first");
        if (writes_first) {
          address(own.read_heads());
          own.write(memory, weights.back(), query);
        }
        Vector context;
        for (size_t h = 0; h < own.read_heads(); ++h) {
          address(h);
          const Vector read = turing_read(memory, weights[h]);
          context.insert(context.end(), read.begin(), read.end());
        }
        if (own.has("output.weight"))
          context = affine(own.matrix("output.weight"), own.vector("output.bias"), context);
        expect_close(actual.context[r][time], tensor_of(context), tolerance, "context");
        if (!writes || writes_first) continue;
        address(own.read_heads());
        own.write(memory, weights.back(), query);
      }
    }
  }

 private:
  static bool is(const std::string& words) {
    return GetParam().text().find(words) != std::string::npos;
  }
  // Weights of head h, of which the first `reads` read, for all queries.  [R,T,S]
  static Tensor drawn_weights(const Attended& actual, size_t h, size_t reads) {
    const bool has_own_rows = !GetParam().needs_source();
    if (h >= reads) return actual.parts.at(has_own_rows ? 1 : 0).weights.select(1, 0);
    return (has_own_rows ? actual.parts.at(0) : actual).weights.select(1, static_cast<int64_t>(h));
  }
  // The memory of the readable rows.
  static Matrix first_memory(const TuringHeads& own, const Sentence& given) {
    if (is("learned")) return own.matrix("initial");
    if (is("constant")) return {3, 4, Vector(12, 1e-6)};
    Matrix both(given.lengths[0], given.keys.columns + given.values.columns);
    for (size_t s = 0; s < both.rows; ++s) {
      Vector row = given.keys.row(s);
      const Vector value = given.values.row(s);
      row.insert(row.end(), value.begin(), value.end());
      both.set_row(s, row);
    }
    return affine(own.matrix("rows.weight"), {}, both);
  }
};

TEST_P(Memories, EqualTheEquations) { compare(); }

std::vector<Case> memory_cases() {
  std::vector<Case> cases;
  for (const Case& c : cases_beside_stages()) {
    const bool is_network = c.beside.starts_with("memory_network");
    if (c.beside.starts_with("memory_") && !is_network) cases.push_back(c);
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(All, Memories, testing::ValuesIn(memory_cases()),
                         [](const auto& variant) { return variant.param.name(); });

// One head that keeps its position and shifts by 1, sharpened by γ, over sentences of 4 and 2
// positions.
Tensor moved_by_one(const Tensor& previous, double sharpness) {
  const auto number = [](double x) { return torch::full({2, 1, 1}, x, torch::kDouble); };
  const Address address{.key = unit(uniform({2, 1, 3}, "key")),
                        .strength = number(1),
                        .gate = number(0),
                        .sharpness = number(sharpness),
                        .shift = torch::tensor({0.0, 0.0, 1.0}, torch::kDouble).expand({2, 1, 3})};
  return Addressing::weights(address, unit(uniform({2, 4, 3}, "memory")), previous,
                             Circle(torch::tensor({4, 2}, torch::kLong), 4, 1));
}

TEST(Addressing, ClosesTheCircleWhereTheSentenceEnds) {
  Tensor previous = torch::zeros({2, 1, 4}, torch::kDouble);
  previous[0][0][3] = 1;
  previous[1][0][1] = 1;
  Tensor expected = torch::zeros({2, 1, 4}, torch::kDouble);
  expected.select(2, 0).fill_(1);
  expect_close(moved_by_one(previous, 2), expected, 1e-20, "from the last position to the first");
}

TEST(Addressing, SharpensByPowers) {
  const Tensor previous =
      torch::tensor({0.5, 0.25, 0.25, 0.0, 0.25, 0.75, 0.0, 0.0}, torch::kDouble).view({2, 1, 4});
  // The squares are 1/4, 1/16, 1/16, 0 of 3/8, and 1/16, 9/16 of 10/16, shifted by one position.
  const Tensor expected =
      torch::tensor({0.0, 4.0 / 6, 1.0 / 6, 1.0 / 6, 0.9, 0.1, 0.0, 0.0}, torch::kDouble)
          .view({2, 1, 4});
  expect_close(moved_by_one(previous, 2), expected, 1e-12, "squares");
}

TEST(Addressing, HasFiniteGradientsWhereAWeightIsZero) {
  for (const double sharpness : {1.0, 1.5, 1e6}) {
    Tensor previous = torch::zeros({2, 1, 4}, torch::kDouble);
    previous.select(2, 0).fill_(1);
    previous.requires_grad_(true);
    probed(moved_by_one(previous, sharpness)).backward();
    EXPECT_TRUE(previous.grad().isfinite().all().item<bool>()) << sharpness;
  }
}

TEST(MemoryAttention, RefusesWhereThereIsNoMemory) {
  AttentionDims dims{.query = 4, .source = {.key = 4, .value = 4}};
  const auto refusal = [&dims](const std::string& text) {
    const auto list = refusals_of(*attention_of(text), dims);
    return list.empty() ? "" : list.front();
  };
  EXPECT_EQ(refusal("memory"), "");
  for (const Place place : {Place::kEncoderSelf, Place::kDecoderSelf}) {
    dims.place = place;
    EXPECT_NE(refusal("memory").find("use it in decoder.attention"), std::string::npos);
  }
  dims.place = Place::kCross;
  dims.source.ordered = false;
  EXPECT_NE(refusal("memory").find("needs positions"), std::string::npos);
  EXPECT_EQ(refusal("{type: memory, shift: 0}"), "");
  EXPECT_EQ(refusal("{type: memory, initial: learned}"), "");
  EXPECT_NE(refusal("{type: memory, initial: learned, write: false}").find("needs a write head"),
            std::string::npos);
  EXPECT_NE(
      refusal("{type: memory, shift: 0, order: write_first, write: false}").find("write_first"),
      std::string::npos);
}

}  // namespace
}  // namespace heed
