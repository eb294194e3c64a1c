// How the lines of a pair become what a model learns from.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/example.h"
#include "data/tags.h"
#include "text/codec.h"

namespace heed {

struct PairEncoder {
  // A line of edges, and where it stands, for messages.
  struct EdgesLine {
    std::string line, place;
  };
  using Pieces = std::vector<std::string>;
  static constexpr int64_t kWhole = std::numeric_limits<int64_t>::max();

  std::vector<std::shared_ptr<const Codec>> codecs;  // of each source, then of the target
  std::optional<size_t> copied{};  // the number of the source that the target may be copied from
  Writes writes = Writes::kAnything;
  Tags tags{};  // all that there are, for who reads a line of them

  // Pieces that are taken of a line.
  struct Longest {
    int64_t source = kWhole, target = kWhole;
  };
  // lines: of each side, well-formed; of each the first pieces are taken. Throws what read_edges
  // throws.
  Example encode(const std::vector<std::string>& lines, const std::optional<EdgesLine>& edges,
                 const Longest& longest) const;
  Example encode(const std::vector<std::string>& lines,
                 const std::optional<EdgesLine>& edges = {}) const {
    return encode(lines, edges, Longest());
  }
  // The same without a target. pieces, if given: receives those of each source.
  Example encode_sources(const std::vector<std::string>& lines,
                         const std::optional<EdgesLine>& edges = {}, int64_t longest = kWhole,
                         std::vector<Pieces>* pieces = nullptr) const;
  // Whether the target can be what the model writes.
  bool can_be_written(const Example& example) const;
  // A target of these sources. pieces, if given: receives its own.
  Ids encode_target(const std::string& line, const Example& sources, int64_t longest = kWhole,
                    Pieces* pieces = nullptr) const;
};

}  // namespace heed
