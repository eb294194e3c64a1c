// Softmax over the vocabulary.
#include "inference/outputs/kinds.h"

namespace heed {

namespace {

class SoftmaxDecoding final : public OutputDecoding {
 public:
  explicit SoftmaxDecoding(const OutputLayer& layer) : layer_(layer) {}
  TopK best(const StepVectors& step, int64_t count, const StepRows& rows,
            const Distributions& distributions) override {
    return layer_.best(step.hidden, count, rows, distributions, room_);
  }
  std::vector<int32_t> most_probable(const StepVectors& step, const StepRows& rows) override {
    return layer_.most_probable(step.hidden, rows, room_);
  }

 private:
  const OutputLayer& layer_;
  OutputLayer::Workspace room_;
};

class Softmax final : public OutputWeights {
 public:
  explicit Softmax(const output_kinds::OutputParts& parts)
      : layer_(parts.shape, parts.embeddings, parts.packer, parts.set) {}
  std::unique_ptr<OutputDecoding> start(const EncodedSources&) const override {
    return std::make_unique<SoftmaxDecoding>(layer_);
  }

 private:
  OutputLayer layer_;
};

}  // namespace

std::unique_ptr<const OutputWeights> output_kinds::softmax(const OutputParts& parts) {
  return std::make_unique<Softmax>(parts);
}

}  // namespace heed
