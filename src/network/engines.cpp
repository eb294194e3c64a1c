#include "network/engines.h"

#include "nn/torch.h"

#include <optional>
#include <string>

#include "base/error.h"
#include "base/fast_paths.h"
#include "network/model_engine.h"
#include "nn/numbers.h"

namespace heed {

namespace {

// Reason why no engine of inference/ computes the model; nullopt if one does.
std::optional<std::string> reason_against(const NetworkModel& model) {
  if (!fast_paths()) return "HEED_PLAIN=1 switches it off";
  if (!model.device().is_cpu()) return "the model is on a GPU; choose the device cpu";
  if (model.networks.size() > 1) return "an ensemble has none";
  if (!model.shape) return "this model is another";
  if (model.networks[0]->parameters().front().scalar_type() != torch::kFloat)
    return "the parameters are not float32";
  return std::nullopt;
}

std::unique_ptr<const Engine> engine_without_tensors(const NetworkModel& model,
                                                     Precision precision) {
  const auto parameters = model.networks[0]->named_parameters();
  const Weights weights = [&parameters](const std::string& name) -> Array {
    const Tensor* found = parameters.find(name);
    if (found == nullptr) return {};
    return {found->sizes().vec(), numbers_of<float>(*found)};
  };
  return build_engine(*model.shape, weights, precision);
}

}  // namespace

std::unique_ptr<const Engine> make_engine(const NetworkModel& model, Precision precision) {
  const auto against = reason_against(model);
  if (!against) return engine_without_tensors(model, precision);
  if (precision != Precision::kFloat) {
    throw_error(ErrorKind::kUsage,
                "precision bf16 and int8 are for a standard Transformer or recurrent model on a "
                "CPU, but {}",
                *against);
  }
  return std::make_unique<ModelEngine>(model.networks, model.sources);
}

TextModel with_engine(const NetworkModel& model, Precision precision) {
  TextModel translating = model;
  translating.engine = make_engine(model, precision);
  return translating;
}

}  // namespace heed
