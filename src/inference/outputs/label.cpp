// One label and then kEnd, as in model/outputs/label.cpp: softmax over the vocabulary without the tokens
// that pad, begin and end.
#include <algorithm>

#include "inference/outputs/distribution.h"
#include "inference/outputs/first_tokens.h"
#include "inference/outputs/kinds.h"

namespace heed {

namespace {

class LabelDecoding final : public DistributionDecoding {
 public:
  LabelDecoding(const OutputLayer& layer, const Kernels& set, const EncodedSources& sources)
      : DistributionDecoding(set), layer_(layer), first_(sources.sentences.size()) {}

  void observe(const std::vector<int32_t>&, const StepVectors&) override { first_.step(); }
  void gather(const std::vector<int64_t>& rows, int64_t) override { first_.gather(rows); }
  void join(const OutputDecoding& more) override {
    first_.join(dynamic_cast<const LabelDecoding&>(more).first_);
  }

 protected:
  int64_t vocabulary() const override { return layer_.tokens(); }
  void each_row(const StepVectors& step, int64_t rows, const Visit& visit) override {
    layer_.each_row(step.hidden, rows, room_, [&](int64_t row, std::span<float> logits) {
      if (!first_.is_first(row)) {
        std::ranges::fill(logits, kImpossibleLogit);
        logits[kEnd] = 0;
        return visit(row, logits);
      }
      for (const int32_t id : {kPad, kBegin, kEnd}) logits[id] = kImpossibleLogit;
      const float log_norm = finite_log_sum(set_, logits);
      for (float& logit : logits) logit -= log_norm;
      visit(row, logits);
    });
  }

 private:
  const OutputLayer& layer_;
  FirstTokens first_;
  OutputLayer::Workspace room_;
};

class Label final : public OutputWeights {
 public:
  explicit Label(const output_kinds::OutputParts& parts)
      : layer_(parts.shape, parts.embeddings, parts.packer, parts.set), set_(parts.set) {}
  std::unique_ptr<OutputDecoding> start(const EncodedSources& sources) const override {
    return std::make_unique<LabelDecoding>(layer_, set_, sources);
  }

 private:
  OutputLayer layer_;
  const Kernels& set_;
};

}  // namespace

std::unique_ptr<const OutputWeights> output_kinds::label(const OutputParts& parts) {
  return std::make_unique<Label>(parts);
}

}  // namespace heed
