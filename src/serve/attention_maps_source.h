// Attention maps by layer and head, which the engines of translation do not keep: whoever computes
// them reads a translation once more.
#pragma once

#include <string>
#include <vector>

#include "report/attention_map.h"
#include "translate/text_model.h"

namespace heed {

class AttentionMapsSource {
 public:
  virtual ~AttentionMapsSource() = default;
  // Every map of the model while it reads `target` as the translation of `line`; none: the model has
  // no attention. Throws Error.
  virtual std::vector<AttentionMap> maps(const SourceLine& line,
                                         const std::string& target) const = 0;
};

}  // namespace heed
