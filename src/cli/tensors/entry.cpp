#include "cli/tensors/entry.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include "nn/torch.h"

#include <charconv>
#include <new>

#include "base/address_space.h"
#include "base/error.h"
#include "base/log.h"
#include "cli/serve/tensors/network_attention_maps.h"
#include "cli/tensor_library.h"
#include "network/load_network.h"
#include "nn/torch_errors.h"

namespace heed {

namespace {

[[noreturn]] void fail_for_memory(const char* work, const std::string& asked = "") {
  throw_error(ErrorKind::kFailure, "out of memory{} while {}{}", asked, work,
              address_space_advice());
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

int run_tensor_command(const std::function<int()>& command, const char* work) {
  try {
    compute_in_one_thread();
    return command();
  } catch (const c10::Error& error) {
    if (is_out_of_memory(error)) fail_for_memory(work, asked_for(error.what_without_backtrace()));
    rethrow_known();
  } catch (const std::bad_alloc&) {
    fail_for_memory(work);
  }
}

}  // namespace heed

extern "C" void heed_load_with_tensors(const heed::ModelRequest& request, heed::TextModel& model) {
  model = heed::load_network(request);
}

extern "C" void heed_load_attention_maps(const heed::ModelRequest& request,
                                         std::unique_ptr<heed::AttentionMapsSource>& maps) {
  heed::compute_in_one_thread();
  maps = heed::with_known_errors([&] { return heed::network_attention_maps(request); });
}
