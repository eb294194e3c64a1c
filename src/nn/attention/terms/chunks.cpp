// `chunks`: attention over the sentences of a document, combined with attention over its words; for
// an encoder `hierarchical` with `states: words`. With p_j the weights of the words, m(j) the
// sentence of word j, h_m its state and P = softmax over the sentences of vᵀ tanh(W q + U h_m):
//   combine: scale   a_j = p_j P_m(j) / Σ_k p_k P_m(k)           (Nallapati et al. 2016, section 2.3)
//   combine: chunk   a_j = P_m(j) p_j / Σ_{k in m(j)} p_k: a context vector for each sentence,
//                    then attention over these                   (Yang et al. 2016, section 2.2)
// Both sum to 1 if any position is readable.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/normalizers/masked_softmax.h"
#include "nn/attention/terms/chunks_config.h"
#include "nn/chunks.h"
#include "nn/linear.h"

namespace heed {

namespace {

using Combine = ChunksConfig::Combine;

class Chunks final : public Term {
 public:
  Chunks(Combine combine, int64_t hidden, const StageDims& dims)
      : combine_(combine),
        query_(*this, "query", dims.query, hidden),
        chunk_(*this, "chunk", dims.source.chunk, hidden, kNoBias),
        score_(*this, "score", hidden, 1, kNoBias) {}

  Tensor reweigh(const Tensor& weights, const At& at) override {
    const Tensor states = at.features.at(kChunkStates);  // [R,C,W]
    const Tensor chunks = at.features.at(kChunks);       // [R,S]
    const Tensor mask = length_mask(at.reach.squeeze(1), chunks.size(1));
    const Tensor members = chunk_members(chunks, mask, states.size(1));  // [R,C,S]
    const Tensor hidden =
        torch::tanh(query_(at.query).unsqueeze(2) + chunk_(states).unsqueeze(1));  // [R,T,C,W]
    const Tensor of_chunks =
        masked_softmax(score_(hidden).squeeze(3), members.any(2).unsqueeze(1));  // P [R,T,C]
    const Tensor belongs = members.to(weights.scalar_type());
    const Tensor of_words = torch::matmul(of_chunks, belongs).unsqueeze(1);  // P_m(j) [R,1,T,S]
    const Tensor scaled = weights * of_words;                                // [R,H,T,S]
    if (combine_ == Combine::kScale) return scaled / above_zero(scaled.sum(-1, true));
    const Tensor sums = torch::matmul(torch::matmul(weights, belongs.transpose(1, 2).unsqueeze(1)),
                                      belongs.unsqueeze(1));
    return scaled / above_zero(sums);
  }

 private:
  // Sums of weights as divisors: 1 where the sum is 0.
  static Tensor above_zero(const Tensor& sums) { return sums.masked_fill(sums <= 0, 1); }

  Combine combine_;
  Linear query_, chunk_, score_;  // W, U, v
};

}  // namespace

std::shared_ptr<Term> builders::chunks(const TermConfig& config, const StageDims& dims) {
  const auto& settings = settings_as<ChunksConfig>(config);
  return std::make_shared<Chunks>(settings.combine, settings.hidden, dims);
}

}  // namespace heed
