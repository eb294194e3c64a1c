// Embeddings of source and target, and the output layer with its search for the best next tokens.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "inference/best_of_rows.h"
#include "inference/candidate_weights.h"
#include "inference/likely_outputs.h"
#include "inference/maximum_inner_product.h"
#include "inference/packer.h"
#include "inference/screened_logits.h"
#include "inference/vocabulary_shape.h"
#include "kernels/aligned.h"
#include "search/engine.h"

namespace heed {

struct Embeddings {
  Embeddings(const VocabularyShape& shape, const Packer& packer);

  // [V,E], of the precision of products; sources share those of the target if they are tied
  PackedMatrix target;
  std::vector<PackedMatrix> sources;
  std::vector<float> target_tag;  // [tags,·]; empty: not added
};

// Copies rows of `embedding` [V,E] to rows that are `stride` apart. Tokens behind the vocabulary are
// embedded as kUnknown.
void embed_tokens(const PackedMatrix& embedding, const std::vector<int32_t>& tokens, float* to,
                  int64_t stride);

// Made of weights when it is first used, by the first of several threads. The weights have to outlive
// it, and to be the same in all calls.
template <class T>
class Lazy {
 public:
  const T& of(const PackedMatrix& weights, const Kernels& set) const {
    std::call_once(is_made_, [&] { made_ = std::make_unique<const T>(weights, set); });
    return *made_;
  }

 private:
  mutable std::once_flag is_made_;
  mutable std::unique_ptr<const T> made_;
};

class OutputLayer {
 public:
  // Buffers for intermediate results, and the weights of the candidates of the last step.
  struct Workspace {
    AlignedFloats embedded, logits, own, values;
    LikelyOutputs likely;
    CandidateWeights candidates;
    MaximumInnerProduct::Workspace search;
    SearchPauses pauses;
    ScreenedLogits::Workspace screen;
  };

  OutputLayer(const VocabularyShape& shape, const Embeddings& embeddings, const Packer& packer,
              const Kernels& set);

  // Decoding::best() of hidden states [rows, width of the hidden states].
  TopK best(const float* hidden, int64_t count, const StepRows& step,
            const Distributions& distributions, Workspace& room) const;
  // Decoding::most_probable() of them.
  std::vector<int32_t> most_probable(const float* hidden, const StepRows& step,
                                     Workspace& room) const;
  // Calls visit(row, logits) with the logits of all tokens, row by row.
  using Visit = std::function<void(int64_t row, std::span<float> logits)>;
  void each_row(const float* hidden, int64_t rows, Workspace& room, const Visit& visit) const;
  int64_t tokens() const { return output_.outputs(); }  // V

 private:
  // The inputs of output_ [rows,·].
  const float* output_inputs(const float* hidden, int64_t rows, Workspace& room) const;
  // Calls take(row, x, logits) with the products of x, the input of the row, and `weights`.
  template <class Take>
  void each_product(const float* hidden, int64_t rows, const PackedMatrix& weights, Workspace& room,
                    const Take& take) const;
  // Calls take(row, x, logits) with the input of each row and the logits of its candidates.
  template <class Take>
  void each_row_of_candidates(const float* hidden, const StepRows& step, Workspace& room,
                              const Take& take) const;
  // best() of all tokens, and of the candidates of each sentence.
  void find_best(const float* hidden, const StepRows& step, const Distributions& distributions,
                 Workspace& room, TopK& best) const;
  void find_best_candidates(const float* hidden, const StepRows& step,
                            const Distributions& distributions, Workspace& room, TopK& best) const;
  bool can_screen(int64_t count, const StepRows& step, const Distributions& distributions) const;
  bool can_search(Workspace& room) const;

  const Kernels& set_;
  int64_t hidden_;
  PackedMatrix to_embedding_;         // no outputs if the output layer reads [rows,hidden]
  PackedMatrix output_;               // [V,·]
  Lazy<MaximumInnerProduct> search_;  // of greedy search
  Lazy<ScreenedLogits> screened_;     // of beam search
};

// Sums of products in 8 bits are int32, 255 · 127 · width < 2^31. Error(kUsage) if a width is too
// large.
void check_widths(std::initializer_list<int64_t> widths, Precision precision);

}  // namespace heed
