#include "inference/source_joiner.h"

namespace heed {

std::unique_ptr<const SourceJoiner> make_joiner(const JoinerShape& shape, const Packer& packer,
                                                const Kernels& set) {
  if (const auto* states = std::get_if<LastStatesShape>(&shape))
    return joiner_kinds::last_states(*states, packer, set);
  if (const auto* attention = std::get_if<CoAttentionShape>(&shape))
    return joiner_kinds::co_attention(*attention, packer, set);
  return nullptr;
}

}  // namespace heed
