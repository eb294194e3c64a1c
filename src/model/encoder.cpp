#include "model/encoder.h"

namespace heed {

Sources EncoderOutput::memories() const {
  Sources memories;
  for (const auto& [name, encoded] : sources) memories.emplace(name, encoded.source);
  return memories;
}

}  // namespace heed
