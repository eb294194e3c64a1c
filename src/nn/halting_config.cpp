#include "nn/halting_config.h"

#include "config/sizes.h"

namespace heed {

void HaltingSettings::fields(Fields& f, const char* most_help, const char* epsilon_help) {
  f.field("most", most, kRounds, most_help);
  f.field("epsilon", epsilon, kDropout, epsilon_help);
  f.field("ponder", ponder, kWeights, "weight τ of the ponder cost");
}

void AdaptiveStepConfig::fields(Fields& f) {
  halting.fields(f, "maximum number of cell updates in a time step",
                 "ε: a time step ends when its halting probabilities sum to 1 - ε");
}

}  // namespace heed
