#include "inference/vocabulary_shape.h"

namespace heed {

void ParameterShapes::vocabulary(const VocabularyShape& shape, const VocabularySize& size,
                                 int64_t hidden) {
  add("target.embedding", {size.target, shape.embedding});
  if (!shape.source_is_tied)
    add("source_" + shape.source + ".embedding", {size.source, shape.embedding});
  if (!shape.output_is_tied) {
    add("output.weight", {size.target, hidden});
  } else if (hidden != shape.embedding) {
    add("output.to_embedding.weight", {shape.embedding, hidden});
  }
  if (shape.output_bias) add("output.bias", {size.target});
}

}  // namespace heed
