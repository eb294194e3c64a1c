#include "inference/sources_reader.h"

#include <utility>

namespace heed {

SourcesReader::SourcesReader(const VocabularyShape& shape,
                             const std::vector<EncoderShape>& encoders, const JoinerShape& joiner,
                             const Embeddings& embeddings, const Packer& packer, const Kernels& set)
    : source_end_(shape.source_end), joiner_(make_joiner(joiner, packer, set)) {
  std::map<std::string, std::shared_ptr<const SourceEncoder>> made;
  for (size_t i = 0; i < shape.sources.size(); ++i) {
    auto& encoder = made[shape.sources[i].encoder];
    if (encoder == nullptr) encoder = make_encoder(encoders[i], shape, i, packer, set);
    sources_.push_back({SourceInput(shape, i, embeddings, packer), encoder});
  }
}

std::vector<Encoded> SourcesReader::read(const std::vector<const Example*>& sentences) const {
  std::vector<Encoded> all;
  for (size_t i = 0; i < sources_.size(); ++i) {
    const auto& [input, encoder] = sources_[i];
    SourceTokens tokens(sentences, i, source_end_);
    AlignedFloats embedded;
    input.embed(sentences, tokens, embedded);
    Encoded& own = all.emplace_back(encoder->encode(tokens, std::move(embedded)));
    if (own.begins.empty()) own.begins = std::move(tokens.begins);
  }
  if (joiner_ != nullptr) joiner_->join(all);
  return all;
}

}  // namespace heed
