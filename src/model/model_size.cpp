#include "model/model_size.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/library.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/size_bound_spec.h"
#include "nn/torch.h"

namespace heed {

namespace {

// Dispatch key that intercepts every operation before it runs, in this thread and during the
// lifetime of OnMetaDevice.
constexpr auto kMode = c10::DispatchKey::TESTING_ONLY_GenericMode;
thread_local int64_t tensors_made = 0;

// Makes tensors on the meta device if an operation names no device: with a shape, but without
// memory. Access to their values is an error.
void make_on_meta(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const c10::impl::ExcludeDispatchKeyGuard as_usual(kMode);
  const auto device = op.schema().argumentIndexWithName("device");
  if (device) {
    if (++tensors_made > kMostTensors)
      throw_error(ErrorKind::kUsage, "the model has more than {} tensors: take fewer layers",
                  kMostTensors);
    c10::IValue& value =
        (*stack)[stack->size() - op.schema().arguments().size() + static_cast<size_t>(*device)];
    if (value.isNone()) value = c10::Device(torch::kMeta);
  }
  op.callBoxed(stack);
  if (!device || stack->empty() || !stack->back().isTensor()) return;
  const Tensor& made = stack->back().toTensor();
  if (made.is_meta()) made.storage().unsafeGetStorageImpl()->set_throw_on_mutable_data_ptr();
}

TORCH_LIBRARY_IMPL(_, TESTING_ONLY_GenericMode, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&make_on_meta>());
}

class OnMetaDevice {
 public:
  OnMetaDevice() { tensors_made = 0; }

 private:
  c10::impl::IncludeDispatchKeyGuard mode_{kMode};
};

bool is_overflow(const c10::Error& error) {
  return std::string_view(error.what_without_backtrace()).find("overflow") !=
         std::string_view::npos;
}

}  // namespace

std::shared_ptr<Seq2Seq> model_without_memory(const ModelConfig& config,
                                              const VocabularySizes& sizes) {
  try {
    const OnMetaDevice meta;
    return std::make_shared<Seq2Seq>(config, sizes, 0);
  } catch (const c10::Error& error) {
    if (!is_overflow(error)) throw;
    throw_error(ErrorKind::kUsage,
                "a parameter of the model would be larger than any memory: take smaller widths");
  }
}

ModelSize size_of_model(const ModelConfig& config, const VocabularySizes& sizes) {
  return size_of_model(*model_without_memory(config, sizes));
}

ModelSize size_of_model(const Seq2Seq& model) {
  ModelSize size;
  double largest = 0;
  for (const auto& item : model.named_parameters()) {
    const auto count = static_cast<double>(item.value().numel());
    size.parameters += count;
    size.bytes += static_cast<double>(item.value().nbytes());
    size.shapes.push_back(item.value().sizes().vec());
    if (count <= largest) continue;
    largest = count;
    size.largest = fmt::format("{} [{}]", item.key(), fmt::join(item.value().sizes(), ","));
  }
  for (const auto& item : model.named_buffers())
    size.bytes += static_cast<double>(item.value().nbytes());
  return size;
}

void check_memory(const ModelSize& size, double copies, const std::string& use, ErrorKind kind) {
  const double needed = size.bytes * copies, there = machine_memory();
  if (needed <= there) return;
  throw_error(kind,
              "the model has {:.0f} parameters, which need {} {}; this machine has {}. The largest "
              "is {}: take smaller widths, fewer layers or a smaller vocabulary",
              size.parameters, format_bytes(needed), use, format_bytes(there), size.largest);
}

}  // namespace heed
