#include "nn/attention/terms/edges_config.h"

namespace heed {

void EdgesConfig::fields(Fields& f) {
  f.field("itself", itself, "each position also attends to itself (self-loops)");
}

void EdgesConfig::check(const StageDims& dims, Problems& problems) const {
  check_one_sequence(*this, dims, problems);
  if (dims.place == Place::kDecoderSelf)
    problems.add("",
                 "edges connect positions of the source: use it in the encoder's self_attention");
}

namespace kinds {
Kind<TermConfig> edges() {
  return kind<EdgesConfig, TermConfig>(
      "edges",
      "attention to itself and along the edge list of data.train (Veličković 2018, graph "
      "attention)");
}
}  // namespace kinds

}  // namespace heed
