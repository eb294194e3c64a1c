// Linear attention equals its definitions, quadratic as they are written.
#include <gtest/gtest.h>

#include "nn/compared_attention.h"
#include "reference/linear_attention.h"

namespace heed {
namespace {

class LinearAttentions : public ComparedAttentions {
 protected:
  void expect_equal(const Attended& actual, double tolerance) const override {
    const auto parameters = parameters_of(*attention_);
    const auto projected = [&](const std::string& name, const reference::Matrix& x) {
      return reference::affine(matrix_of(parameters.at(name + ".weight")),
                               vector_of(parameters.at(name + ".bias")), x);
    };
    for (int64_t r = 0; r < 3; ++r) {
      const Sentence own = sentence(r);
      const auto q = projected("query", own.query), k = projected("key", own.keys),
                 v = projected("value", own.values);
      reference::Matrix joined(q.rows, v.columns);
      for (size_t h = 0; h < 2; ++h) {
        const auto c = of_head(h, reference::head_of(q, h, 2), reference::head_of(k, h, 2),
                               reference::head_of(v, h, 2), own);
        for (size_t t = 0; t < c.rows; ++t) {
          for (size_t j = 0; j < c.columns; ++j) joined(t, h * c.columns + j) = c(t, j);
        }
      }
      expect_close(actual.context[r], tensor_of(projected("output", joined)), tolerance, "context");
    }
  }

 private:
  reference::Matrix of_head(size_t h, const reference::Matrix& q, const reference::Matrix& k,
                            const reference::Matrix& v, const Sentence& own) const {
    const std::string& name = GetParam().beside;
    if (name == "linear_elu") return reference::elu_attention(q, k, v, own.mask);
    if (name == "linear_efficient") return reference::efficient_attention(q, k, v, own.mask);
    if (name.starts_with("linear_performer")) {
      const Tensor random = attention_->named_buffers()["random"];
      return reference::performer_attention(
          q, k, v, own.mask,
          matrix_of(random.dim() == 3 ? random[static_cast<int64_t>(h)] : random));
    }
    const auto projection = [&](const char* which) {
      return matrix_of(parameters_of(*attention_).at(which));
    };
    return reference::linformer_attention(q, k, v, own.mask[0], projection("key_places"),
                                          projection("value_places"));
  }
};

TEST_P(LinearAttentions, EqualTheEquations) { compare(); }

std::vector<Case> linear_cases() {
  std::vector<Case> cases;
  for (const Case& c : cases_beside_stages()) {
    if (c.beside.starts_with("linear_")) cases.push_back(c);
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(All, LinearAttentions, testing::ValuesIn(linear_cases()),
                         [](const auto& variant) { return variant.param.name(); });

}  // namespace
}  // namespace heed
