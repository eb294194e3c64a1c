#include "network/engines.h"

#include "nn/torch.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fast_paths.h"
#include "inference/ensemble_engine.h"
#include "network/model_engine.h"
#include "nn/numbers.h"

namespace heed {

namespace {

// Reason why no engine of inference/ computes the model; nullopt if one does.
std::optional<std::string> reason_against(const NetworkModel& model) {
  if (!fast_paths()) return "HEED_PLAIN=1 switches it off";
  if (!model.device().is_cpu()) return "the model is on a GPU; choose the device cpu";
  for (size_t i = 0; i < model.networks.size(); ++i) {
    if (i >= model.shapes.size() || !model.shapes[i]) return "this model is another";
    if (model.networks[i]->parameters().front().scalar_type() != torch::kFloat)
      return "the parameters are not float32";
  }
  return std::nullopt;
}

std::shared_ptr<const Engine> engine_without_tensors(const Seq2Seq& network,
                                                     const EngineShape& shape,
                                                     Precision precision) {
  const auto parameters = network.named_parameters();
  const Weights weights = [&parameters](const std::string& name) -> Array {
    const Tensor* found = parameters.find(name);
    if (found == nullptr) return {};
    return {found->sizes().vec(), numbers_of<float>(*found)};
  };
  return build_engine(shape, weights, precision);
}

std::shared_ptr<const Engine> engine_without_tensors(const NetworkModel& model,
                                                     Precision precision) {
  std::vector<std::shared_ptr<const Engine>> engines;
  for (size_t i = 0; i < model.networks.size(); ++i)
    engines.push_back(engine_without_tensors(*model.networks[i], *model.shapes[i], precision));
  return ensemble_of(std::move(engines), model.target_codec().vocabulary().size());
}

}  // namespace

std::shared_ptr<const Engine> make_engine(const NetworkModel& model, Precision precision) {
  const auto against = reason_against(model);
  if (!against) return engine_without_tensors(model, precision);
  if (precision != Precision::kFloat) {
    throw_error(ErrorKind::kUsage,
                "precision bf16 and int8 are for models that need no libtorch, on a CPU, but {}",
                *against);
  }
  return std::make_shared<const ModelEngine>(model.networks, model.sources);
}

TextModel with_engine(const NetworkModel& model, Precision precision) {
  TextModel translating = model;
  translating.engine = make_engine(model, precision);
  return translating;
}

}  // namespace heed
