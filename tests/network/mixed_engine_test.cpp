// A recurrent encoder with a Transformer decoder, and the reverse: engines beside ModelEngine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "nn/torch.h"

#include "network/engine_comparison.h"

namespace heed {
namespace {

std::string transformer_part(const std::string& more) {
  return "{type: transformer, layers: 2, width: 12, feed_forward: 20, self_attention: {heads: 2}" +
         more + "}";
}

class MixedModels : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(
    All, MixedModels,
    testing::Values(
        "{encoder: {type: rnn, layers: 2, width: 16}, decoder: " +
            transformer_part(", attention: {heads: 2}") + ", embedding: {width: 10}}",
        "{encoder: {type: rnn, cell: gru, width: 12, reverse: true}, decoder: " +
            transformer_part(", attention: {heads: 4}, norm: post") +
            ", embedding: {width: 12, tie: all}, output: pointer_generator, source_end: false}",
        "{encoder: " + transformer_part("") +
            ", decoder: {type: rnn, width: 16}, embedding: {width: 10}}",
        "{encoder: " + transformer_part(", positions: {type: learned, max_positions: 6}") +
            ", decoder: {type: rnn, layers: 2, width: 12, cell: gru, bridge: shared, attend: "
            "after, "
            "attention: {score: general}}, embedding: {width: 12, tie: all}, output: copynet}",
        "{encoder: " + transformer_part(", norm: post") +
            ", decoder: {type: rnn, width: 12, attention: none}, embedding: {width: 10}, output: "
            "{type: hard_monotonic, order: 0}, source_end: false}"));

TEST_P(MixedModels, EqualTheModelInEachSetOfKernels) { expect_engine_equals_model(GetParam()); }

TEST_P(MixedModels, InFewerBitsAreNearTheModel) { expect_fewer_bits_are_near(GetParam()); }

TEST_P(MixedModels, HaveTheParametersOfTheModel) { expect_parameters_of_the_model(GetParam()); }

}  // namespace
}  // namespace heed
