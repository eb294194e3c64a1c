// Compares a module of attention with the references, sentence by sentence.
#pragma once

#include "holds.h"
#include "kinds_of.h"
#include "nn/attention_fixture.h"
#include "reference/terms.h"

namespace heed {

// One sentence in the form of the references.
struct Sentence {
  reference::Matrix query, keys, values;
  reference::Mask mask;        // what may be read without terms
  reference::Lengths lengths;  // keys up to the last one that each query may read
};

class ComparedAttentions : public Attentions {
 protected:
  Sentence sentence(int64_t r) const {
    const bool own_past = GetParam().own_past();
    Sentence sentence{.query = matrix_of(query_[r]),
                      .keys = matrix_of(own_past ? query_[r] : keys_[r]),
                      .values = matrix_of(own_past ? query_[r] : values_[r]),
                      .mask = {},
                      .lengths = {}};
    // Query t over the decoder's past reads keys 0 … t, a query over another sequence all keys of
    // its length.
    for (size_t t = 0; t < sentence.query.rows; ++t) {
      sentence.lengths.push_back(own_past ? t + 1
                                          : static_cast<size_t>(lengths_[r].item<int64_t>()));
    }
    sentence.mask = reference::mask_of(sentence.query.rows, sentence.keys.rows,
                                       [&](size_t t, size_t s) { return s < sentence.lengths[t]; });
    return sentence;
  }
  virtual void expect_equal(const Attended& actual, double tolerance) const = 0;
  // Compares in double and in single precision.
  void compare() {
    holds("reference", kinds_of(*GetParam().config(), "attention"));
    expect_equal(read(), kExact);
    const auto single = [](const Tensor& x) { return x.to(torch::kFloat); };
    const Tensor query = single(query_), keys = single(keys_), values = single(values_);
    Attended in_single;
    {
      const InFloat in_float(*attention_);
      in_single = read(query, keys, values, lengths_);
    }
    expect_equal(in_single, kSingle);
  }
};

}  // namespace heed
