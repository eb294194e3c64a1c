#include "model/outputs/vocabulary_scores.h"

#include "nn/torch.h"

#include "model/outputs/copying.h"

namespace heed {

VocabularyScores::VocabularyScores(const OutputDims& dims, std::shared_ptr<Embedding> embedding,
                                   bool bias)
    : embedding_(std::move(embedding)) {
  if (!dims.tie) {
    weight_ = NormedWeight(*this, {vocabulary(), dims.hidden}, dims.norm);
  } else if (dims.hidden != embedding_->width()) {
    to_embedding_ = Linear(*this, "to_embedding", dims.hidden, embedding_->width(),
                           {.bias = false, .norm = dims.norm});
  }
  if (bias) bias_ = add_parameter("bias", {vocabulary()}, Init::all(0));
}

Tensor VocabularyScores::embed(const Tensor& tokens, const StateView& state) {
  return embed_known(*embedding_, tokens, state.pass());
}

Tensor VocabularyScores::scores(const Tensor& hidden) {
  return linear(projected(hidden), weight(), bias_);
}

Tensor VocabularyScores::projected(const Tensor& hidden) {
  return to_embedding_ ? to_embedding_(hidden) : hidden;
}

Tensor VocabularyScores::weight() const {
  return weight_.defined() ? weight_.get() : embedding_->weight();
}

}  // namespace heed
