// `chunks`: attention over the sentences of a document, combined with attention over its words; for
// an encoder `hierarchical` with `states: words`. With p_j the weights of the words, m(j) the
// sentence of word j, x_m a vector of sentence m, and P = softmax over the sentences of
// vᵀ tanh(W q + b + U x_m):
//   combine: scale   x_m is the state of the sentence in the sentence encoder,
//                    a_j = p_j P_m(j) / Σ_k p_k P_m(k)           (Nallapati et al. 2016, section 2.3)
//   combine: chunk   α_j = p_j / Σ_{k in m(j)} p_k, x_m = c_m = Σ_{j in m} α_j h_j the context
//                    vector of the sentence, a_j = P_m(j) α_j: the result is Σ_m P_m c_m, attention
//                    over these context vectors (Yang et al. 2016, section 2.2, with the query)
// Both sum to 1 if any position is readable. Sentences without weight have P = 0.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/normalizers/masked_softmax.h"
#include "nn/attention/terms/chunks_config.h"
#include "nn/chunks.h"
#include "nn/linear.h"

namespace heed {

namespace {

using Combine = ChunksConfig::Combine;

// A smaller weight of a sentence counts as 0: the gradient of a quotient would overflow.
constexpr double kLeast = 1e-30;

class Chunks final : public Term {
 public:
  Chunks(Combine combine, int64_t hidden, const StageDims& dims)
      : combine_(combine), query_(*this, "query", dims.query, hidden) {
    // The names differ, because they are parameters of different formulas.
    chunk_ = combine == Combine::kScale
                 ? Linear(*this, "chunk", dims.source.chunk, hidden, kNoBias)
                 : Linear(*this, "context", dims.source.value, hidden, kNoBias);
    score_ = Linear(*this, "score", hidden, 1, kNoBias);
  }

  Tensor reweigh(const Tensor& weights, const At& at) override {
    const Tensor states = at.features.at(kChunkStates);  // [R,C,W]
    const Tensor chunks = at.features.at(kChunks);       // [R,S]
    const Tensor mask = length_mask(at.reach.squeeze(1), chunks.size(1));
    const Tensor members = chunk_members(chunks, mask, states.size(1))
                               .to(weights.scalar_type())
                               .unsqueeze(1);                             // [R,1,C,S]
    const Tensor sums = torch::matmul(weights, members.transpose(2, 3));  // [R,H,T,C]
    return combine_ == Combine::kScale ? scaled(weights, members, sums, at)
                                       : attended(weights, members, sums, at);
  }

 private:
  Tensor scaled(const Tensor& weights, const Tensor& members, const Tensor& sums, const At& at) {
    const Tensor states = chunk_(at.features.at(kChunkStates));  // [R,C,D]
    const Tensor shut = sums <= kLeast;
    const Tensor scores = scores_of(states.unsqueeze(1).unsqueeze(1), at)
                              .masked_fill(shut, lowest_score(weights.scalar_type()));  // [R,H,T,C]
    // P over the greatest one, so that not all products are 0.
    const Tensor relative = (scores - scores.detach().amax(-1, true)).exp().masked_fill(shut, 0);
    const Tensor products = weights * torch::matmul(relative, members);  // [R,H,T,S]
    const Tensor all = products.sum(-1, true);
    return products / all.masked_fill(all <= 0, 1);
  }

  Tensor attended(const Tensor& weights, const Tensor& members, const Tensor& sums, const At& at) {
    const Tensor shut = sums <= kLeast;
    const Tensor inverse = (1 / sums.masked_fill(shut, 1)).masked_fill(shut, 0);
    const Tensor alpha = weights * torch::matmul(inverse, members);  // [R,H,T,S]
    // U c_m = Σ α_j U h_j
    const Tensor words = chunk_(at.features.at(kWordStates)).unsqueeze(1).unsqueeze(1);
    const Tensor contexts =
        torch::matmul(alpha.unsqueeze(3) * members.unsqueeze(2), words);      // [R,H,T,C,D]
    const Tensor of_chunks = masked_softmax(scores_of(contexts, at), ~shut);  // P [R,H,T,C]
    return alpha * torch::matmul(of_chunks, members);
  }

  // vᵀ tanh(W q + b + U x) of x [R,1|H,1|T,C,D], multiplied by U.  [R,1|H,T,C]
  Tensor scores_of(const Tensor& projected, const At& at) {
    const Tensor asked = query_(at.query).unsqueeze(1).unsqueeze(3);  // [R,1,T,1,D]
    return score_(torch::tanh(asked + projected)).squeeze(4);
  }

  Combine combine_;
  Linear query_, chunk_, score_;  // W, U, v
};

}  // namespace

std::shared_ptr<Term> builders::chunks(const TermConfig& config, const StageDims& dims) {
  const auto& settings = settings_as<ChunksConfig>(config);
  return std::make_shared<Chunks>(settings.combine, settings.hidden, dims);
}

}  // namespace heed
