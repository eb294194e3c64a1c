#include "inference/source_encoder.h"

#include "inference/recurrent_encoder.h"
#include "inference/transformer_encoder.h"
#include "inference/vocabulary.h"
#include "model/parameter_names_spec.h"

namespace heed {

std::unique_ptr<const SourceEncoder> make_encoder(const EncoderShape& shape,
                                                  const VocabularyShape& vocabulary,
                                                  const Packer& packer, const Kernels& set) {
  const std::string name = names::encoder(vocabulary.source);
  if (const auto* stack = std::get_if<StackShape>(&shape.kind))
    return std::make_unique<TransformerEncoder>(*stack, vocabulary.source_input(), name, packer,
                                                set);
  return std::make_unique<RecurrentEncoder>(shape.recurrent(), name, packer, set);
}

void check_widths(const StackShape& shape, int64_t input, Precision precision) {
  check_widths({input, shape.width, shape.feed_forward}, precision);
  for (const SelfAttentionShape& own : shape.self_attention) {
    if (const auto* heads = std::get_if<MultiHeadShape>(&own))
      check_widths({heads->contexts()}, precision);
    if (const auto* average = std::get_if<AverageShape>(&own))
      check_widths({2 * shape.width, average->feed_forward}, precision);
  }
}

void check_widths(const EncoderShape& shape, int64_t input, Precision precision) {
  if (const auto* stack = std::get_if<StackShape>(&shape.kind)) {
    check_widths(*stack, input, precision);
  } else {
    check_widths({input, shape.width()}, precision);
  }
}

}  // namespace heed
