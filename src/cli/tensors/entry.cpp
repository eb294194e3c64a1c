// The one function that the library exports, and the border that libtorch's own errors do not
// cross.
#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include "nn/torch.h"

#include <algorithm>

#include "base/error.h"
#include "cli/tensor_library.h"
#include "cli/tensors/commands.h"

namespace heed {

namespace {

struct Run {
  int operator()(const TrainOptions& options) const { return run_train(options); }
  int operator()(const TranslateOptions& options) const { return run_translate(options); }
  int operator()(const ScoreOptions& options) const { return run_score(options); }
  int operator()(const InspectOptions& options) const { return run_inspect(options); }
  int operator()(const ConfigOptions& options) const { return run_config_command(options); }
  int operator()(const AttentionOptions& options) const { return run_attention(options); }
  int operator()(const PlotAttentionOptions& options) const { return run_plot_attention(options); }
};

// libtorch's messages go on for pages.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

bool is_out_of_memory(const c10::Error& error) {
  const std::string_view message = error.what_without_backtrace();
  return message.find("not enough memory") != std::string_view::npos ||
         message.find("can't allocate memory") != std::string_view::npos ||
         message.find("out of memory") != std::string_view::npos;
}

}  // namespace

torch::Device choose_device(const std::string& name) {
  if (name == "cpu") return torch::kCPU;
  if (name == "auto") return at::hasCUDA() ? torch::kCUDA : torch::kCPU;
  torch::Device device(torch::kCPU);
  try {
    device = torch::Device(name);
  } catch (const c10::Error&) {
    throw_error(ErrorKind::kUsage, "device '{}': expected auto, cpu or cuda:N", name);
  }
  const auto count = static_cast<int64_t>(at::getNumGPUs());
  // Without a number, it is that of the first.
  if (!device.is_cuda() || std::max<int64_t>(0, device.index()) >= count) {
    throw_error(ErrorKind::kUsage, "device '{}': not available, {} GPUs are seen; use cpu or auto",
                name, count);
  }
  return device;
}

}  // namespace heed

extern "C" int heed_run_with_tensors(const heed::TensorCommand& command) {
  try {
    // Workers share the cores, not the operations: two threads inside one operation are slower than
    // one as soon as anything else runs, and how they split a sum is not the same each time.
    at::set_num_threads(1);
    return std::visit(heed::Run(), command);
  } catch (const c10::Error& error) {
    if (heed::is_out_of_memory(error)) throw std::bad_alloc();
    throw heed::InternalError(heed::first_line(error.what_without_backtrace()));
  }
}
