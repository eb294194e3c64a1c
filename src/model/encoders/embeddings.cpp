#include "model/encoders/embeddings.h"

#include "nn/torch.h"

namespace heed {

namespace {

class EmbeddingsEncoder final : public Encoder {
 public:
  EmbeddingsEncoder(const EmbeddingsEncoderConfig& config, int64_t input)
      : dropout_(config.dropout) {
    positions_ = register_module("positions", config.positions->build(input));
  }

  EncodedSource encode(const Tensor& x, const SourceBatch& source, const Pass& pass,
                       EncoderOutput&) override {
    const Tensor placed = positions_->add_to(x, positions_of(source.lengths, x.size(1)));
    return encoded_states(dropout(placed, dropout_, pass), source);
  }

 private:
  double dropout_;
  std::shared_ptr<Positions> positions_;
};

}  // namespace

void EmbeddingsEncoderConfig::fields(Fields& f) const {
  position_fields(f);
  f.field("dropout", dropout, kDropout, "dropout probability of the embeddings");
}

SourceDims EmbeddingsEncoderConfig::dims(int64_t input) const {
  return {.source = {.key = input, .value = input}, .cell = "", .layers = 1, .final_width = input};
}

std::shared_ptr<Encoder> EmbeddingsEncoderConfig::build(int64_t input, int64_t) const {
  return std::make_shared<EmbeddingsEncoder>(*this, input);
}

}  // namespace heed
