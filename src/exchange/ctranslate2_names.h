// Names of the variables of Transformers in the format of CTranslate2.
#pragma once

#include <set>
#include <string>

namespace heed {

// decoder/layer_3/ffn/linear_0/weight -> decoder/layer_N/ffn/linear_0/weight
std::string without_layer_number(const std::string& name);

// The names that heed reads, without their numbers of layers.
const std::set<std::string>& known_ctranslate2_names();

}  // namespace heed
