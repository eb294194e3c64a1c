#include "inference/output_shape.h"

#include "model/outputs/copynet_config.h"
#include "model/outputs/hard_monotonic_config.h"
#include "model/outputs/label_config.h"
#include "model/outputs/pointer_config.h"
#include "model/outputs/pointer_generator_config.h"
#include "model/outputs/vocabulary_config.h"

namespace heed {

std::optional<OutputShape> output_shape(const ModelConfig& model, const ModelPlan& plan) {
  const OutputDims& dims = plan.output;
  OutputShape shape{.is_normed = dims.norm.has_value(),
                    .input = dims.input,
                    .hidden = dims.hidden,
                    .state = dims.state,
                    .context = dims.attention.context,
                    .source = dims.source.key};
  const OutputConfig* config = model.output.get();
  if (const auto* softmax = dynamic_cast<const VocabularyOutputConfig*>(config)) {
    shape.bias = softmax->bias;
  } else if (const auto* generator = dynamic_cast<const PointerGeneratorConfig*>(config)) {
    if (generator->head) return std::nullopt;
    shape.kind = PointerGeneratorShape{generator->state, generator->copy_end};
    shape.bias = generator->bias;
  } else if (const auto* copynet = dynamic_cast<const CopyNetConfig*>(config)) {
    shape.kind = CopyNetShape{copynet->state, copynet->copy_end};
    shape.bias = copynet->bias;
  } else if (const auto* pointer = dynamic_cast<const PointerConfig*>(config)) {
    shape.kind = PointerShape{pointer->state, pointer->hidden};
  } else if (const auto* hard = dynamic_cast<const HardMonotonicConfig*>(config)) {
    shape.kind =
        HardMonotonicShape{hard->monotonic, hard->order, hard->order > 0 ? hard->window : 0};
    shape.bias = hard->bias;
  } else if (const auto* label = dynamic_cast<const LabelConfig*>(config)) {
    shape.kind = LabelShape();
    shape.bias = label->bias;
  } else if (config->type == "pointer_sum") {
    shape.kind = PointerSumShape();
  } else {
    return std::nullopt;
  }
  return shape;
}

int64_t OutputShape::source_numbers() const {
  if (const auto* copynet = as<CopyNetShape>()) return source + width_of(copynet->state);
  if (const auto* pointer = as<PointerShape>()) return pointer->hidden;
  if (const auto* hard = as<HardMonotonicShape>())
    return hidden + (hard->order == 0 ? hidden : hard->jumps());
  return 0;
}

}  // namespace heed
