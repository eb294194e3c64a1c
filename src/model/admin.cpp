#include "model/admin.h"

#include <cmath>

#include "nn/torch.h"

#include "nn/admin_profile.h"
#include "nn/residual.h"

namespace heed {

namespace {

// Calls each(connection, is_first) in the order of the layers; is_first: of an encoder or decoder.
template <class Each>
void for_each_omega(Seq2Seq& network, const Each& each) {
  bool is_first = true;
  for_each_module(network, [&](Module& module, const std::string&) {
    if (dynamic_cast<Encoder*>(&module) != nullptr || dynamic_cast<Decoder*>(&module) != nullptr)
      is_first = true;
    auto* connection = dynamic_cast<Residual*>(&module);
    if (connection != nullptr && connection->has_omega())
      each(*connection, std::exchange(is_first, false));
  });
}

}  // namespace

int64_t count_omegas(Seq2Seq& network) {
  int64_t count = 0;
  for_each_omega(network, [&count](Residual&, bool) { ++count; });
  return count;
}

void initialize_omegas(Seq2Seq& network, const std::vector<Example>& sentences,
                       const std::vector<std::string>& sources) {
  const torch::NoGradGuard no_grad;
  for_each_omega(network, [](Residual& connection, bool) { connection.set_omega(1); });
  AdminProfile profile;
  for (const Example& sentence : sentences) {
    State state = network.start(source_batches({&sentence}, sources, network.device()), Pass());
    network.advance(target_batch({sentence.target}, network.device()).inputs, state);
  }
  double sum = 0;
  for_each_omega(network, [&](Residual& connection, bool is_first) {
    const auto variances = profile.of(connection);
    if (!variances) return;  // it was not used
    if (is_first)
      sum = variances->x;
    else
      connection.set_omega(std::sqrt(sum));
    sum += variances->f;
  });
}

}  // namespace heed
