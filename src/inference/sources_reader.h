// The sources of sentences, embedded, encoded and joined (model/seq2seq.h).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "inference/source_encoder.h"
#include "inference/source_input.h"
#include "inference/source_joiner.h"

namespace heed {

class SourcesReader {
 public:
  // encoders: of each source
  SourcesReader(const VocabularyShape& shape, const std::vector<EncoderShape>& encoders,
                const JoinerShape& joiner, const Embeddings& embeddings, const Packer& packer,
                const Kernels& set);
  // Returns each source, in the order of their names.
  std::vector<Encoded> read(const std::vector<const Example*>& sentences) const;

 private:
  struct Source {
    SourceInput input;
    std::shared_ptr<const SourceEncoder> encoder;  // sources may share one
  };

  bool source_end_;
  std::vector<Source> sources_;
  std::unique_ptr<const SourceJoiner> joiner_;  // none: the decoder reads the encoders
};

}  // namespace heed
