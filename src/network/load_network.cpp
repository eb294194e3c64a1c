#include "network/load_network.h"

#include <ATen/Parallel.h>

#include "nn/torch.h"

#include "load/network_entry.h"
#include "network/engines.h"
#include "network/network_path.h"
#include "nn/torch_errors.h"

namespace heed {

TextModel load_network(const ModelRequest& request) {
  at::set_num_threads(1);  // workers share the cores, not the operations
  return with_known_errors([&] {
    return with_engine(load_network_model(request.paths, request.device),
                       request.precision.value_or(Precision::kFloat));
  });
}

}  // namespace heed

void heed_load_network(const heed::ModelRequest& request, heed::TextModel& model) {
  model = heed::load_network(request);
}
