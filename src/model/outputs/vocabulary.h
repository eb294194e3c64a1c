// Softmax over the vocabulary.
#pragma once

#include "model/output.h"

namespace heed {

struct VocabularyOutputConfig final : OutputConfig {
  bool bias = true;
  void fields(Fields& f) const override;
  std::shared_ptr<Output> build(const OutputDims& dims,
                                std::shared_ptr<Embedding> embedding) const override;
};

}  // namespace heed
