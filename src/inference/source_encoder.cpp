#include "inference/source_encoder.h"

#include <algorithm>
#include <utility>

#include "inference/convolution_encoder.h"
#include "inference/hierarchical_encoder.h"
#include "inference/recurrent_encoder.h"
#include "inference/transformer_encoder.h"
#include "inference/vocabulary.h"
#include "model/parameter_names_spec.h"

namespace heed {

std::unique_ptr<const SourceEncoder> make_encoder(const EncoderShape& shape,
                                                  const VocabularyShape& vocabulary, size_t source,
                                                  const Packer& packer, const Kernels& set) {
  const std::string name = names::encoder(vocabulary.sources[source].encoder);
  if (const auto* stack = std::get_if<StackShape>(&shape.kind))
    return std::make_unique<TransformerEncoder>(*stack, vocabulary.source_input(source), name,
                                                packer, set);
  if (const auto* convolution = std::get_if<ConvolutionEncoderShape>(&shape.kind))
    return std::make_unique<ConvolutionEncoder>(*convolution, name, packer, set);
  if (const auto* hierarchical = std::get_if<HierarchicalEncoderShape>(&shape.kind))
    return std::make_unique<HierarchicalEncoder>(*hierarchical, name,
                                                 vocabulary.sources[source].marker, packer, set);
  return std::make_unique<RecurrentEncoder>(shape.recurrent(), name, packer, set);
}

AlignedFloats sum_of_states(const std::vector<int64_t>& begins, const AlignedFloats& x,
                            int64_t width, const Kernels& set) {
  const auto sentences = std::ssize(begins) - 1;
  AlignedFloats sums(static_cast<size_t>(sentences * width), 0.0F);
  for (int64_t i = 0; i < sentences; ++i) {
    for (int64_t t = begins[i]; t < begins[i + 1]; ++t)
      set.add(x.data() + t * width, width, sums.data() + i * width);
  }
  return sums;
}

LastState mean_state(const std::vector<int64_t>& begins, const AlignedFloats& x, int64_t width,
                     const Kernels& set) {
  AlignedFloats means = sum_of_states(begins, x, width, set);
  for (int64_t i = 0; i + 1 < std::ssize(begins); ++i) {
    const auto tokens = static_cast<float>(std::max<int64_t>(1, begins[i + 1] - begins[i]));
    for (int64_t j = i * width; j < (i + 1) * width; ++j) means[j] /= tokens;
  }
  return {.hidden = std::move(means), .cell = {}};
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

void check_widths(const ConvolutionStackShape& shape, int64_t input, Precision precision) {
  check_widths({input, shape.kernel * shape.width}, precision);
}

void check_widths(const EncoderShape& shape, int64_t input, Precision precision) {
  if (const auto* stack = std::get_if<StackShape>(&shape.kind)) {
    check_widths(*stack, input, precision);
  } else if (const auto* convolution = std::get_if<ConvolutionEncoderShape>(&shape.kind)) {
    check_widths(convolution->stack, input, precision);
  } else if (const auto* hierarchical = std::get_if<HierarchicalEncoderShape>(&shape.kind)) {
    check_widths({input, hierarchical->words.width, shape.width()}, precision);
  } else {
    check_widths({input, shape.width()}, precision);
  }
}

}  // namespace heed
