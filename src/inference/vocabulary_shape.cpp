#include "inference/vocabulary_shape.h"

namespace heed {

void ParameterShapes::vocabulary(const VocabularyShape& shape, const VocabularySize& size,
                                 int64_t hidden) {
  add(names::kTargetEmbedding, {size.target, shape.embedding});
  if (!shape.source_is_tied)
    add(names::source_embedding(shape.source), {size.source, shape.embedding});
  if (!shape.output_is_tied) {
    add(names::weight(names::kOutputLayer), {size.target, hidden});
  } else if (hidden != shape.embedding) {
    add(names::weight(names::kToEmbedding), {shape.embedding, hidden});
  }
  if (shape.output_bias) add(names::bias(names::kOutputLayer), {size.target});
}

}  // namespace heed
