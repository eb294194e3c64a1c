#include "nn/attention/terms/directional_config.h"

namespace heed {

void DirectionalConfig::fields(Fields& f) {
  static const Words<Direction> words = {{"forward", Direction::kForward},
                                         {"backward", Direction::kBackward}};
  f.choice("kind", direction, words,
           "forward: positions before the query; backward: positions after it");
}

void DirectionalConfig::check(const StageDims& dims, Problems& problems) const {
  check_one_sequence(*this, dims, problems);
  if (dims.place == Place::kDecoderSelf && direction == Direction::kBackward)
    problems.add("kind", "a decoder has no positions after the query: use forward");
}

namespace kinds {
Kind<TermConfig> directional() {
  return kind<DirectionalConfig, TermConfig>(
      "directional", "directional mask, without the query's own position (Shen 2018, DiSAN)");
}
}  // namespace kinds

}  // namespace heed
