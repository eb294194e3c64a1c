// monotonic: attention that moves from key to key, never back, and stops at key j with probability
// p_ij = sigmoid(e_ij + r + noise), with a learned r and N(0, σ²) noise in training, which makes it
// learn probabilities near 0 and 1 (Raffel et al. 2017, sections 2.4 and 2.5). The paper's energy,
// g v / |v| tanh(W s + V h + b) + r (equation 16), needs score: {type: additive, normalize: true};
// StagedConfig::notes() says so to those who leave it out.
// In training the weights are the expected alignment (equations 8 to 11):
//   α_ij = p_ij Σ_{k<=j} α_{i-1},k Π_{k<=l<j} (1 - p_il),
// in inference the hard alignment: the first key from the previous one on with p > ½ (algorithm 1).
// It starts at the first key and skips masked keys; if no key is left, all later weights are 0, so
// that weights may sum to less than 1. The lower the initial r, the more keys a query skips: p =
// 1/S for r = -ln(S - 1). If it is too low, short sources are skipped and the model learns to
// ignore them: grapheme-to-phoneme conversion of words of about eight letters had a word error rate
// of 35.6 % with -4 and 12.4 % with -1.
//
// chunk: w is MoChA (Chiu and Raffel 2018): a softmax with separate scores u over the w keys up to
// the selected one; in training, equation 16 there,
//   β_ij = Σ_{k=j}^{j+w-1} α_ik exp(u_ij) / Σ_{l=k-w+1}^{k} exp(u_il).
// Terms that add to scores change the energies e, which select, not u.
#include <limits>
#include <numbers>

#include "nn/torch.h"

#include "base/error.h"
#include "nn/attention/builders.h"
#include "nn/attention/normalizers/masked_softmax.h"
#include "nn/attention/normalizers/monotonic_config.h"
#include "nn/attention/scores/second_scores.h"

namespace heed {

namespace {

// Position behind all keys, for any length.
constexpr int64_t kOffTheEnd = std::numeric_limits<int64_t>::max() / 2;

class Monotonic final : public Normalizer {
 public:
  Monotonic(const MonotonicConfig& config, const StageDims& dims) : config_(config) {
    if (config.offset) offset_ = add_parameter("offset", {1}, Init::all(*config.offset));
    if (!config.chunk) return;
    HEED_CHECK(dims.score != nullptr, "chunks without a score");
    chunk_scores_.emplace(build(*dims.score, dims), layout_);
  }

  void start(const Source& source, StateView own) override {
    if (chunk_scores_) chunk_scores_->start(source, own);
  }
  void append(const Tensor& keys, const Tensor& positions, StateView own) override {
    if (chunk_scores_) chunk_scores_->append(keys, positions, own);
  }
  Tensor prepare_queries(const Tensor& x, const Tensor& positions) override {
    return chunk_scores_ ? chunk_scores_->prepare_queries(x, positions) : Tensor();
  }
  void remember(const At& at, const Tensor& weights) override {
    if (chunk_scores_) chunk_scores_->remember(at, weights);
  }
  std::shared_ptr<Scorer> second_scorer() const override {
    return chunk_scores_ ? chunk_scores_->scorer() : nullptr;
  }

  Tensor weights(const Tensor& scores, const Tensor& mask, const At& at) override {
    const Tensor u = chunk_scores_ ? chunk_scores_->scores(at) : Tensor();
    const Tensor energies = energies_of(scores).flatten(1, 2);  // [R,H·T,S], as of heads
    const Tensor open = mask.expand_as(scores).flatten(1, 2);
    const bool is_hard = !at.pass.training && config_.reads_ahead();
    Tensor last = carried(at, last_);
    if (last.defined()) last = last.flatten(1, 2);
    const auto by_query = [&scores](const Tensor& x) {
      return x.unflatten(1, scores.sizes().slice(1, 2));
    };
    const Tensor stops =
        is_hard ? stop(energies, open, last) : expected(energies, open, last, at.pass);  // α
    carry(at, last_, by_query(last));
    if (!config_.chunk) return by_query(stops);
    return by_query(over_chunks(stops, u.flatten(1, 2), open));
  }

  SparseWeights read(const ScoredKeys& keys, const At& at) override {
    const Tensor last = carried(at, last_);
    const auto [position, found] =
        go_on(keys, last.defined() ? last.squeeze(2) : first_position(at.queries));
    carry(at, last_, position.masked_fill(~found, kOffTheEnd).unsqueeze(2));
    const int64_t width = config_.chunk.value_or(1);
    SparseWeights sparse;
    sparse.positions = position.unsqueeze(2) + torch::arange(1 - width, 1, position.options());
    if (!config_.chunk) {
      sparse.weights = torch::ones_like(sparse.positions, at.queries.options());
    } else {
      sparse.weights = masked_softmax(chunk_scores_->scores_of(sparse.positions, at),
                                      keys.open(sparse.positions));
    }
    sparse.weights = sparse.weights * found.unsqueeze(2);
    return sparse;
  }

