// How the lines of a pair become what a model learns from.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/example.h"
#include "text/codec.h"

namespace heed {

struct PairEncoder {
  // A line of edges, and where it stands, for messages.
  struct EdgesLine {
    std::string line, place;
  };

  std::vector<std::shared_ptr<const Codec>> codecs;  // of each source, then of the target
  bool copies = false;  // whether the target may be copied from the first source

  // lines: of each side, well-formed; of each the first `longest` pieces are taken. Throws what
  // read_edges throws.
  Example encode(const std::vector<std::string>& lines, const std::optional<EdgesLine>& edges = {},
                 int64_t longest = std::numeric_limits<int64_t>::max()) const;
};

}  // namespace heed
