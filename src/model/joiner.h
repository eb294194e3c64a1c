// Between encoders and decoder: combines several sources into one, pools the encoder states of a
// sentence, or computes the decoder's initial state from several sources.
#pragma once

#include "model/encoder.h"
#include "model/joiner_config.h"

namespace heed {

class Joiner : public Module {
 public:
  // Returns what the decoder gets in place of the encoder output.
  virtual EncoderOutput join(EncoderOutput encoded, const Pass& pass) = 0;
};

}  // namespace heed
