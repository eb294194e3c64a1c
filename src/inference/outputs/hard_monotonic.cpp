// Hard attention, summed over all alignments (Wu et al. 2018, Wu and Cotterell 2019), as in
// model/outputs/hard_monotonic.cpp, whose names the functions have.
#include <algorithm>
#include <cmath>

#include "inference/outputs/distribution.h"
#include "inference/outputs/kinds.h"

namespace heed {

namespace {

struct HardMonotonicWeights {
  OutputLayer layer;
  PackedMatrix state, source;                  // S [W,·]
  PackedMatrix key;                            // T [W,K], of order 0
  PackedMatrix jump_of_state, jump_of_source;  // U [J,·], of order 1
  OutputShape shape;
  HardMonotonicShape own;
  const Kernels& set;
};

// A source of S positions.
struct AlignedSource {
  int64_t positions;
  AlignedFloats emitting;  // S h [S,W]
  PackedMatrix keys{};     // T h [S,W], of order 0
  AlignedFloats jumps{};   // U h [S,J], of order 1
};

// The product of x [rows,·] with the matrix.
AlignedFloats product_of(const PackedMatrix& matrix, const float* x, int64_t rows) {
  AlignedFloats y(static_cast<size_t>(rows * matrix.outputs()));
  matrix.product(x, rows, y.data());
  return y;
}

// Subtracts the logarithm of the sum of all.
void normalize_logs(std::span<float> x) {
  float sum = kImpossibleLogit;
  for (const float value : x) sum = log_add(sum, value);
  for (float& value : x) value -= sum;
}

class HardMonotonicDecoding final : public DistributionDecoding {
 public:
  HardMonotonicDecoding(const HardMonotonicWeights& weights, const EncodedSources& sources)
      : DistributionDecoding(weights.set), weights_(weights) {
    const int64_t tokens = sources.begins.back(), width = weights.shape.hidden;
    const AlignedFloats emitting = product_of(weights.source, sources.states, tokens);
    const PackedMatrix& aligner = weights.own.order == 0 ? weights.key : weights.jump_of_source;
    const AlignedFloats aligning = product_of(aligner, sources.states, tokens);
    for (size_t i = 0; i < sources.sentences.size(); ++i) {
      const int64_t begin = sources.begins[i], end = sources.begins[i + 1];
      const auto rows = [&](const AlignedFloats& x, int64_t columns) {
        return AlignedFloats(x.begin() + begin * columns, x.begin() + end * columns);
      };
      auto source = std::make_shared<AlignedSource>(end - begin, rows(emitting, width));
      const AlignedFloats own = rows(aligning, aligner.outputs());
      if (weights.own.order == 0) {
        source->keys = PackedMatrix(weights.set, Precision::kFloat, own.data(), end - begin, width);
      } else {
        source->jumps = own;
      }
      sources_.add(source, *sources.sentences[i], sources.number);
      rows_.emplace_back();
    }
  }

  void observe(const std::vector<int32_t>& tokens, const StepVectors& step) override {
    const int64_t width = weights_.shape.hidden;
    for (int64_t row = 0; row < sources_.rows(); ++row) {
      const float* hidden = step.hidden + row * width;
      align(tokens[row], hidden, sources_.of(row), rows_[row]);
      if (step.weights == nullptr) continue;
      std::ranges::transform(rows_[row].alpha, step.weights->of(row),
                             [](float alpha) { return std::exp(alpha); });
    }
  }

  void gather(const std::vector<int64_t>& rows, int64_t hypotheses) override {
    sources_.gather(rows, hypotheses);
    std::vector<Row> taken;
    for (const int64_t row : rows) taken.push_back(rows_[row]);
    rows_ = std::move(taken);
  }
  void join(const OutputDecoding& more) override {
    const auto& other = dynamic_cast<const HardMonotonicDecoding&>(more);
    sources_.join(other.sources_);
    rows_.insert(rows_.end(), other.rows_.begin(), other.rows_.end());
  }

 protected:
  int64_t vocabulary() const override { return weights_.layer.tokens(); }
  void each_row(const StepVectors& step, int64_t rows, const Visit& visit) override {
    for (int64_t row = 0; row < rows; ++row) {
      log_probs_.assign(static_cast<size_t>(vocabulary()), kImpossibleLogit);
      each_emission(step.hidden + row * weights_.shape.hidden, sources_.of(row),
                    [&](int64_t i, std::span<const float> logits, float log_norm) {
                      const float alpha = rows_[row].alpha[i] - log_norm;
                      if (alpha == kImpossibleLogit) return;
                      for (size_t v = 0; v < logits.size(); ++v)
                        log_probs_[v] = log_add(log_probs_[v], logits[v] + alpha);
                    });
      visit(row, log_probs_);
    }
  }

