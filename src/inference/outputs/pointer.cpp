// A pointer network (Vinyals et al. 2015), as in model/outputs/pointer.cpp: u_j = vᵀ tanh(W_1 e_j +
// W_2 d_t). Without the end of the source, a learned vector stands for W_1 e of one more position,
// whose token is kEnd.
#include <algorithm>

#include "inference/outputs/copying.h"
#include "inference/outputs/kinds.h"

namespace heed {

namespace {

struct PointerWeights {
  int64_t vocabulary;
  PackedMatrix source, state;  // W_1, W_2 [D,·]
  AlignedFloats v, end;        // [D]; end: empty if the source has it
  CopyState read;
  const Kernels& set;
};

class PointerDecoding final : public CopyingDecoding {
 public:
  PointerDecoding(const PointerWeights& weights, const EncodedSources& sources)
      : CopyingDecoding(weights.set, weights.vocabulary), weights_(weights) {
    const int64_t width = weights.source.outputs(), tokens = sources.begins.back();
    AlignedFloats projected(static_cast<size_t>(tokens * width));
    weights.source.product(sources.states, tokens, projected.data());
    add(sources, [&](CopiedSource& source, int64_t i) {
      const float* own = projected.data() + sources.begins[i] * width;
      source.states.assign(own, own + source.positions() * width);
      source.states.insert(source.states.end(), weights.end.begin(), weights.end.end());
    });
  }

 protected:
  void each_row(const StepVectors& step, int64_t rows, const Visit& visit) override {
    const int64_t width = weights_.state.outputs();
    queries_.resize(static_cast<size_t>(rows * width));
    weights_.state.product(weights_.read == CopyState::kDecoder ? step.state : step.hidden, rows,
                           queries_.data());
    for (int64_t row = 0; row < rows; ++row) {
      const CopiedSource& source = sources_.of(row);
      const int64_t keys = std::ssize(source.states) / width;  // with the end
      scores_.resize(static_cast<size_t>(filled_up(keys, kSumLanes)));
      set_.additive_scores({.width = width,
                            .query_count = 1,
                            .key_count = keys,
                            .queries = queries_.data() + row * width,
                            .keys = source.states.data(),
                            .query_stride = width,
                            .key_stride = width,
                            .v = weights_.v.data()},
                           scores_.data());
      const std::span<float> scores(scores_.data(), static_cast<size_t>(keys));
      const float log_sum = finite_log_sum(set_, scores);
      for (float& score : scores) score -= log_sum;
      log_probs_.assign(static_cast<size_t>(source.tokens), kImpossibleLogit);
      copy(row, scores, log_probs_);
      if (keys > source.positions()) log_probs_[kEnd] = log_add(log_probs_[kEnd], scores.back());
      visit(row, log_probs_);
    }
  }

 private:
  const PointerWeights& weights_;
  AlignedFloats queries_, scores_;
  std::vector<float> log_probs_;
};

class Pointer final : public OutputWeights {
 public:
  explicit Pointer(const output_kinds::OutputParts& parts)
      : weights_{.vocabulary = parts.embeddings.target.outputs(),
                 .source = parts.packer.linear({names::kPointerSource}),
                 .state = parts.packer.linear({names::kPointerState}),
                 .v = parts.packer.aligned(names::kPointerScore),
                 .end = {},
                 .read = parts.shape.output.as<PointerShape>()->state,
                 .set = parts.set} {
    if (!parts.shape.source_end) weights_.end = parts.packer.aligned(names::kPointerEnd);
  }
  std::unique_ptr<OutputDecoding> start(const EncodedSources& sources) const override {
    return std::make_unique<PointerDecoding>(weights_, sources);
  }

 private:
  PointerWeights weights_;
};

}  // namespace

std::unique_ptr<const OutputWeights> output_kinds::pointer(const OutputParts& parts) {
  return std::make_unique<Pointer>(parts);
}

}  // namespace heed
