// Settings of adaptive computation time (halting.h), without tensors.
#pragma once

#include "config/fields.h"

namespace heed {

// Keys of an attention with adaptive hops and of recurrent layers with adaptive cells.
struct HaltingSettings {
  int64_t most = 4;
  double epsilon = 0.01, ponder = 0.01;
  // The help of `most` and `epsilon` names what is repeated and what halts.
  void fields(Fields& f, const char* most_help, const char* epsilon_help);
};

// The section `adaptive` of recurrent encoders and decoders.
struct AdaptiveStepConfig final : Settings {
  HaltingSettings halting;
  AdaptiveStepConfig() { halting.most = 10; }
  void fields(Fields& f) override;
};

}  // namespace heed
