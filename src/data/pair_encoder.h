// How the lines of a pair become what a model learns from.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/annotations.h"
#include "data/example.h"
#include "data/source_factors.h"
#include "data/tags.h"
#include "text/codec.h"

namespace heed {

inline constexpr int64_t kWholeLine = std::numeric_limits<int64_t>::max();

// The most pieces that are taken of a line.
struct LengthLimits {
  int64_t source = kWholeLine, target = kWholeLine;
};

// Tokenized lines.
struct Tokens {
  std::vector<Ids> ids;                          // of each side
  std::vector<std::vector<std::string>> pieces;  // that they stand for
};

struct PairEncoder {
  using Pieces = std::vector<std::string>;

  std::vector<std::shared_ptr<const Codec>> codecs;  // of each source, then of the target
  std::optional<size_t> copied{};  // the number of the source that the target may be copied from
  size_t aligned = 0;              // the number of the source that word alignments are of
  Writes writes = Writes::kAnything;
  Tags tags{};                          // all that there are, for who reads a line of them
  std::vector<SourceFactor> factors{};  // by name

  // lines: of each side, well-formed; of each the first pieces are taken. annotations: of all
  // factors. Throws what read_edges(), read_word_alignment() and read_labels() throw.
  Example encode(const std::vector<std::string>& lines, const Annotations& annotations = {},
                 const LengthLimits& limits = {}) const;
  // The same without a target. pieces, if given: receives those of each source.
  Example encode_sources(const std::vector<std::string>& lines, const Annotations& annotations = {},
                         int64_t longest = kWholeLine, std::vector<Pieces>* pieces = nullptr) const;
  // What encode() does once the lines are tokenized.
  Tokens tokenize(const std::vector<std::string>& lines) const;
  Example example(const std::vector<std::string>& lines, Tokens tokens,
                  const Annotations& annotations, const LengthLimits& limits) const;
  // Whether the target can be what the model writes.
  bool can_be_written(const Example& example) const;
  // A target of these sources. pieces, if given: receives its own.
  Ids encode_target(const std::string& line, const Example& sources, int64_t longest = kWholeLine,
                    Pieces* pieces = nullptr) const;

 private:
  Example example_of_sources(const std::vector<std::string>& lines, Tokens& tokens,
                             const Annotations& annotations, int64_t longest) const;
  Ids target_ids(Ids ids, const Pieces& pieces, const Example& sources) const;
  SentenceText sentence(size_t side, const std::vector<std::string>& lines,
                        const Tokens& tokens) const;
};

}  // namespace heed
