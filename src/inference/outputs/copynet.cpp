// CopyNet (Gu et al. 2016), as in model/outputs/copynet.cpp: C_j = ψ_c(x_j) = tanh(h_jᵀ W_c) s_t, and
// G is the norm of the vocabulary scores. The decoder reads ζ beside the embedding of a token.
#include <algorithm>
#include <cmath>

#include "inference/outputs/copying.h"
#include "inference/outputs/kinds.h"

namespace heed {

namespace {

struct CopyNetWeights {
  OutputLayer layer;
  PackedMatrix copy;  // W_c [W,K]
  OutputShape shape;
  CopyNetShape own;
  const Kernels& set;
};

class CopyNetDecoding final : public GenerateOrCopyDecoding {
 public:
  CopyNetDecoding(const CopyNetWeights& weights, const EncodedSources& sources)
      : GenerateOrCopyDecoding(weights.layer, weights.set), weights_(weights) {
    const int64_t keys = weights.shape.source, width = weights.copy.outputs(),
                  tokens = sources.begins.back();
    AlignedFloats prepared(static_cast<size_t>(tokens * width));
    weights.copy.product(sources.states, tokens, prepared.data());
    set_.tanh(prepared.data(), tokens * width);
    add(sources, [&](CopiedSource& source, int64_t i) {
      const int64_t begin = sources.begins[i], positions = source.positions();
      source.states.assign(sources.states + begin * keys,
                           sources.states + (begin + positions) * keys);
      source.keys =
          PackedMatrix(set_, Precision::kFloat, prepared.data() + begin * width, positions, width);
      scores_.emplace_back(static_cast<size_t>(positions), 0.0F);
    });
  }

  // ζ(y) = Σ ρ_j h_j over the positions j of the token, with the scores of the step before.
  void read_beside(const std::vector<int32_t>& tokens, float* to, int64_t stride) const override {
    const int64_t width = weights_.shape.source;
    for (int64_t row = 0; row < std::ssize(tokens); ++row) {
      const CopiedSource& source = sources_.of(row);
      float* read = to + row * stride;
      std::fill_n(read, width, 0.0F);
      const std::vector<float> rho = of_token(source, scores_[row], tokens[row]);
      for (int64_t s = 0; s < source.positions(); ++s) {
        if (rho[s] == 0) continue;
        for (int64_t i = 0; i < width; ++i) read[i] += rho[s] * source.states[s * width + i];
      }
    }
  }

  void observe(const std::vector<int32_t>&, const StepVectors& step) override {
    const CopyState state = weights_.own.state;
    const float* x = state == CopyState::kDecoder ? step.state : step.hidden;
    const int64_t hypotheses = sources_.hypotheses(), width = weights_.copy.outputs();
    AlignedFloats scores;
    for (int64_t row = 0; row < sources_.rows(); row += hypotheses) {
      const CopiedSource& source = sources_.of(row);
      const int64_t positions = source.positions();
      scores.resize(static_cast<size_t>(hypotheses * positions));
      source.keys.product(x + row * width, hypotheses, scores.data());
      for (int64_t h = 0; h < hypotheses; ++h)
        scores_[row + h].assign(scores.data() + h * positions, scores.data() + (h + 1) * positions);
    }
  }

  void gather(const std::vector<int64_t>& rows, int64_t hypotheses) override {
    GenerateOrCopyDecoding::gather(rows, hypotheses);
    std::vector<std::vector<float>> taken;
    for (const int64_t row : rows) taken.push_back(scores_[row]);
    scores_ = std::move(taken);
  }
  void join(const OutputDecoding& more) override {
    GenerateOrCopyDecoding::join(more);
    const auto& other = dynamic_cast<const CopyNetDecoding&>(more);
    scores_.insert(scores_.end(), other.scores_.begin(), other.scores_.end());
  }

 protected:
  float masses(int64_t row, const StepVectors&, float log_norm, std::span<float> copying) override {
    const CopiedSource& source = sources_.of(row);
    for (int64_t s = 0; s < source.positions(); ++s) {
      const bool is_shut = source.is_end(s) && !weights_.own.copy_end;
      copying[s] = is_shut ? kImpossibleLogit : scores_[row][s];
    }
    return log_norm;
  }

 private:
  // The softmax of the scores at the positions of the token; 0 elsewhere.  [S]
  static std::vector<float> of_token(const CopiedSource& source, const std::vector<float>& scores,
                                     int32_t token) {
    float log_sum = kImpossibleLogit;
    for (size_t s = 0; s < scores.size(); ++s) {
      if (source.ids[s] == token) log_sum = log_add(log_sum, scores[s]);
    }
    std::vector<float> rho(scores.size(), 0.0F);
    for (size_t s = 0; s < scores.size(); ++s) {
      if (source.ids[s] == token) rho[s] = std::exp(scores[s] - log_sum);
    }
    return rho;
  }

  const CopyNetWeights& weights_;
  std::vector<std::vector<float>> scores_;  // ψ_c of the last step, of each row [S]
};

class CopyNet final : public OutputWeights {
 public:
  explicit CopyNet(const output_kinds::OutputParts& parts)
      : weights_{{parts.shape, parts.embeddings, parts.packer, parts.set},
                 parts.packer.linear({names::kCopy}),
                 parts.shape.output,
                 *parts.shape.output.as<CopyNetShape>(),
                 parts.set} {}
  std::unique_ptr<OutputDecoding> start(const EncodedSources& sources) const override {
    return std::make_unique<CopyNetDecoding>(weights_, sources);
  }

 private:
  CopyNetWeights weights_;
};

}  // namespace

std::unique_ptr<const OutputWeights> output_kinds::copynet(const OutputParts& parts) {
  return std::make_unique<CopyNet>(parts);
}

}  // namespace heed
