#include "cli/serve/tensors/network_attention_maps.h"

#include "cli/plot/tensors/attention_maps.h"
#include "network/network_path.h"
#include "nn/torch_errors.h"

namespace heed {

namespace {

class NetworkAttentionMaps final : public AttentionMapsSource {
 public:
  explicit NetworkAttentionMaps(NetworkModel model) : model_(std::move(model)) {}

  std::vector<AttentionMap> maps(const SourceLine& line, const std::string& target) const override {
    return with_known_errors([&] {
      const EncodedLine source = encode_line(model_, line, 1);
      std::vector<AttentionMap> maps;
      if (source.is_empty()) return maps;
      for (PlacedMap& placed :
           by_place(attention_maps(model_, source, encode_target(model_, target, source))))
        maps.push_back(std::move(placed.map));
      return maps;
    });
  }
  int64_t bytes() const override {
    int64_t bytes = 0;
    for (const auto& network : model_.networks)
      for (const Tensor& parameter : network->parameters())
        bytes += static_cast<int64_t>(parameter.nbytes());
    return bytes;
  }

 private:
  const NetworkModel model_;
};

}  // namespace

std::unique_ptr<AttentionMapsSource> network_attention_maps(const ModelRequest& request) {
  return std::make_unique<NetworkAttentionMaps>(load_network_model(request.paths, request.device));
}

}  // namespace heed
