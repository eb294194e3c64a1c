// Attention of single layers in place of that of all: `1-3: {…}` or `4: {…}`, counted from 1.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "nn/attention/staged.h"

namespace heed {

struct LayerAttention {
  std::shared_ptr<AttentionConfig> attention = StagedConfig::with("scaled_dot", kBlockHeads);
};
using LayerAttentions = std::map<std::string, LayerAttention>;

// f.map("…", layers, …) lists each as a kind: no level of its own in the file.
template <>
void Fields::map<LayerAttention>(const char* name, const LayerAttentions& values, const char* help);

// The one of a layer, counted from 0, else that of all.
const std::shared_ptr<AttentionConfig>& attention_of_layer(
    int64_t layer, const LayerAttentions& layers, const std::shared_ptr<AttentionConfig>& all);

// Checks each; and finds keys that are no layers of `count`, and layers with two attentions. Paths
// are relative to `layers`.
void check_each(const LayerAttentions& layers, int64_t count, Problems& problems,
                const std::function<void(const AttentionConfig&, Problems&)>& check);

}  // namespace heed
