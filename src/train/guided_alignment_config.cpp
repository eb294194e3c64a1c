#include "train/guided_alignment_config.h"

#include "config/sizes.h"

namespace heed {

namespace {

const Words<AlignmentCost> kCosts = {{"ce", AlignmentCost::kCrossEntropy},
                                     {"mse", AlignmentCost::kSquares},
                                     {"mult", AlignmentCost::kMass}};

}  // namespace

void GuidedAlignmentConfig::fields(Fields& f) {
  f.field("weight", weight, kWeights,
          "weight of the loss, which is summed over target tokens with links and divided by all "
          "target tokens, as the cross-entropy is; 0 turns it off");
  f.choice("cost", cost, kCosts,
           "loss of a target token with attention weights a and links to n source tokens, A = 1/n "
           "there: ce, cross-entropy -Σ A log a; mse, ½ Σ (a - A)²; mult, -log Σ a over the linked "
           "tokens");
  f.peers("weight", {.opennmt = "lambda_align", .marian = "guided-alignment-weight"});
  f.peers("cost", {.marian = "guided-alignment-cost"});
}

}  // namespace heed
