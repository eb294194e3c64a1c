// The attention maps of lines of a text, for `heed plot attention`.
#pragma once

#include <cstddef>
#include <vector>

#include "cli/options.h"
#include "cli/plot/options.h"
#include "report/attention_map.h"

namespace heed {

struct LineMaps {
  AttentionMap chosen;            // by --layer and --head, with the title of the line
  std::vector<AttentionMap> all;  // by place; of several lines with their titles and numbers
  size_t selected = 0;            // the chosen one of them
};

// Maps of the lines that the options name, in their order. The targets are the model's own
// translations, unless others are given. Throws Error(kData) for a line that is not there, is empty or is too long to be drawn, and
// what loading a model and choose_map() throw.
std::vector<LineMaps> maps_of_lines(const PlotAttentionOptions& options);

}  // namespace heed
