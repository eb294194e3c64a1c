#include "train/optimizer.h"

#include "nn/torch.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace heed {

namespace {

constexpr const char* kSteps = "steps";

class Sgd final : public ElementwiseOptimizer {
 public:
  Sgd(const ParameterShard& shard, const SgdConfig& config)
      : ElementwiseOptimizer(shard), config_(config) {
    if (config_.momentum > 0) velocity_ = remember("velocity");
  }

 private:
  void update(const Block& block, double rate) const override {
    std::vector<Tensor> velocity;
    if (velocity_.defined()) velocity = {block.of(velocity_)};
    at::_fused_sgd_({block.values}, {block.gradient}, velocity, config_.weight_decay,
                    config_.momentum, rate, /*dampening=*/0, config_.nesterov,
                    /*maximize=*/false, /*is_first_step=*/false);
  }

  SgdConfig config_;
  Tensor velocity_;
};

// g + weight_decay · p
Tensor penalized(const Tensor& gradient, const Tensor& values, double weight_decay) {
  return weight_decay == 0 ? gradient : gradient.add(values, weight_decay);
}

class Adagrad final : public ElementwiseOptimizer {
 public:
  Adagrad(const ParameterShard& shard, const AdagradConfig& config)
      : ElementwiseOptimizer(shard), config_(config), sum_(remember("sum")) {
    sum_.fill_(config.initial);
  }

 private:
  void update(const Block& block, double rate) const override {
    const Tensor gradient = penalized(block.gradient, block.values, config_.weight_decay);
    const Tensor sum = block.of(sum_).addcmul_(gradient, gradient);
    Tensor(block.values).addcdiv_(gradient, sum.sqrt().add_(config_.epsilon), -rate);
  }

  AdagradConfig config_;
  Tensor sum_;
};

class Rmsprop final : public ElementwiseOptimizer {
 public:
  Rmsprop(const ParameterShard& shard, const RmspropConfig& config)
      : ElementwiseOptimizer(shard), config_(config), square_(remember("square")) {
    if (config_.momentum > 0) velocity_ = remember("velocity");
  }

 private:
  void update(const Block& block, double rate) const override {
    const Tensor gradient = penalized(block.gradient, block.values, config_.weight_decay);
    const Tensor square =
        block.of(square_).mul_(config_.decay).addcmul_(gradient, gradient, 1 - config_.decay);
    const Tensor root = square.sqrt().add_(config_.epsilon);
    Tensor values = block.values;
    if (velocity_.defined()) {
      values.add_(block.of(velocity_).mul_(config_.momentum).addcdiv_(gradient, root), -rate);
    } else {
      values.addcdiv_(gradient, root, -rate);
    }
  }

  RmspropConfig config_;
  Tensor square_, velocity_;
};

class Adadelta final : public ElementwiseOptimizer {
 public:
  Adadelta(const ParameterShard& shard, const AdadeltaConfig& config)
      : ElementwiseOptimizer(shard),
        config_(config),
        square_(remember("square")),
        update_(remember("update")) {}

 private:
  void update(const Block& block, double rate) const override {
    const Tensor gradient = penalized(block.gradient, block.values, config_.weight_decay);
    Tensor square = block.of(square_), update = block.of(update_);
    square.mul_(config_.decay).addcmul_(gradient, gradient, 1 - config_.decay);
    const Tensor root = square.add(config_.epsilon).sqrt_();
    const Tensor delta = update.add(config_.epsilon).sqrt_().div_(root).mul_(gradient);
    update.mul_(config_.decay).addcmul_(delta, delta, 1 - config_.decay);
    Tensor(block.values).add_(delta, -rate);
  }

  AdadeltaConfig config_;
  Tensor square_, update_;
};

class Adam final : public ElementwiseOptimizer {
 public:
  Adam(const ParameterShard& shard, const AdaptiveConfig& config, bool decoupled)
      : ElementwiseOptimizer(shard),
        beta1_(config.beta1),
        beta2_(config.beta2),
        epsilon_(config.epsilon),
        weight_decay_(config.weight_decay),
        decoupled_(decoupled),
        mean_(remember("mean")),
        square_(remember("square")) {}

 private:
  void update(const Block& block, double rate) const override {
    const Tensor steps =
        torch::full({}, static_cast<double>(steps_), torch::kFloat).to(block.values.device());
    using Function =
        void (*)(at::TensorList, at::TensorList, at::TensorList, at::TensorList, at::TensorList,
                 at::TensorList, double, double, double, double, double, bool, bool,
                 const std::optional<Tensor>&, const std::optional<Tensor>&);
    const Function adam = decoupled_ ? static_cast<Function>(at::_fused_adamw_)
                                     : static_cast<Function>(at::_fused_adam_);
    adam({block.values}, {block.gradient}, {block.of(mean_)}, {block.of(square_)}, {}, {steps},
         rate, beta1_, beta2_, weight_decay_, epsilon_, /*amsgrad=*/false, /*maximize=*/false, {},
         {});
  }

  double beta1_, beta2_, epsilon_, weight_decay_;
  bool decoupled_;
  Tensor mean_, square_;
};

}  // namespace

double Optimizer::gradient_norm() {
  shard_.parameters().clear_frozen_gradient();
  return shard_.parameters().norm(shard_.parameters().gradient());
}

void Optimizer::step(double rate, double scale) {
  const torch::NoGradGuard no_grad;
  shard_.parameters().clear_frozen_gradient();
  ++steps_;
  apply(rate, scale);
  shard_.share_values();
  shard_.parameters().restore_frozen();
}

