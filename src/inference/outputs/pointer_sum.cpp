// Attention sum (Kadlec et al. 2016), as in model/outputs/pointer_sum.cpp: one token, by the sum of the
// attention weights of its positions, then kEnd.
#include <algorithm>
#include <cmath>

#include "inference/outputs/copying.h"
#include "inference/outputs/first_tokens.h"
#include "inference/outputs/kinds.h"

namespace heed {

namespace {

class PointerSumDecoding final : public CopyingDecoding {
 public:
  PointerSumDecoding(const Kernels& set, int64_t vocabulary, const EncodedSources& sources)
      : CopyingDecoding(set, vocabulary), first_(sources.sentences.size()) {
    add(sources, [](CopiedSource&, int64_t) {});
  }

  void observe(const std::vector<int32_t>&, const StepVectors&) override { first_.step(); }
  void gather(const std::vector<int64_t>& rows, int64_t hypotheses) override {
    CopyingDecoding::gather(rows, hypotheses);
    first_.gather(rows);
  }
  void join(const OutputDecoding& more) override {
    CopyingDecoding::join(more);
    first_.join(dynamic_cast<const PointerSumDecoding&>(more).first_);
  }

 protected:
  void each_row(const StepVectors& step, int64_t rows, const Visit& visit) override {
    for (int64_t row = 0; row < rows; ++row) {
      const CopiedSource& source = sources_.of(row);
      const float* weights = step.weights->of(row);
      copying_.assign(source.ids.size(), kImpossibleLogit);
      double sum = 0;
      for (int64_t i = 0; i < source.positions(); ++i) {
        if (!source.is_end(i)) sum += std::max(weights[i], 0.0F);
      }
      log_probs_.assign(static_cast<size_t>(source.tokens), kImpossibleLogit);
      if (!first_.is_first(row) || sum == 0) {
        log_probs_[kEnd] = 0;
        visit(row, log_probs_);
        continue;
      }
      for (int64_t i = 0; i < source.positions(); ++i) {
        if (!source.is_end(i) && weights[i] > 0)
          copying_[i] = static_cast<float>(std::log(weights[i] / sum));
      }
      copy(row, copying_, log_probs_);
      visit(row, log_probs_);
    }
  }

 private:
  FirstTokens first_;
  std::vector<float> copying_, log_probs_;
};

class PointerSum final : public OutputWeights {
 public:
  PointerSum(const Kernels& set, int64_t vocabulary) : set_(set), vocabulary_(vocabulary) {}
  std::unique_ptr<OutputDecoding> start(const EncodedSources& sources) const override {
    return std::make_unique<PointerSumDecoding>(set_, vocabulary_, sources);
  }

 private:
  const Kernels& set_;
  int64_t vocabulary_;
};

}  // namespace

std::unique_ptr<const OutputWeights> output_kinds::pointer_sum(const OutputParts& parts) {
  return std::make_unique<PointerSum>(parts.set, parts.embeddings.target.outputs());
}

}  // namespace heed
