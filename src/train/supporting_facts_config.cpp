#include "train/supporting_facts_config.h"

#include "config/sizes.h"

namespace heed {

void SupportingFactsConfig::fields(Fields& f) {
  f.field("weight", weight, kWeights,
          "weight α of the cross-entropy of the gates, which is summed over the passes and counts "
          "once for each question (Kumar 2016: 1); 0 turns it off");
}

}  // namespace heed
