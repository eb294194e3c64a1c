// How the lines of a pair become what a model learns from.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/annotations.h"
#include "data/example.h"
#include "data/tags.h"
#include "text/codec.h"

namespace heed {

inline constexpr int64_t kWholeLine = std::numeric_limits<int64_t>::max();

// The most pieces that are taken of a line.
struct LengthLimits {
  int64_t source = kWholeLine, target = kWholeLine;
};

struct PairEncoder {
  using Pieces = std::vector<std::string>;

  std::vector<std::shared_ptr<const Codec>> codecs;  // of each source, then of the target
  std::optional<size_t> copied{};  // the number of the source that the target may be copied from
  size_t aligned = 0;              // the number of the source that word alignments are of
  Writes writes = Writes::kAnything;
  Tags tags{};  // all that there are, for who reads a line of them

  // lines: of each side, well-formed; of each the first pieces are taken. Throws what read_edges()
  // and read_word_alignment() throw.
  Example encode(const std::vector<std::string>& lines, const Annotations& annotations = {},
                 const LengthLimits& limits = {}) const;
  // The same without a target. pieces, if given: receives those of each source.
  Example encode_sources(const std::vector<std::string>& lines,
                         const std::optional<Annotation>& edges = {}, int64_t longest = kWholeLine,
                         std::vector<Pieces>* pieces = nullptr) const;
  // Whether the target can be what the model writes.
  bool can_be_written(const Example& example) const;
  // A target of these sources. pieces, if given: receives its own.
  Ids encode_target(const std::string& line, const Example& sources, int64_t longest = kWholeLine,
                    Pieces* pieces = nullptr) const;
  // The links between all pieces of these lines.
  PiecePairs read_alignment(const std::vector<std::string>& lines,
                            const Annotation& alignment) const;
};

}  // namespace heed
