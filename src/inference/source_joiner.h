// Joiners of encoded sources, before a decoder reads them (joiner_shape.h).
#pragma once

#include <memory>
#include <vector>

#include "inference/joiner_shape.h"
#include "inference/packer.h"
#include "inference/source_encoder.h"

namespace heed {

class SourceJoiner {
 public:
  virtual ~SourceJoiner() = default;
  // Changes the sources of sentences, in the order of their names.
  virtual void join(std::vector<Encoded>& sources) const = 0;
};

// nullptr without a joiner.
std::unique_ptr<const SourceJoiner> make_joiner(const JoinerShape& shape, const Packer& packer,
                                                const Kernels& set);

// The joiners, each in its file.
namespace joiner_kinds {
std::unique_ptr<const SourceJoiner> last_states(const LastStatesShape& shape, const Packer& packer,
                                                const Kernels& set);
std::unique_ptr<const SourceJoiner> co_attention(const CoAttentionShape& shape,
                                                 const Packer& packer, const Kernels& set);
}  // namespace joiner_kinds

}  // namespace heed
