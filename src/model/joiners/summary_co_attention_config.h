// Settings of the joiners alternating_co_attention, parallel_co_attention and attentive_pooling
// (summary_co_attention.cpp).
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "model/joiner_config.h"

namespace heed {

// Each of two sources becomes a row.
struct SummariesConfig : JoinerConfig {
  void check(const AllSourceDims& sources, Problems& problems) const override;
  AllSourceDims dims(const AllSourceDims& sources) const override;
};

struct SummaryCoAttentionConfig final : SummariesConfig {
  int64_t hidden = 512;
  double dropout = 0;
  std::optional<std::string> first;  // Q; none: the first by name
  void fields(Fields& f) override;
  void check(const AllSourceDims& sources, Problems& problems) const override;
  // The names of Q and V.
  std::pair<std::string, std::string> order(const AllSourceDims& sources) const;
};

struct AttentivePoolingConfig final : SummariesConfig {
  void fields(Fields&) override {}
};

}  // namespace heed
