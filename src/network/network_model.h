// A TextModel with networks of libtorch.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inference/engine_shape.h"
#include "model/saved_model.h"
#include "translate/text_model.h"

namespace heed {

struct NetworkModel : TextModel {
  std::vector<std::shared_ptr<Seq2Seq>> networks;  // several: an ensemble
  std::vector<std::optional<EngineShape>>
      shapes;                       // of each, if an engine of inference/ computes it
  std::vector<bool> source_ends{};  // of each network: whether it reads the end of a source
  torch::Device device() const { return networks.at(0)->device(); }
};

// Without an engine. Error(kModel) if the models of an ensemble differ in sources or vocabularies.
NetworkModel network_model(std::vector<LoadedModel> models);

SourceBatches source_batches(const NetworkModel& model, const std::vector<EncodedLine>& lines,
                             const std::vector<size_t>& chosen);

}  // namespace heed
