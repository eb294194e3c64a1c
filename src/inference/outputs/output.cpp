#include "inference/outputs/output.h"

#include "inference/outputs/kinds.h"

namespace heed {

std::unique_ptr<const OutputWeights> make_output(const VocabularyShape& shape,
                                                 const Embeddings& embeddings, const Packer& packer,
                                                 const Kernels& set) {
  const output_kinds::OutputParts parts{shape, embeddings, packer, set};
  const OutputShape& output = shape.output;
  if (output.as<PointerGeneratorShape>() != nullptr) return output_kinds::pointer_generator(parts);
  if (output.as<CopyNetShape>() != nullptr) return output_kinds::copynet(parts);
  if (output.as<PointerShape>() != nullptr) return output_kinds::pointer(parts);
  if (output.as<HardMonotonicShape>() != nullptr) return output_kinds::hard_monotonic(parts);
  if (output.as<PointerSumShape>() != nullptr) return output_kinds::pointer_sum(parts);
  if (output.as<LabelShape>() != nullptr) return output_kinds::label(parts);
  return output_kinds::softmax(parts);
}

}  // namespace heed
