#include "nn/module.h"

#include "nn/torch.h"

namespace heed {

Tensor Module::add_parameter(const std::string& name, c10::IntArrayRef shape, const Init& init) {
  inits_[name] = init;
  return register_parameter(
      name, init.draw == Init::Draw::kNone ? torch::full(shape, init.value) : torch::empty(shape));
}

void for_each_module(torch::nn::Module& root,
                     const std::function<void(Module&, const std::string&)>& visit) {
  if (auto* module = dynamic_cast<Module*>(&root)) visit(*module, "");
  for (const auto& item : root.named_modules("", /*include_self=*/false)) {
    if (auto* module = dynamic_cast<Module*>(item.value().get())) visit(*module, item.key() + ".");
  }
}

}  // namespace heed
