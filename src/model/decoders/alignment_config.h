// The attention over the source of a Transformer decoder that alignments are made from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/fields.h"

namespace heed {

struct AlignmentConfig final : Settings {
  std::optional<int64_t> layer;    // counted from 1; none: the last one with weights
  std::vector<std::string> heads;  // numbers, counted from 1; empty: all
  void fields(Fields& f) override;
  // Reports a layer beyond `layers` and heads that are not numbers.
  void check(int64_t layers, Problems& problems) const;
  // Reports heads that the layer, which has `count`, lacks.
  void check_heads(int64_t count, Problems& problems) const;
  // The heads, counted from 0, of a config that passes the checks; empty: all.
  std::vector<int64_t> chosen_heads() const;
};

}  // namespace heed
