// Between encoders and decoder: combines several sources into one, pools the encoder states of a
// sentence, or computes the decoder's initial state from several sources.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "model/encoder.h"

namespace heed {

class Joiner : public Module {
 public:
  // Returns what the decoder gets in place of the encoder output.
  virtual EncoderOutput join(EncoderOutput encoded, const Pass& pass) = 0;
};

using AllSourceDims = std::map<std::string, SourceDims>;

struct JoinerConfig : KindSettings {
  virtual void check(const AllSourceDims& sources, Problems& problems) const {}
  // Dimensions of the sources after join(), which keep their names.
  virtual AllSourceDims dims(const AllSourceDims& sources) const = 0;
  virtual std::shared_ptr<Joiner> build(const AllSourceDims& sources) const = 0;
};
const Registry<JoinerConfig>& joiners();

}  // namespace heed
