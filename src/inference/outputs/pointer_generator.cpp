// The pointer-generator (See et al. 2017), as in model/outputs/pointer_generator.cpp: G is that of a
// linear layer, and C_i the logarithm of the attention weight of position i.
#include <algorithm>
#include <cmath>

#include "inference/outputs/copying.h"
#include "inference/outputs/kinds.h"

namespace heed {

namespace {

struct PointerGeneratorWeights {
  OutputLayer layer;
  PackedMatrix gate;  // [1,·] of [context; state; input]
  OutputShape shape;
  PointerGeneratorShape own;
  const Kernels& set;
};

class PointerGeneratorDecoding final : public GenerateOrCopyDecoding {
 public:
  PointerGeneratorDecoding(const PointerGeneratorWeights& weights, const EncodedSources& sources)
      : GenerateOrCopyDecoding(weights.layer, weights.set), weights_(weights) {
    add(sources, [](CopiedSource&, int64_t) {});
  }

 protected:
  float masses(int64_t row, const StepVectors& step, float, std::span<float> copying) override {
    const bool copies_end = weights_.own.copy_end;
    const CopiedSource& source = sources_.of(row);
    const float* weights = step.weights->of(row);
    double sum = 0;
    for (int64_t i = 0; i < source.positions(); ++i) {
      const bool is_shut = source.is_end(i) && !copies_end;
      copying[i] = is_shut ? 0 : std::max(weights[i], 0.0F);
      sum += copying[i];
    }
    for (float& mass : copying)
      mass = mass > 0 ? static_cast<float>(std::log(mass / sum)) : kImpossibleLogit;
    return gate(row, step);
  }

 private:
  float gate(int64_t row, const StepVectors& step) {
    const OutputShape& shape = weights_.shape;
    const CopyState state = weights_.own.state;
    const int64_t width = shape.width_of(state);
    read_.clear();
    const auto append = [&](const float* x, int64_t columns) {
      read_.insert(read_.end(), x + row * columns, x + (row + 1) * columns);
    };
    append(step.context, shape.context);
    append(state == CopyState::kDecoder ? step.state : step.hidden, width);
    append(step.input, shape.input);
    float result = 0;
    weights_.gate.product(read_.data(), 1, &result);
    return result;
  }

  const PointerGeneratorWeights& weights_;
  AlignedFloats read_;
};

class PointerGenerator final : public OutputWeights {
 public:
  explicit PointerGenerator(const output_kinds::OutputParts& parts)
      : weights_{{parts.shape, parts.embeddings, parts.packer, parts.set},
                 parts.packer.linear({names::kGate}),
                 parts.shape.output,
                 *parts.shape.output.as<PointerGeneratorShape>(),
                 parts.set} {}
  std::unique_ptr<OutputDecoding> start(const EncodedSources& sources) const override {
    return std::make_unique<PointerGeneratorDecoding>(weights_, sources);
  }

 private:
  PointerGeneratorWeights weights_;
};

}  // namespace

std::unique_ptr<const OutputWeights> output_kinds::pointer_generator(const OutputParts& parts) {
  return std::make_unique<PointerGenerator>(parts);
}

}  // namespace heed
