// The network of a model of CTranslate2: the `model` section of a config, and its parameters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "exchange/ctranslate2_text.h"
#include "exchange/ctranslate2_weights.h"
#include "model/safetensors.h"

namespace heed {

struct CTranslate2Network {
  std::string config;    // YAML
  NamedTensors tensors;  // by the names of heed
  // Rows of the tables of learned positions.
  std::optional<int64_t> source_positions, target_positions;
};

// Throws Error(kModel) that names all that heed does not have, what is missing, or whatever variable
// has no use.
CTranslate2Network read_ctranslate2_network(CTranslate2Weights& weights,
                                            const CTranslate2Text& text, bool source_end);

}  // namespace heed
