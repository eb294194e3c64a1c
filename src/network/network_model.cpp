#include "network/network_model.h"

#include <utility>

#include "nn/torch.h"

#include "load/text_models.h"

namespace heed {

NetworkModel network_model(std::vector<LoadedModel> models) {
  std::vector<const ModelText*> texts;
  for (const LoadedModel& model : models) texts.push_back(&model);
  NetworkModel result{text_model(texts), {}, {}};
  result.on_gpu = !models.front().network->device().is_cpu();
  for (const LoadedModel& model : models) {
    result.networks.push_back(model.network);
    auto shape = engine_shape(model.config);
    if (shape) set_markers(*shape, markers_of(model.codecs));
    result.shapes.push_back(std::move(shape));
    result.source_ends.push_back(model.config.model.source_end);
  }
  return result;
}

SourceBatches source_batches(const NetworkModel& model, const std::vector<EncodedLine>& lines,
                             const std::vector<size_t>& chosen) {
  std::vector<const Example*> examples;
  for (const size_t line : chosen) examples.push_back(&lines[line].example);
  return source_batches(examples, model.sources, model.device());
}

}  // namespace heed
