#include "nn/attention/disagreement_config.h"

#include "config/sizes.h"

namespace heed {

void DisagreementConfig::fields(Fields& f) {
  static const Words<On> words = {
      {"subspace", On::kSubspace}, {"position", On::kPosition}, {"output", On::kOutput}};
  f.choice("on", on, words, "what has to differ: values, weights or context vectors of the heads");
  f.field("weight", weight, kWeights, "weight of the loss");
}

}  // namespace heed
