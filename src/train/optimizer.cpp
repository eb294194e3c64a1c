#include "train/optimizer.h"

#include "nn/torch.h"

#include <cmath>

#include "base/error.h"

namespace heed {

namespace {

constexpr const char* kSteps = "steps";

class Sgd final : public Optimizer {
 public:
  Sgd(const ParameterShard& shard, const SgdConfig& config) : Optimizer(shard), config_(config) {
    if (config_.momentum > 0) velocity_ = {remember("velocity")};
  }

 private:
  void apply(double rate) override {
    at::_fused_sgd_({values()}, {gradient()}, velocity_, config_.weight_decay, config_.momentum,
                    rate, /*dampening=*/0, config_.nesterov,
                    /*maximize=*/false, /*is_first_step=*/false);
  }

  SgdConfig config_;
  std::vector<Tensor> velocity_;
};

// g + weight_decay · p
Tensor penalized(const ParameterShard& shard, double weight_decay) {
  return weight_decay == 0 ? shard.gradient() : shard.gradient().add(shard.values(), weight_decay);
}

class Adagrad final : public Optimizer {
 public:
  Adagrad(const ParameterShard& shard, const AdagradConfig& config)
      : Optimizer(shard), config_(config), sum_(remember("sum")) {
    sum_.fill_(config.initial);
  }

 private:
  void apply(double rate) override {
    const Tensor gradient = penalized(shard_, config_.weight_decay);
    sum_.addcmul_(gradient, gradient);
    values().addcdiv_(gradient, sum_.sqrt().add_(config_.epsilon), -rate);
  }

  AdagradConfig config_;
  Tensor sum_;
};

class Rmsprop final : public Optimizer {
 public:
  Rmsprop(const ParameterShard& shard, const RmspropConfig& config)
      : Optimizer(shard), config_(config), square_(remember("square")) {
    if (config_.momentum > 0) velocity_ = remember("velocity");
  }

 private:
  void apply(double rate) override {
    const Tensor gradient = penalized(shard_, config_.weight_decay);
    square_.mul_(config_.decay).addcmul_(gradient, gradient, 1 - config_.decay);
    const Tensor root = square_.sqrt().add_(config_.epsilon);
    if (velocity_.defined()) {
      velocity_.mul_(config_.momentum).addcdiv_(gradient, root);
      values().add_(velocity_, -rate);
    } else {
      values().addcdiv_(gradient, root, -rate);
    }
  }

  RmspropConfig config_;
  Tensor square_, velocity_;
};

class Adadelta final : public Optimizer {
 public:
  Adadelta(const ParameterShard& shard, const AdadeltaConfig& config)
      : Optimizer(shard),
        config_(config),
        square_(remember("square")),
        update_(remember("update")) {}

 private:
  void apply(double rate) override {
    const Tensor gradient = penalized(shard_, config_.weight_decay);
    square_.mul_(config_.decay).addcmul_(gradient, gradient, 1 - config_.decay);
    const Tensor root = square_.add(config_.epsilon).sqrt_();
    const Tensor delta = update_.add(config_.epsilon).sqrt_().div_(root).mul_(gradient);
    update_.mul_(config_.decay).addcmul_(delta, delta, 1 - config_.decay);
    values().add_(delta, -rate);
  }

  AdadeltaConfig config_;
  Tensor square_, update_;
};

class Adam final : public Optimizer {
 public:
  Adam(const ParameterShard& shard, const AdaptiveConfig& config, bool decoupled)
      : Optimizer(shard),
        beta1_(config.beta1),
        beta2_(config.beta2),
        epsilon_(config.epsilon),
        weight_decay_(config.weight_decay),
        decoupled_(decoupled),
        mean_(remember("mean")),
        square_(remember("square")) {}

 private:
  void apply(double rate) override {
    const Tensor steps =
        torch::full({}, static_cast<double>(steps_), torch::kFloat).to(values().device());
    using Function =
        void (*)(at::TensorList, at::TensorList, at::TensorList, at::TensorList, at::TensorList,
                 at::TensorList, double, double, double, double, double, bool, bool,
                 const std::optional<Tensor>&, const std::optional<Tensor>&);
    const Function adam = decoupled_ ? static_cast<Function>(at::_fused_adamw_)
                                     : static_cast<Function>(at::_fused_adam_);
    adam({values()}, {gradient()}, {mean_}, {square_}, {}, {steps}, rate, beta1_, beta2_,
         weight_decay_, epsilon_, /*amsgrad=*/false, /*maximize=*/false, {}, {});
  }

  double beta1_, beta2_, epsilon_, weight_decay_;
  bool decoupled_;
  Tensor mean_, square_;
};

}  // namespace

double Optimizer::gradient_norm() {
  shard_.parameters().clear_frozen_gradient();
  return norm_of(shard_.parameters().gradient());
}

void Optimizer::step(double rate, double scale) {
  const torch::NoGradGuard no_grad;
  shard_.parameters().clear_frozen_gradient();
  if (scale != 1) gradient().mul_(scale);
  ++steps_;
  apply(rate);
  shard_.share_values();
  shard_.parameters().restore_frozen();
}

bool Optimizer::parameters_are_finite() {
  return std::isfinite(norm_of(shard_.parameters().values()));
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

std::unique_ptr<Optimizer> SgdConfig::build(const ParameterShard& shard) const {
  return std::make_unique<Sgd>(shard, *this);
}

std::unique_ptr<Optimizer> AdagradConfig::build(const ParameterShard& shard) const {
  return std::make_unique<Adagrad>(shard, *this);
}

std::unique_ptr<Optimizer> RmspropConfig::build(const ParameterShard& shard) const {
  return std::make_unique<Rmsprop>(shard, *this);
}

std::unique_ptr<Optimizer> AdadeltaConfig::build(const ParameterShard& shard) const {
  return std::make_unique<Adadelta>(shard, *this);
}

std::unique_ptr<Optimizer> AdamConfig::build(const ParameterShard& shard) const {
  return std::make_unique<Adam>(shard, *this, false);
}

std::unique_ptr<Optimizer> AdamWConfig::build(const ParameterShard& shard) const {
  return std::make_unique<Adam>(shard, *this, true);
}

}  // namespace heed
