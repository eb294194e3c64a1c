// Attention of single layers, which replaces that of all layers: `1-3: {…}` or `4: {…}`, counted
// from 1.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "nn/attention/staged_config.h"

namespace heed {

struct LayerAttention {
  std::shared_ptr<AttentionConfig> attention = StagedConfig::with("scaled_dot", kBlockHeads);
};
using LayerAttentions = std::map<std::string, LayerAttention>;

// f.map("…", layers, …) lists each entry as a kind, without an additional level in the file.
template <>
void Fields::map<LayerAttention>(const char* name, LayerAttentions& values, const char* help);

// The attention of a layer, counted from 0; `all` if the layer is not listed.
const std::shared_ptr<AttentionConfig>& attention_of_layer(
    int64_t layer, const LayerAttentions& layers, const std::shared_ptr<AttentionConfig>& all);

// Checks each attention. Reports keys outside 1 to `count`, and layers with two attentions. Paths
// are relative to `layers`.
void check_each(const LayerAttentions& layers, int64_t count, Problems& problems,
                const std::function<void(const AttentionConfig&, Problems&)>& check);

}  // namespace heed
