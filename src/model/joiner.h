// Between the encoders and the decoder: several sources become one, or the states of a sentence
// become fewer.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "model/encoder.h"

namespace heed {

class Joiner : public torch::nn::Module {
 public:
  // What the decoder is to read in the place of what the encoders gave.
  virtual EncoderOutput join(EncoderOutput encoded, const Pass& pass) = 0;
};

using AllSourceDims = std::map<std::string, SourceDims>;

struct JoinerConfig : KindSettings {
  virtual void check(const AllSourceDims& sources, Problems& problems) const {}
  // Of what the decoder reads.
  virtual AllSourceDims dims(const AllSourceDims& sources) const = 0;
  virtual std::shared_ptr<Joiner> build(const AllSourceDims& sources) const = 0;
};
const Registry<JoinerConfig>& joiners();

}  // namespace heed
