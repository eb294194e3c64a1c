// Languages that the lines of a model of many languages are in and are translated into.
#pragma once

#include <string>

namespace heed {

// Codes: those of the model, "deu_Latn", or others that stand for one of its languages, "de". "": that of
// the line or of the model.
struct Direction {
  std::string source, target;
  bool is_chosen() const { return !source.empty() || !target.empty(); }
};

}  // namespace heed