 private:
  Tensor energies_of(const Tensor& scores) const {
    return offset_.defined() ? scores + offset_ : scores;
  }
  static Tensor first_position(const Tensor& queries) {
    return torch::zeros({queries.size(0), queries.size(1)},
                        queries.options().dtype(torch::kLong).requires_grad(false));
  }

  // The selected key from `position` [R,H] on, block by block, and whether there is one.
  std::pair<Tensor, Tensor> go_on(const ScoredKeys& keys, Tensor position) const {
    constexpr int64_t kBlock = 8;
    const Tensor ahead = torch::arange(kBlock, position.options());
    Tensor found = torch::zeros_like(position, torch::kBool);
    while (!(found | (position >= keys.count())).all().item<bool>()) {
      const Tensor positions = position.unsqueeze(2) + ahead;  // [R,H,B]
      const Tensor stops = keys.open(positions) & (energies_of(keys.scores(positions)) > 0);
      const Tensor here = stops.any(2);
      const Tensor step = torch::where(here, stops.to(torch::kInt).argmax(2), kBlock);
      position = torch::where(found, position, position + step);
      found = found | here;
    }
    return {position, found};
  }

  // The same over all keys at once.  [R,H,S]
  static Tensor stop(const Tensor& energies, const Tensor& open, Tensor& last) {
    const Tensor positions = torch::arange(energies.size(2), open.options().dtype(torch::kLong));
    Tensor stops = open & (energies > 0);
    if (last.defined()) stops = stops & (positions >= last.unsqueeze(2));
    const Tensor found = stops.any(2), position = stops.to(torch::kInt).argmax(2);  // [R,H]
    last = position.masked_fill(~found, kOffTheEnd);
    return positions.eq(last.unsqueeze(2)).to(energies.scalar_type());
  }

  // The expected alignment after `last`, that of the query before with a 1 before its first
  // position: zeros are those of no query before.  [R,H,S]
  Tensor expected(Tensor energies, const Tensor& open, Tensor& last, const Pass& pass) const {
    if (pass.training && config_.noise > 0)
      energies = energies + config_.noise * normal_numbers(energies, pass);
    const Tensor p = torch::sigmoid(energies).masked_fill(~open, 0);
    const int64_t count = p.size(2);
    const Tensor since = last.defined() ? last : torch::zeros_like(p.narrow(2, 0, 1)),
                 before = torch::constant_pad_nd(since.narrow(2, 1, since.size(2) - 1),
                                                 {0, count + 1 - since.size(2)});  // with new keys
    Tensor arriving = 1 - since.select(2, 0);                                      // [R,H]
    std::vector<Tensor> stops;
    for (int64_t j = 0; j < count; ++j) {
      arriving = arriving + before.select(2, j);
      stops.push_back(arriving * p.select(2, j));
      arriving = arriving - stops.back();
    }
    const Tensor alignment = torch::stack(stops, 2);
    last = torch::constant_pad_nd(alignment, {1, 0}, 1);
    return alignment;
  }

  // β of α, scores u and what may be read, each [R,H,S].
  Tensor over_chunks(const Tensor& stops, const Tensor& scores, const Tensor& open) const {
    const int64_t width = *config_.chunk, count = scores.size(2);
    const double lowest = lowest_score(scores.scalar_type());
    const auto chunks_of = [&](const Tensor& x, double outside) {
      return torch::constant_pad_nd(x, {width - 1, 0}, outside).unfold(2, width, 1);  // [R,H,S,w]
    };
    const Tensor in_chunk = masked_softmax(chunks_of(scores, lowest), chunks_of(open, 0));
    const Tensor parts = in_chunk * stops.unsqueeze(3);  // contribution of k to the keys up to it
    Tensor weights = torch::zeros_like(scores);
    for (int64_t back = 0; back < std::min(width, count); ++back) {
      const Tensor part = parts.select(3, width - 1 - back).narrow(2, back, count - back);
      weights = weights + torch::constant_pad_nd(part, {0, back});
    }
    return weights;
  }

  // Box and Muller 1958.
  static Tensor normal_numbers(const Tensor& like, const Pass& pass) {
    constexpr double kSmallest = 1e-12;
    const Tensor radius =
        uniform_numbers(like.sizes(), like, pass).clamp_min(kSmallest).log().mul(-2).sqrt();
    return radius * (2 * std::numbers::pi * uniform_numbers(like.sizes(), like, pass)).cos();
  }

  MonotonicConfig config_;
  Tensor offset_;                             // r [1]
  std::optional<SecondScores> chunk_scores_;  // u, with chunks
  CarrySlot last_ = layout_.carry("last");    // [R,H] selected key, or [R,H,1+S] as of expected()
};

}  // namespace

std::shared_ptr<Normalizer> builders::monotonic(const NormalizerConfig& config,
                                                const StageDims& dims) {
  return std::make_shared<Monotonic>(settings_as<MonotonicConfig>(config), dims);
}

}  // namespace heed
