#include "nn/attention/memory_config.h"

#include "config/sizes.h"
#include "nn/attention/stage_config.h"

namespace heed {

void MemoryConfig::fields(Fields& f) {
  f.field("heads", heads, kHeads, "number of read heads");
  f.field("width", width, kWidthsOrNone,
          "width of a memory row; 0: the width of the encoder output");
  f.field("shift", shift, kLengthsOrNone,
          "maximum shift of a head, in positions; 0: content addressing only");
  f.field("write", write, "add a write head");
}

void MemoryConfig::check(const AttentionDims& dims, Problems& problems) const {
  if (dims.place != Place::kCross) {
    problems.add(
        "", "memory is initialized with the encoder output: use it in the attention over a source");
  } else if (shift > 0) {
    check_order(*this, dims, problems);
  }
}

namespace kinds {
Kind<AttentionConfig> memory() {
  return kind<MemoryConfig, AttentionConfig>(
      "memory",
      "memory of a neural Turing machine: read and write heads with content and location "
      "addressing (Graves 2014)");
}
}  // namespace kinds

}  // namespace heed
