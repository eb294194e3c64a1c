// 8-bit training beside translation with int8: the same products are rounded, in the same way.
#include <gtest/gtest.h>

#include "network/engine_comparison.h"
#include "network/model_engine.h"
#include "nn/int8_training.h"

namespace heed {
namespace {

// Sum of squared differences of log-probabilities.
double distance_of(const Engine& own, const Engine& other, bool in_8_bits) {
  const auto examples = examples_of(random_sentences(4, 9, kPieces, 5));
  const Int8Scope scope(in_8_bits);
  const auto decoding = own.start(pointers_to(examples), false),
             reference = other.start(pointers_to(examples), false);
  double distance = 0;
  for (const int32_t token : {1, 5, 30}) {
    decoding->step(std::vector<int32_t>(4, token));
    reference->step(std::vector<int32_t>(4, token));
    const auto found = all_log_probs(*decoding), wanted = all_log_probs(*reference);
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (std::isfinite(wanted[i])) distance += std::pow(found[i] - wanted[i], 2);
    }
  }
  return distance;
}

// The engines of other models also keep keys and values in bfloat16, which moves activations to other
// steps.
TEST(Int8Training, ComputesWhatTranslationWithInt8Does) {
  for (const std::string text :
       {"{embedding: {width: 16}, encoder: {type: rnn, cell: gru, width: 24, bidirectional: "
        "true}, decoder: {type: rnn, cell: gru, width: 24, attend: after, attention: {score: "
        "general}}}",
        "{embedding: {width: 20, tie: none}, encoder: {type: rnn, cell: gru, layers: 2, width: "
        "24}, "
        "decoder: {type: rnn, cell: gru, layers: 2, width: 24, attend: after, attention: {score: "
        "dot}}}"}) {
    SCOPED_TRACE(text);
    const ModelConfig config = config_from(text);
    const auto model = std::make_shared<Seq2Seq>(config, sizes_of(config, kPieces), 3);
    const auto own = engine_of(*model, config, Precision::kInt8);
    const ModelEngine network({model}, config.sources());
    const double plain = distance_of(*own, network, false);
    EXPECT_GT(plain, 1e-4);
    EXPECT_LT(distance_of(*own, network, true), 1e-6 * plain);
  }
}

}  // namespace
}  // namespace heed
