// Hard attention without sampling: each target token y_t is aligned to one source position a_t, and
// its probability is the sum over all alignments (Wu et al. 2018, Wu and Cotterell 2019). With the
// decoder state s_t, which has not read the source, and the states h_i of the encoder:
//   p(y_t | a_t = i, y_<t) = softmax(W tanh(S [s_t; h_i]))
//   p(y_t | y_<t) = Σ_i p(a_t = i | y_<t) p(y_t | a_t = i, y_<t)
//   order: 0, monotonic: false   p(a_t = i) ∝ exp(e_ti), e_ti = s_tᵀ T h_i  (2018, equations 4, 5)
//   order: 0, monotonic: true    p(a_t = i | a_{t-1} = j) ∝ [i ≥ j] exp(e_ti)
//   order: 1                     p(a_t = i | a_{t-1} = j) ∝ exp(u_k), u = U [s_t; h_j], with the jump
//                                k = i - j, -w ≤ k ≤ w; if monotonic, 0 ≤ k ≤ w
// The first token is aligned as if a_0 were the first position, as in the authors' code. With
// transitions, the forward algorithm in log space sums over a_1 … a_t:
//   α_t(i) = p(a_t = i | y_<t) = Σ_j p(a_{t-1} = j | y_<t) p(a_t = i | a_{t-1} = j)
//   p(a_t = i | y_≤t) ∝ α_t(i) p(y_t | a_t = i, y_<t)
// so that Π_t p(y_t | y_<t) is the sum over all alignments of the sentence. α_t are the weights that
// are drawn. Without readable positions there is a single position with h = 0.
#include "nn/torch.h"

#include "model/builders.h"
#include "model/outputs/hard_monotonic_config.h"
#include "model/outputs/vocabulary_scores.h"
#include "nn/linear.h"
#include "nn/target_log_softmax.h"

namespace heed {

namespace {

// Logarithm of the probability of impossible alignments. It is finite, so that differences are not
// NaN.
constexpr double kImpossible = -1e30;

// Log-probabilities over the last dimension.
Tensor log_distribution(const Tensor& scores, const Tensor& possible) {
  return torch::log_softmax(scores.masked_fill(~possible, kImpossible), -1)
      .masked_fill(~possible, kImpossible);
}

class HardMonotonic final : public VocabularyScores {
 public:
  HardMonotonic(const HardMonotonicConfig& config, const OutputDims& dims,
                std::shared_ptr<Embedding> embedding)
      : VocabularyScores(dims, std::move(embedding), config.bias),
        config_(config),
        source_name_(dims.source_name),
        state_(*this, "state", dims.hidden, dims.hidden),
        source_(*this, "source", dims.source.key, dims.hidden, kNoBias) {
    if (config.order == 0) {
      key_ = Linear(*this, "key", dims.source.key, dims.hidden, kNoBias);
    } else {
      jump_of_state_ = Linear(*this, "jump_of_state", dims.hidden, config.jumps());
      jump_of_source_ = Linear(*this, "jump_of_source", dims.source.key, config.jumps(), kNoBias);
    }
  }

  void start(const EncoderOutput& source, const StateView& state) override {
    const Source& read = source_name_.empty() ? source.sources.begin()->second.source
                                              : source.sources.at(source_name_).source;
    const Tensor &mask = read.mask, &h = read.keys;  // [N,S], [N,S,K]
    const Tensor is_first = torch::arange(mask.size(1), mask.device()) == 0;
    state.put(readable_, mask);
    state.put(possible_, mask | (is_first & ~mask.any(1, true)));
    state.put(emitting_, source_(h).masked_fill(~mask.unsqueeze(2), 0));
    state.put(aligning_, config_.order == 0 ? key_(h) : jump_of_source_(h));
  }

  void observe(const Tensor& tokens, Step& step, const StateView& state) override {
    step.log_alignment = config_.has_transitions()
                             ? forward_algorithm(tokens, step.hidden, state)
                             : log_distribution(position_scores(step.hidden, state),
                                                state.by_row(possible_).unsqueeze(1));
    if (!state.pass().keep_weights) return;
    Attended aligned;
    aligned.weights =
        step.log_alignment.exp().masked_fill(~state.by_row(readable_).unsqueeze(1), 0).unsqueeze(1);
    aligned.source = source_name_;
    step.take({.place = Place::kCross}, std::move(aligned));
  }

  Tensor log_probs(const Step& step, const StateView& state) override {
    const Tensor of_positions = torch::log_softmax(scores(emitting_states(step.hidden, state)), -1);
    return (of_positions + step.log_alignment.unsqueeze(3)).logsumexp(2);  // [R,T,V]
  }

  Tensor target_log_probs(const Step& step, const Tensor& targets,
                          const StateView& state) override {
    return (emissions(targets, step.hidden, state) + step.log_alignment)
        .logsumexp(2)
        .masked_fill(targets == kPad, 0);
  }

  TokenLoss loss(const Step& step, const Tensor& targets, double label_smoothing,
                 const StateView& state) override {
    if (label_smoothing > 0) return Output::loss(step, targets, label_smoothing, state);
    const CountedTargets counted(targets);
    const Tensor alignment = counted.rows_of(step.log_alignment);  // [N,S]
    const TargetLogSoftmax words =
        target_words(counted.rows_of(emitting_states(step.hidden, state)), counted.ids);
    const Tensor cost = -(words.log_probs.view_as(alignment) + alignment).logsumexp(1).sum();  // []
    const torch::NoGradGuard no_grad;
    const Tensor mixture = torch::bmm(alignment.exp().unsqueeze(1),
                                      words.probabilities.unflatten(0, alignment.sizes()))
                               .squeeze(1);  // [N,V]
    return {cost, cost.detach().to(torch::kDouble), counted.size(),
            mixture.argmax(1).eq(counted.ids).sum()};
  }

