// O1: softmax over the vocabulary. Tied, its weights are the target's embeddings (Press and Wolf
// 2017); a hidden state of another width goes through a projection first.
#pragma once

#include "model/output.h"

namespace heed {

struct VocabularyOutputConfig final : OutputConfig {
  bool bias = true;
  void fields(Fields& f) override;
  std::shared_ptr<Output> build(const OutputDims& dims) const override;
};

}  // namespace heed