 private:
  struct Row {
    std::vector<float> alpha;   // log p(a_t = i) [S]; empty before the first step
    std::vector<float> before;  // s_t of the last step [W]
  };

  // Calls take(i, logits, log_norm) with the vocabulary scores of each position i.
  template <class Take>
  void each_emission(const float* hidden, const AlignedSource& source, const Take& take) {
    const int64_t width = weights_.shape.hidden;
    const AlignedFloats own = product_of(weights_.state, hidden, 1);
    emitting_ = source.emitting;
    for (int64_t i = 0; i < source.positions; ++i)
      set_.add(own.data(), width, &emitting_[i * width]);
    set_.tanh(emitting_.data(), std::ssize(emitting_));
    weights_.layer.each_row(
        emitting_.data(), source.positions, room_,
        [&](int64_t i, std::span<float> logits) { take(i, logits, finite_log_sum(set_, logits)); });
  }

  // Advances the row by a step that has read the token.
  void align(int32_t token, const float* hidden, const AlignedSource& source, Row& row) {
    const int64_t width = weights_.shape.hidden;
    std::vector<float> next(static_cast<size_t>(source.positions), kImpossibleLogit);
    const bool is_first = row.alpha.empty();
    if (!weights_.own.has_transitions()) {
      const AlignedFloats scores = product_of(source.keys, hidden, 1);
      next.assign(scores.begin(), scores.end());
      normalize_logs(next);
    } else {
      std::vector<float> posterior = row.alpha;
      if (is_first) {
        posterior = next;
        posterior.front() = 0;
      } else {
        each_emission(row.before.data(), source,
                      [&](int64_t i, std::span<const float> logits, float log_norm) {
                        posterior[i] += logits[token] - log_norm;
                      });
        normalize_logs(posterior);
      }
      add_transitions(hidden, source, posterior, next);
      row.before.assign(hidden, hidden + width);
    }
    row.alpha = std::move(next);
  }

  // α_t(i) = Σ_j p(a_{t-1} = j) p(a_t = i | a_{t-1} = j), in log space.
  void add_transitions(const float* hidden, const AlignedSource& source,
                       const std::vector<float>& posterior, std::vector<float>& alpha) const {
    const HardMonotonicShape& own = weights_.own;
    const int64_t positions = source.positions, count = own.jumps();
    const AlignedFloats scores =
        product_of(own.order == 0 ? source.keys : weights_.jump_of_state, hidden, 1);
    std::vector<float> reached;
    for (int64_t j = 0; j < positions; ++j) {
      if (posterior[j] == kImpossibleLogit) continue;
      const int64_t begin = std::max<int64_t>(0, own.order == 0 ? j : j + own.first_jump());
      const int64_t end =
          own.order == 0 ? positions : std::min(positions, j + own.first_jump() + count);
      reached.resize(static_cast<size_t>(end - begin));
      for (int64_t i = begin; i < end; ++i) {
        const int64_t jump = i - j - own.first_jump();
        reached[i - begin] =
            own.order == 0 ? scores[i] : scores[jump] + source.jumps[j * count + jump];
      }
      normalize_logs(reached);
      for (int64_t i = begin; i < end; ++i)
        alpha[i] = log_add(alpha[i], posterior[j] + reached[i - begin]);
    }
  }

  const HardMonotonicWeights& weights_;
  Sentences<AlignedSource> sources_;
  std::vector<Row> rows_;
  OutputLayer::Workspace room_;
  AlignedFloats emitting_;
  std::vector<float> log_probs_;
};

class HardMonotonic final : public OutputWeights {
 public:
  explicit HardMonotonic(const output_kinds::OutputParts& parts)
      : weights_{.layer = {parts.shape, parts.embeddings, parts.packer, parts.set},
                 .state = parts.packer.linear({names::kAlignedState}),
                 .source = parts.packer.linear({names::kAlignedSource}),
                 .key = {},
                 .jump_of_state = {},
                 .jump_of_source = {},
                 .shape = parts.shape.output,
                 .own = *parts.shape.output.as<HardMonotonicShape>(),
                 .set = parts.set} {
    if (weights_.own.order == 0) {
      weights_.key = parts.packer.linear({names::kAlignedKey});
    } else {
      weights_.jump_of_state = parts.packer.linear({names::kJumpOfState});
      weights_.jump_of_source = parts.packer.linear({names::kJumpOfSource});
    }
  }
  std::unique_ptr<OutputDecoding> start(const EncodedSources& sources) const override {
    return std::make_unique<HardMonotonicDecoding>(weights_, sources);
  }

 private:
  HardMonotonicWeights weights_;
};

}  // namespace

std::unique_ptr<const OutputWeights> output_kinds::hard_monotonic(const OutputParts& parts) {
  return std::make_unique<HardMonotonic>(parts);
}

}  // namespace heed