 private:
  // tanh(S [s_t; h_i]) of the states [R,T,W].  [R,T,S,W]
  Tensor emitting_states(const Tensor& hidden, const StateView& state) {
    const int64_t hypotheses = state.hypotheses();
    const Tensor own = by_sentence(state_(hidden), hypotheses).unsqueeze(2);  // [N,B·T,1,W]
    return by_hypothesis((own + state.get(emitting_).unsqueeze(1)).tanh(), hypotheses);
  }

  // x [N,S,W] of the positions that emit a token [N] each; log-probabilities [N·S,1].
  TargetLogSoftmax target_words(const Tensor& x, const Tensor& tokens) {
    return target_log_softmax(projected(x.flatten(0, 1)), weight(), bias(),
                              tokens.repeat_interleave(x.size(1)));
  }

  // log p(token | a = i) of tokens [R,T] from the states [R,T,W] before them.  [R,T,S]
  Tensor emissions(const Tensor& tokens, const Tensor& hidden, const StateView& state) {
    const Tensor x = emitting_states(hidden, state);
    return target_words(x.flatten(0, 1), tokens.flatten())
        .log_probs.view({x.size(0), x.size(1), x.size(2)});
  }

  // e  [R,T,S]
  Tensor position_scores(const Tensor& hidden, const StateView& state) const {
    const int64_t hypotheses = state.hypotheses();
    return by_hypothesis(
        torch::matmul(by_sentence(hidden, hypotheses), state.get(aligning_).transpose(1, 2)),
        hypotheses);
  }

  // log p(a_t = i | a_{t-1} = j)  [R,T,S of j,S of i]
  Tensor transitions(const Tensor& hidden, const StateView& state) {
    const Tensor possible = state.by_row(possible_).unsqueeze(1).unsqueeze(1);  // [R,1,1,S]
    const int64_t size = possible.size(3);
    const Tensor positions = torch::arange(size, hidden.device());
    const Tensor jumps = positions - positions.unsqueeze(1) - config_.first_jump();  // [S,S]
    if (config_.order == 0)
      return log_distribution(position_scores(hidden, state).unsqueeze(2), possible & (jumps >= 0));
    const int64_t hypotheses = state.hypotheses(), count = config_.jumps();
    const Tensor own = by_sentence(jump_of_state_(hidden), hypotheses).unsqueeze(2);
    const Tensor u =
        by_hypothesis(own + state.get(aligning_).unsqueeze(1), hypotheses);  // [R,T,S,J]
    const Tensor index = jumps.clamp(0, count - 1).expand({u.size(0), u.size(1), size, size});
    return log_distribution(u.gather(3, index), possible & (jumps >= 0) & (jumps < count));
  }

  // log α of each step, after the tokens [R,T].  [R,T,S]
  Tensor forward_algorithm(const Tensor& tokens, const Tensor& hidden, const StateView& state) {
    const int64_t steps = hidden.size(1);
    const Tensor transitions = this->transitions(hidden, state);
    const Tensor begin =
        torch::full({1, transitions.size(3)}, kImpossible, hidden.options().requires_grad(false))
            .index_fill(1, torch::zeros({1}, tokens.options()), 0);     // a_0
    const Tensor is_begin = (state.positions() == steps).unsqueeze(1);  // [R,1]
    const bool continues = state.has(alpha_);
    const Tensor before =
        continues ? state.get(state_before_) : torch::zeros_like(hidden.select(1, 0));
    const Tensor emitted = emissions(
        tokens, torch::cat({before.unsqueeze(1), hidden.narrow(1, 0, steps - 1)}, 1), state);
    Tensor alpha = torch::zeros_like(emitted.select(1, 0));
    if (continues) {  // sentences that have joined since may be longer
      alpha = state.get(alpha_);
      alpha = torch::constant_pad_nd(alpha, {0, emitted.size(2) - alpha.size(1)}, kImpossible);
    }
    std::vector<Tensor> alphas;
    for (int64_t t = 0; t < steps; ++t) {
      Tensor posterior = torch::log_softmax(alpha + emitted.select(1, t), 1);  // [R,S]
      if (t == 0) posterior = torch::where(is_begin, begin, posterior);
      alpha = (posterior.unsqueeze(2) + transitions.select(1, t)).logsumexp(1);
      alphas.push_back(alpha);
    }
    state.put(alpha_, alpha);
    state.put(state_before_, hidden.select(1, steps - 1));
    return torch::stack(alphas, 1);
  }

  HardMonotonicConfig config_;
  std::string source_name_;  // of several sources, the one that is aligned; empty: the only one
  Linear state_, source_;    // S
  Linear key_;               // T, of order 0
  Linear jump_of_state_, jump_of_source_;  // U, of order 1
  MemorySlot readable_ = layout_.memory("readable"),
             possible_ = layout_.memory("possible");       // [N,S]
  MemorySlot emitting_ = layout_.memory("emitting");       // S h [N,S,W]
  MemorySlot aligning_ = layout_.memory("aligning");       // T h or U h [N,S,·]
  CarrySlot alpha_ = layout_.carry("alpha", kImpossible);  // log α [R,S]
  CarrySlot state_before_ = layout_.carry("state");        // s_t [R,W]
};

}  // namespace

std::shared_ptr<Output> builders::hard_monotonic(const OutputConfig& config, const OutputDims& dims,
                                                 std::shared_ptr<Embedding> embedding) {
  return std::make_shared<HardMonotonic>(settings_as<HardMonotonicConfig>(config), dims,
                                         std::move(embedding));
}

}  // namespace heed
