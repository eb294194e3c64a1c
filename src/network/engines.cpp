#include "network/engines.h"

#include "nn/torch.h"

#include "base/error.h"
#include "base/fast_paths.h"
#include "inference/transformer_engine.h"
#include "network/model_engine.h"
#include "nn/numbers.h"

namespace heed {

namespace {

bool has_own_engine(const NetworkModel& model) {
  return model.shape && model.networks.size() == 1 && model.device().is_cpu() &&
         model.networks[0]->parameters().front().scalar_type() == torch::kFloat &&
         kernels().lanes > 1 && fast_paths();
}

std::unique_ptr<const Engine> transformer_engine(const NetworkModel& model, Precision precision) {
  const auto parameters = model.networks[0]->named_parameters();
  const Weights weights = [&parameters](const std::string& name) -> Array {
    const Tensor* found = parameters.find(name);
    if (found == nullptr) return {};
    return {found->sizes().vec(), numbers_of<float>(*found)};
  };
  return std::make_unique<TransformerEngine>(*model.shape, weights, precision);
}

}  // namespace

std::unique_ptr<const Engine> make_engine(const NetworkModel& model, Precision precision) {
  if (has_own_engine(model)) return transformer_engine(model, precision);
  if (precision != Precision::kFloat) {
    throw_error(ErrorKind::kUsage,
                "--precision int8 is for one Transformer with scaled dot products on a CPU{}; "
                "leave it out",
                fast_paths() ? "" : ", and HEED_PLAIN=1 switches it off");
  }
  return std::make_unique<ModelEngine>(model.networks, model.sources);
}

TextModel with_engine(const NetworkModel& model, Precision precision) {
  TextModel translating = model;
  translating.engine = make_engine(model, precision);
  return translating;
}

}  // namespace heed
