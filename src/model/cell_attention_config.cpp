#include "model/cell_attention_config.h"

#include "base/error.h"
#include "model/context_of_values_spec.h"
#include "nn/attention/staged_config.h"

namespace heed {

CellAttentionConfig::CellAttentionConfig() : attention(std::make_shared<StagedConfig>()) {}

void CellAttentionConfig::fields(Fields& f) {
  f.one_of("attention", attention, attentions(),
           "attention over the states so far; its context vector takes the place of the last state "
           "in the cell");
}

AttentionDims CellAttentionConfig::attention_dims(const RecurrentDims& layer) {
  const int64_t states = layer.cell == CellKind::kLstm ? 2 * layer.width : layer.width;
  return {.place = Place::kDecoderSelf,
          .query = layer.input + layer.width,
          .source = {.key = layer.width, .value = states}};
}

void CellAttentionConfig::check(const RecurrentDims& layer, Problems& problems) const {
  if (!attention->reads()) {
    problems.add("attention", "has no effect with `none`: leave `intra_attention` out");
    return;
  }
  const AttentionDims dims = attention_dims(layer);
  ProblemsAt inner(problems, "attention");
  attention->check(dims, inner);
  if (is_context_of_values(*attention, dims, dims.source.value)) return;
  problems.add("attention",
               fmt::format("a weighted sum of the states, of width {}, takes the place of the last "
                           "state, but the context vector of {} is none: use another attention",
                           dims.source.value, attention->type));
}

}  // namespace heed
