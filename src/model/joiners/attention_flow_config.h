// Settings of the joiner attention_flow (attention_flow.cpp).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "model/joiner_config.h"

namespace heed {

struct AttentionFlowConfig final : JoinerConfig {
  std::optional<std::string> context;       // none: the first by name
  std::shared_ptr<EncoderConfig> modeling;  // none: the decoder attends to G
  void fields(Fields& f) override;
  void check(const AllSourceDims& sources, Problems& problems) const override;
  AllSourceDims dims(const AllSourceDims& sources) const override;
  // The names of the context and of the query.
  std::pair<std::string, std::string> names(const AllSourceDims& sources) const;
};

}  // namespace heed
