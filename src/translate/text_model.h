// Networks with the text around them: raw lines in, batches out.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "data/pair_encoder.h"
#include "inference/transformer_shape.h"
#include "model/saved_model.h"

namespace heed {

// One line of each thing that a model reads, in the order of TextModel::inputs.
using SourceLine = std::vector<std::string>;

struct TextModel {
  std::vector<std::shared_ptr<Seq2Seq>> networks;  // several: an ensemble
  std::vector<std::string> sources;
  std::vector<std::string> inputs;  // inputs_of() its config
  Tags tags{};                      // that a line may have; empty: none
  Codecs codecs;
  SearchConfig search{};                           // of the first network
  std::optional<int64_t> max_length;               // pieces of the longest source of the training
  std::unordered_set<std::string> target_words{};  // find_target_words() of the training
  // The number of the source that attention is told of and that replaces unknown pieces.
  size_t aligned = 0;
  bool copies = false;              // whether the target may be copied from that source
  bool has_source_weights = false;  // whether a network says what of the source it attended to
  std::optional<TransformerShape> shape{};  // of the first network, if it is of such a shape

  bool reads_edges() const { return std::ranges::count(inputs, kEdges) > 0; }
  const Codec& source_codec(size_t i) const { return *codecs.at(sources.at(i)); }
  const Codec& aligned_codec() const { return source_codec(aligned); }
  const Codec& target_codec() const { return *codecs.at(kTargetSide); }
  torch::Device device() const { return networks.at(0)->device(); }
};

// The names of what a model reads: the sources, "edges" where it reads along edges, and "tag" where
// its data had tags.
std::vector<std::string> inputs_of(const SavedModelConfig& config);

// How lines are taken: the codecs of sources and target, with the source that is copied, if any is.
PairEncoder pair_encoder(const std::vector<std::string>& sources, const Codecs& codecs,
                         std::optional<size_t> copied, const Tags& tags);
PairEncoder pair_encoder(const SavedModelConfig& config, const Codecs& codecs);

// Error(kModel) if they do not share sources and vocabularies, which an ensemble has to.
TextModel text_model(std::vector<LoadedModel> models);

// A source line as ids.
struct EncodedLine {
  Example example;                               // without a target
  std::vector<std::vector<std::string>> pieces;  // of each source
  bool is_empty() const;                         // no piece in any source
  int64_t length() const;                        // of the longest source, in pieces
  void cut(int64_t longest);                     // leaves so many pieces of each source
  // What ids behind the vocabulary stand for.
  std::vector<std::string> behind() const;
};
// number: of the line, from 1. Throws Error(kData) that names it for edges that are not those of the
// line, and for a tag that there is not; a line of nothing needs none.
EncodedLine encode_line(const TextModel& model, const SourceLine& line, int64_t number);

// A target of this source as ids; `surface`, if given, receives its pieces.
Ids encode_target(const TextModel& model, const std::string& line, const EncodedLine& source,
                  std::vector<std::string>* surface = nullptr);

SourceBatches source_batches(const TextModel& model, const std::vector<EncodedLine>& lines,
                             const std::vector<size_t>& chosen);

}  // namespace heed