std::optional<std::string> Optimizer::not_finite() {
  FlatParameters& parameters = shard_.parameters();
  if (!std::isfinite(parameters.norm(parameters.values()))) return "a parameter";
  const bool has_finite_state =
      std::ranges::all_of(
          slots_, [&](const Slot& slot) { return std::isfinite(parameters.norm(slot.buffer)); }) &&
      std::ranges::all_of(others_,
                          [](const auto& other) { return std::isfinite(norm_of(other.second)); });
  return has_finite_state ? std::nullopt : std::optional("the state of the optimizer");
}

Tensor Optimizer::remember(const std::string& name) {
  slots_.push_back({name, torch::zeros_like(values())});
  return slots_.back().buffer;
}

Tensor Optimizer::remember(const std::string& name, const std::string& parameter,
                           const std::vector<int64_t>& shape) {
  return others_[name + "." + parameter] = torch::zeros(shape, values().options());
}

void Optimizer::collect() {
  if (shard_.is_whole()) return;
  for (Slot& slot : slots_) slot.whole = shard_.gather(slot.buffer);
}

void Optimizer::release() {
  for (Slot& slot : slots_) slot.whole = Tensor();
}

NamedTensors Optimizer::state() const {
  NamedTensors state{{kSteps, torch::tensor(steps_, torch::kLong)}};
  for (const Slot& slot : slots_) {
    HEED_CHECK(shard_.is_whole() || slot.whole.defined(), "the state of one shard");
    state.merge(by_parameter(slot, shard_.is_whole() ? slot.buffer : slot.whole));
  }
  state.insert(others_.begin(), others_.end());
  return state;
}

NamedTensors Optimizer::by_parameter(const Slot& slot, const Tensor& whole) const {
  return shard_.parameters().named(whole, slot.name + ".");
}

NamedTensors Optimizer::layout() const {
  NamedTensors layout{{kSteps, torch::tensor(steps_, torch::kLong)}};
  for (const Slot& slot : slots_) layout.merge(by_parameter(slot, shard_.parameters().values()));
  layout.insert(others_.begin(), others_.end());
  return layout;
}

void Optimizer::load_state(const NamedTensors& state, const std::string& where) {
  const NamedTensors own = layout();
  for (const auto& [name, tensor] : own) {
    const auto found = state.find(name);
    if (found == state.end() || found->second.sizes() != tensor.sizes()) {
      throw_error(ErrorKind::kModel,
                  "{}: {} is {}; the state belongs to another model or optimizer", where, name,
                  found == state.end() ? "missing" : "of another shape");
    }
  }
  if (own.size() != state.size()) {
    throw_error(ErrorKind::kModel,
                "{}: {} tensors, expected {}; the state belongs to another "
                "optimizer",
                where, state.size(), own.size());
  }
  const torch::NoGradGuard no_grad;
  steps_ = state.at(kSteps).item<int64_t>();
  for (const Slot& slot : slots_) load_slot(slot, state);
  for (const auto& [name, tensor] : others_) Tensor(tensor).copy_(state.at(name));
}

void Optimizer::load_slot(const Slot& slot, const NamedTensors& state) const {
  const Tensor whole =
      shard_.is_whole() ? slot.buffer : torch::zeros_like(shard_.parameters().values());
  for (const auto& [name, view] : by_parameter(slot, whole)) Tensor(view).copy_(state.at(name));
  if (!shard_.is_whole()) Tensor(slot.buffer).copy_(shard_.of(whole));
}

void ElementwiseOptimizer::apply(double rate, double scale) {
  const Tensor all_values = values(), all_gradient = gradient();
  shard_.parameters().in_blocks(all_values.numel(), [&](const BufferPart& part) {
    Tensor own = slice_of(all_gradient, part);
    if (scale != 1) own.mul_(scale);
    update({part, slice_of(all_values, part), own}, rate);
  });
}

std::unique_ptr<Optimizer> builders::sgd(const OptimizerConfig& config,
                                         const ParameterShard& shard) {
  return std::make_unique<Sgd>(shard, settings_as<SgdConfig>(config));
}

std::unique_ptr<Optimizer> builders::adagrad(const OptimizerConfig& config,
                                             const ParameterShard& shard) {
  return std::make_unique<Adagrad>(shard, settings_as<AdagradConfig>(config));
}

std::unique_ptr<Optimizer> builders::rmsprop(const OptimizerConfig& config,
                                             const ParameterShard& shard) {
  return std::make_unique<Rmsprop>(shard, settings_as<RmspropConfig>(config));
}

std::unique_ptr<Optimizer> builders::adadelta(const OptimizerConfig& config,
                                              const ParameterShard& shard) {
  return std::make_unique<Adadelta>(shard, settings_as<AdadeltaConfig>(config));
}

std::unique_ptr<Optimizer> builders::adam(const OptimizerConfig& config,
                                          const ParameterShard& shard) {
  return std::make_unique<Adam>(shard, settings_as<AdamConfig>(config), false);
}

std::unique_ptr<Optimizer> builders::adamw(const OptimizerConfig& config,
                                           const ParameterShard& shard) {
  return std::make_unique<Adam>(shard, settings_as<AdamWConfig>(config), true);
}

std::unique_ptr<Optimizer> build(const OptimizerConfig& config, const ParameterShard& shard) {
  static const BuilderTable<OptimizerConfig> table{
#define KIND(Config, optimizer) {kinds::optimizer().name, builders::optimizer},
#include "train/optimizers.def"
#undef KIND
  };
  return builder_of(table, config)(config, shard);
}

}  // namespace heed
