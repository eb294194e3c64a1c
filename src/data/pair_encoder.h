// Converts the lines of a pair to an example that a model is trained on.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/annotations.h"
#include "data/example.h"
#include "data/source_entries.h"
#include "data/source_factors.h"
#include "data/tags.h"
#include "text/codecs.h"

namespace heed {

inline constexpr int64_t kWholeLine = std::numeric_limits<int64_t>::max();

// Maximum number of pieces that are taken from a line.
struct LengthLimits {
  int64_t source = kWholeLine, target = kWholeLine;
};

// Tokenized lines.
struct Tokens {
  std::vector<Ids> ids;                          // of each side
  std::vector<std::vector<std::string>> pieces;  // pieces of these ids
};

struct PairEncoder {
  using Pieces = std::vector<std::string>;

  std::vector<std::shared_ptr<const Codec>> codecs;  // of each source, then of the target
  std::optional<size_t> copied{};  // number of the source that the target can copy from
  // Number of the source with word alignments and supporting facts, and its name in messages.
  size_t aligned = 0;
  std::string aligned_name = "the source";
  WritableTargets writes = WritableTargets::kAnything;
  Tags tags{};                          // all tags, to read lines of tags
  std::vector<SourceFactor> factors{};  // by name
  std::vector<SourceEntries> entries{};

  // lines: one of each side, well-formed; only the first pieces of each are taken. annotations: for
  // all factors. Throws as read_edges(), read_word_alignment(), read_supporting_facts() and
  // read_labels() do.
  Example encode(const std::vector<std::string>& lines, const Annotations& annotations = {},
                 const LengthLimits& limits = {}) const;
  // Encodes a pair without its target. pieces: if given, receives the pieces of each source.
  Example encode_sources(const std::vector<std::string>& lines, const Annotations& annotations = {},
                         int64_t longest = kWholeLine, std::vector<Pieces>* pieces = nullptr) const;
  // Tokenize lines, and make an example of the tokens: the two steps of encode().
  Tokens tokenize(const std::vector<std::string>& lines) const;
  Example example(const std::vector<std::string>& lines, Tokens tokens,
                  const Annotations& annotations, const LengthLimits& limits) const;
  // True if the model can write the target.
  bool can_be_written(const Example& example) const;
  // Encodes a target of these sources. pieces: if given, receives the pieces of the target.
  Ids encode_target(const std::string& line, const Example& sources, int64_t longest = kWholeLine,
                    Pieces* pieces = nullptr) const;

 private:
  Example example_of_sources(const std::vector<std::string>& lines, Tokens& tokens,
                             const Annotations& annotations, int64_t longest) const;
  Ids target_ids(Ids ids, const Pieces& pieces, const Example& sources) const;
  SentenceText sentence(size_t side, const std::vector<std::string>& lines,
                        const Tokens& tokens) const;
};

// Encoder of lines with the codecs of sources and target; copied: index of the source that is
// copied, if any.
PairEncoder pair_encoder(const std::vector<std::string>& sources, const Codecs& codecs,
                         std::optional<size_t> copied, const Tags& tags);

}  // namespace heed
