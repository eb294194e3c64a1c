// The outputs, each in its file. shape: with that kind of output.
#pragma once

#include <memory>

#include "inference/outputs/output.h"

namespace heed::output_kinds {

struct OutputParts {
  const VocabularyShape& shape;
  const Embeddings& embeddings;
  const Packer& packer;
  const Kernels& set;
};

std::unique_ptr<const OutputWeights> softmax(const OutputParts& parts);
std::unique_ptr<const OutputWeights> pointer_generator(const OutputParts& parts);
std::unique_ptr<const OutputWeights> copynet(const OutputParts& parts);
std::unique_ptr<const OutputWeights> pointer(const OutputParts& parts);
std::unique_ptr<const OutputWeights> hard_monotonic(const OutputParts& parts);
std::unique_ptr<const OutputWeights> pointer_sum(const OutputParts& parts);
std::unique_ptr<const OutputWeights> label(const OutputParts& parts);

}  // namespace heed::output_kinds
