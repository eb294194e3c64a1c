// No network: the decoder attends to the embeddings, with position encodings. Without these it is a
// bag of words; as sentence encoder of `hierarchical` it is the memory of Sukhbaatar et al. 2015,
// whose temporal encoding T is `positions: learned` counted from the last sentence.
#include "nn/torch.h"

#include "model/builders.h"
#include "model/encoders/embeddings_config.h"
#include "nn/positions.h"

namespace heed {

namespace {

class EmbeddingsEncoder final : public Encoder {
 public:
  EmbeddingsEncoder(const EmbeddingsEncoderConfig& config, int64_t input)
      : dropout_(config.dropout), from_end_(config.from_end) {
    positions_ = register_module("positions", build(*config.positions, input));
  }

  EncodedSource encode(const Tensor& x, const SourceBatch& source, const Pass& pass,
                       EncoderOutput&) override {
    const Tensor begin = positions_of(source.lengths, x.size(1));
    const Tensor placed = positions_->add_to(
        x, from_end_ ? (source.lengths.unsqueeze(1) - 1 - begin).clamp_min(0) : begin);
    return encoded_states(dropout(placed, dropout_, pass), source);
  }

 private:
  double dropout_;
  bool from_end_;
  std::shared_ptr<Positions> positions_;
};

}  // namespace

std::shared_ptr<Encoder> builders::embeddings_encoder(const EncoderConfig& config, int64_t input,
                                                      int64_t) {
  return std::make_shared<EmbeddingsEncoder>(settings_as<EmbeddingsEncoderConfig>(config), input);
}

}  // namespace heed
