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

void check_copy_end(bool copy_end, const OutputDims& dims, Problems& problems) {
  if (copy_end && !dims.source_end)
    problems.add("copy_end",
                 "needs the end of the source, which `source_end: false` leaves out: use only one "
                 "of them");
}

void CopyingConfig::fields(Fields& f) {
  static const Words<CopyState> words = {{"output", CopyState::kOutput},
                                         {"decoder", CopyState::kDecoder}};
  f.choice("state", state, words,
           "state that copying reads: output, what the output layer of the decoder makes of its "
           "state, with dropout; or decoder, the state itself, as in the papers");
}

void CopyingConfig::check(const OutputDims& dims, Problems& problems) const {
  check_copying(dims, problems);
  if (state == CopyState::kDecoder && dims.state == 0)
    problems.add("state",
                 "decoder is the state of a recurrent decoder, and this decoder has none: use "
                 "output");
}

}  // namespace heed
