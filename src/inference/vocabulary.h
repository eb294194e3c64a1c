// Embeddings of source and target, and the output layer with its search for the best next tokens.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "inference/candidate_weights.h"
#include "inference/packer.h"
#include "inference/vocabulary_shape.h"
#include "kernels/aligned.h"
#include "search/engine.h"

namespace heed {

using SharedFloats = std::shared_ptr<const std::vector<float>>;

struct Embeddings {
  Embeddings(const VocabularyShape& shape, const Packer& packer);

  SharedFloats source, target;  // [V,E]; the same if they are tied
};

// Copies rows of `embedding` [V,width], times `scale`.  to [tokens,width]
void embed_tokens(const std::vector<float>& embedding, const std::vector<int32_t>& tokens,
                  int64_t width, float scale, float* to);

// The rows of a step, for OutputLayer::best().
struct StepRows {
  int64_t rows;
  const Limits& limits;
  const Distributions& distributions;
  std::vector<Candidates> candidates;  // of each sentence, Sentences::candidates()
};

class OutputLayer {
 public:
  // Buffers for intermediate results, and the weights of the candidates of the last step.
  struct Workspace {
    AlignedFloats embedded, logits, own, values;
    CandidateWeights candidates;
  };

  OutputLayer(const VocabularyShape& shape, const Embeddings& embeddings, int64_t hidden,
              const Packer& packer, const Kernels& set);

  // Decoding::best() of hidden states [rows, width of the hidden states].
  TopK best(const float* hidden, int64_t count, const StepRows& step, Workspace& room) const;

 private:
  // [rows,hidden] -> room.logits [rows, outputs of `weights`]
  void project(const float* hidden, int64_t rows, const PackedMatrix& weights,
               Workspace& room) const;

  const Kernels& set_;
  int64_t hidden_;
  PackedMatrix to_embedding_;  // no outputs if the output layer reads [rows,hidden]
  PackedMatrix output_;        // [V,·]
};

// Sums of products in 8 bits are int32, 255 · 127 · width < 2^31. Error(kUsage) if a width is too
// large.
void check_widths(std::initializer_list<int64_t> widths, Precision precision);

}  // namespace heed
