// Outputs of the engines: from the vectors of a decoder to the best next tokens. OutputWeights is to
// OutputDecoding what Engine is to Decoding (search/engine.h).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "inference/best_of_rows.h"
#include "inference/packer.h"
#include "inference/sentences.h"
#include "inference/vocabulary.h"
#include "search/engine.h"

namespace heed {

// Vectors of a decoder after a step. Rows [R,·]; null: the decoder lacks them.
struct StepVectors {
  const float* hidden = nullptr;   // input of the output layer
  const float* state = nullptr;    // state of a recurrent decoder
  const float* context = nullptr;  // of its last attention over the source
  const float* input = nullptr;    // of the decoder
  StepWeights* weights = nullptr;  // over the source; null: not computed
};

// The encoded source that outputs read. Sentence i is tokens begins[i] to begins[i+1].
struct EncodedSources {
  const std::vector<const Example*>& sentences;
  size_t number;  // of the source
  const std::vector<int64_t>& begins;
  const float* states;  // [tokens,K]
};

// Output of sentences that are being decoded.
class OutputDecoding {
 public:
  virtual ~OutputDecoding() = default;
  // Writes the input of the decoder beside the embedding of each token
  // (OutputShape::beside_embedding) to rows that are `stride` apart.
  virtual void read_beside(const std::vector<int32_t>& /*tokens*/, float* /*to*/,
                           int64_t /*stride*/) const {}
  // Called after each step, with the tokens that it has read. May fill the weights.
  virtual void observe(const std::vector<int32_t>& /*tokens*/, const StepVectors& /*step*/) {}
  // The next functions are those of Decoding.
  virtual TopK best(const StepVectors& step, int64_t count, const StepRows& rows,
                    const Distributions& distributions) = 0;
  virtual std::vector<int32_t> most_probable(const StepVectors& step, const StepRows& rows) {
    return best(step, 1, rows, {}).id;
  }
  virtual void gather(const std::vector<int64_t>& /*rows*/, int64_t /*hypotheses*/) {}
  virtual void join(const OutputDecoding& /*more*/) {}
};

class OutputWeights {
 public:
  virtual ~OutputWeights() = default;
  // The weights have to outlive the result.
  virtual std::unique_ptr<OutputDecoding> start(const EncodedSources& sources) const = 0;
};

std::unique_ptr<const OutputWeights> make_output(const VocabularyShape& shape,
                                                 const Embeddings& embeddings, const Packer& packer,
                                                 const Kernels& set);

}  // namespace heed
