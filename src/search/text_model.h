// Networks with the text around them: raw lines in, batches out.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/saved_model.h"

namespace heed {

// One line of each source, in the order of TextModel::sources.
using SourceLine = std::vector<std::string>;

struct TextModel {
  std::vector<std::shared_ptr<Seq2Seq>> networks;  // several: an ensemble
  std::vector<std::string> sources;
  Codecs codecs;
  SearchConfig search{};              // of the first network
  std::optional<int64_t> max_length;  // pieces of the longest source of the training

  const Codec& source_codec(size_t i = 0) const { return *codecs.at(sources.at(i)); }
  const Codec& target_codec() const { return *codecs.at(kTargetSide); }
  torch::Device device() const { return networks.at(0)->device(); }
};

// Error(kModel) if they do not share sources and vocabularies, which an ensemble has to.
TextModel text_model(std::vector<LoadedModel> models);

// A source line as ids.
struct EncodedLine {
  std::vector<Ids> ids;             // of each source
  std::vector<std::string> pieces;  // of the first one
  bool is_empty() const;            // no piece in any source
  int64_t length() const;           // of the longest source, in pieces
};
EncodedLine encode_line(const TextModel& model, const SourceLine& line);

SourceBatches source_batches(const TextModel& model, const std::vector<EncodedLine>& lines,
                             const std::vector<size_t>& chosen);

}  // namespace heed
