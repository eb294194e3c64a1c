#include "inference/vocabulary_shape.h"

namespace heed {

void ParameterShapes::vocabulary(const VocabularyShape& shape, const VocabularySize& size) {
  add(names::kTargetEmbedding, {size.target, shape.embedding});
  for (const SourceShape& source : shape.sources) {
    if (!shape.source_is_tied)
      add(names::source_embedding(source.embedding),
          {size.sources.at(source.embedding), shape.embedding});
    for (const FactorShape& factor : source.factors)
      add(names::factor_embedding(factor.name), {size.factors.at(factor.name), factor.width});
  }
  if (shape.source_tag) add(names::kSourceTag, {size.tags, shape.embedding});
  if (shape.target_tag) add(names::kTargetTag, {size.tags, shape.target_input()});
  if (shape.output.scores_vocabulary()) {
    const int64_t hidden = shape.output.hidden;
    const auto weight = [&](const std::string& name, int64_t outputs) {
      if (shape.output.is_normed) return normed(name, {outputs, hidden});
      add(names::weight(name), {outputs, hidden});
    };
    if (!shape.output_is_tied) {
      weight(names::kOutputLayer, size.target);
    } else if (hidden != shape.embedding) {
      weight(names::kToEmbedding, shape.embedding);
    }
    if (shape.output.bias) add(names::bias(names::kOutputLayer), {size.target});
  }
  output(shape);
}

void ParameterShapes::output(const VocabularyShape& shape) {
  const OutputShape& output = shape.output;
  const auto matrix = [this](const char* name, int64_t inputs, int64_t outputs) {
    add(names::weight(name), {outputs, inputs});
  };
  if (const auto* generator = output.as<PointerGeneratorShape>()) {
    linear(names::kGate, output.context + output.width_of(generator->state) + output.input, 1);
  } else if (const auto* copynet = output.as<CopyNetShape>()) {
    matrix(names::kCopy, output.source, output.width_of(copynet->state));
  } else if (const auto* pointer = output.as<PointerShape>()) {
    matrix(names::kPointerSource, output.source, pointer->hidden);
    matrix(names::kPointerState, output.width_of(pointer->state), pointer->hidden);
    add(names::kPointerScore, {pointer->hidden});
    if (!shape.source_end) add(names::kPointerEnd, {pointer->hidden});
  } else if (const auto* hard = output.as<HardMonotonicShape>()) {
    linear(names::kAlignedState, output.hidden, output.hidden);
    matrix(names::kAlignedSource, output.source, output.hidden);
    if (hard->order == 0) {
      matrix(names::kAlignedKey, output.source, output.hidden);
    } else {
      linear(names::kJumpOfState, output.hidden, hard->jumps());
      matrix(names::kJumpOfSource, output.source, hard->jumps());
    }
  }
}

}  // namespace heed
