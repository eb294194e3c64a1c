// A note on a score whose hidden layer is by default much wider than the query, which makes it the
// larger model in a comparison of scores. The default stays, since configs and models rely on it.
#pragma once

#include <string>
#include <vector>

#include "config/notes.h"
#include "nn/attention/stage_config.h"

namespace heed {

class HiddenWidthNote : public Noting {
 public:
  std::vector<std::string> notes() const override;

 protected:
  // Takes the note, in check(), if the user has not set `hidden`.
  void look_at_hidden(int64_t hidden, const StageDims& dims, const Problems& problems) const;

 private:
  mutable std::vector<std::string> notes_;  // written by check(), which knows the dimensions
};

}  // namespace heed
