// Networks with tokenizers and vocabularies: from raw lines to batches.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "data/pair_encoder.h"
#include "data/source_facts.h"
#include "search/engine.h"
#include "search/search_config.h"
#include "text/codecs.h"
#include "translate/shortlist.h"

namespace heed {

// One line of each input of a model, in the order of TextModel::inputs.
using SourceLine = std::vector<std::string>;

struct TextModel {
  std::vector<std::string> sources;
  std::vector<std::string> inputs;  // inputs_of() its config
  Tags tags{};                      // that a line may have; empty: none
  std::vector<SourceFactor> factors{};
  std::vector<SourceEntries> entries{};
  Codecs codecs;
  SearchConfig search{};              // of the first network
  std::optional<int64_t> max_length;  // pieces of the longest source of the training
  // Rows of learned tables of positions, whose later tokens share the last one; none: no limit.
  std::optional<int64_t> source_positions{}, target_positions{};
  std::optional<int64_t> scored_positions{};  // scored_positions() of the config; none: no limit
  // Number of source tokens that a model of simultaneous translation has read before target token t,
  // counted from 1; it may exceed those of a source. Not set: all of them.
  std::function<int64_t(int64_t t)> tokens_read{};
  std::unordered_set<std::string> target_words{};    // find_target_words() of the training
  std::string source_language{}, target_language{};  // codes of ISO 639; "": unknown
  std::optional<SourceFacts> source_lines{};         // of the training, if they are known
  // Index of the source that alignments use and that replaces unknown pieces.
  size_t aligned = 0;
  bool copies = false;              // whether the target may be copied from that source
  bool has_source_weights = false;  // whether a network has attention weights over it
  bool on_gpu = false;
  std::shared_ptr<const Engine> engine{};  // that translates; none until it is needed
  std::shared_ptr<const Shortlist>
      shortlist{};  // of a packed model, for translation; none: all tokens

  bool reads_edges() const { return std::ranges::count(inputs, kEdgesInput) > 0; }
  const Codec& source_codec(size_t i) const { return *codecs.at(sources.at(i)); }
  const Codec& aligned_codec() const { return source_codec(aligned); }
  const Codec& target_codec() const { return *codecs.at(kTargetSide); }
};

// Words of SavedModelConfig::target_words.
std::unordered_set<std::string> target_words_in(const std::string& line);

// A source line as ids.
struct EncodedLine {
  Example example;                               // without a target
  std::vector<std::string> texts;                // of each source
  std::vector<std::vector<std::string>> pieces;  // of each source
  bool is_empty() const;                         // no piece in any source
  int64_t length() const;                        // of the longest source, in pieces
  // Pieces of the ids beyond the vocabulary.
  std::vector<std::string> behind() const;
};
// number: of the line, from 1. Throws Error(kData) that names it for edges and labels that do not fit
// the line, for sources with different numbers of entries and for an unknown tag; an empty line needs
// none.
EncodedLine encode_line(const TextModel& model, const SourceLine& line, int64_t number,
                        int64_t longest = kWholeLine);

// A target of this source as ids; `surface`, if given, receives its pieces.
Ids encode_target(const TextModel& model, const std::string& line, const EncodedLine& source,
                  std::vector<std::string>* surface = nullptr);

}  // namespace heed
