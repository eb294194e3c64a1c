// Functions exported by the library. libtorch's own exceptions do not leave them.
#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include "nn/torch.h"

#include <charconv>
#include <new>

#include "base/address_space.h"
#include "base/error.h"
#include "base/log.h"
#include "cli/commands/run.h"
#include "cli/tensor_library.h"
#include "cli/tensors/network_attention_maps.h"
#include "network/load_network.h"
#include "nn/torch_errors.h"

namespace heed {

namespace {

struct Run {
  int operator()(const TrainOptions& options) const { return run_train(options); }
  int operator()(const ScoreOptions& options) const { return run_score(options); }
  int operator()(const InspectOptions& options) const { return run_inspect(options); }
  int operator()(const AverageOptions& options) const { return run_average(options); }
  int operator()(const CheckOptions& options) const { return run_check(options); }
  int operator()(const PlotAttentionOptions& options) const { return run_plot_attention(options); }
  int operator()(const ImportOptions& options) const { return run_import(options); }
  int operator()(const ExportOptions& options) const { return run_export(options); }
};

// Describes the work of a command that ran out of memory, and how to use less.
struct OutOfMemory {
  std::string operator()(const TrainOptions&) const {
    return "training; smaller batches (train.batch), fewer workers or a smaller model need less";
  }
  std::string operator()(const PlotAttentionOptions&) const {
    return "drawing the attention of a line; a shorter one, or a smaller --beam, needs less";
  }
  std::string operator()(const ScoreOptions&) const {
    return "scoring; smaller batches (--batch) or fewer --workers need less";
  }
  std::string operator()(const InspectOptions&) const { return "loading the model"; }
  std::string operator()(const AverageOptions&) const { return "averaging models"; }
  std::string operator()(const ImportOptions&) const { return "importing a model"; }
  std::string operator()(const ExportOptions&) const { return "exporting a model"; }
  std::string operator()(const CheckOptions&) const { return "checking the config"; }
};

[[noreturn]] void fail_for_memory(const TensorCommand& command, const std::string& asked = "") {
  throw_error(ErrorKind::kFailure, "out of memory{} while {}{}", asked,
              std::visit(OutOfMemory(), command), address_space_advice());
}

// " (4,800,000,000 bytes at once)" if the allocator's message has the number.
std::string asked_for(std::string_view message) {
  constexpr std::string_view kBefore = "tried to allocate ";
  const size_t found = message.find(kBefore);
  if (found == std::string_view::npos) return "";
  const std::string_view number = message.substr(found + kBefore.size());
  int64_t bytes = 0;
  std::from_chars(number.data(), number.data() + number.size(), bytes);
  return bytes > 0 ? fmt::format(" ({} bytes at once)", format_count(bytes)) : "";
}

// Workers share the cores; each operation uses one thread. Two threads inside one operation are
// slower than one as soon as anything else runs, and they split sums differently each time.
void compute_in_one_thread() { at::set_num_threads(1); }

}  // namespace

}  // namespace heed

extern "C" int heed_run_with_tensors(const heed::TensorCommand& command) {
  try {
    heed::compute_in_one_thread();
    return std::visit(heed::Run(), command);
  } catch (const c10::Error& error) {
    if (heed::is_out_of_memory(error))
      heed::fail_for_memory(command, heed::asked_for(error.what_without_backtrace()));
    heed::rethrow_known();
  } catch (const std::bad_alloc&) {
    heed::fail_for_memory(command);
  }
}

extern "C" void heed_load_with_tensors(const heed::ModelRequest& request, heed::TextModel& model) {
  model = heed::load_network(request);
}

extern "C" void heed_load_attention_maps(const heed::ModelRequest& request,
                                         std::unique_ptr<heed::AttentionMapsSource>& maps) {
  heed::compute_in_one_thread();
  maps = heed::with_known_errors([&] { return heed::network_attention_maps(request); });
}
