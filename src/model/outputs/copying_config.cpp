#include "model/outputs/copying_config.h"

namespace heed {

void check_copying(const OutputDims& dims, Problems& problems) {
  if (dims.source.key == 0) {
    problems.add("", "copies from the source, and there is none: use vocabulary");
  } else if (!dims.of_text) {
    problems.add("",
                 "copies source tokens, but the decoder attends to rows of model.join or to "
                 "sentences: leave join out, or set `states: words`");
  }
}

}  // namespace heed
