#include "nn/attention/scores/hidden_width_config.h"

#include "base/error.h"

namespace heed {

std::vector<std::string> HiddenWidthNote::notes() const { return notes_; }

void HiddenWidthNote::look_at_hidden(int64_t hidden, const StageDims& dims,
                                     const Problems& problems) const {
  notes_.clear();
  if (hidden <= 2 * dims.query || problems.is_set("hidden")) return;
  notes_.push_back(
      fmt::format("hidden: {} by default, but the query has width {}: set hidden: {} to compare "
                  "this score with others",
                  hidden, dims.query, dims.query));
}

}  // namespace heed
