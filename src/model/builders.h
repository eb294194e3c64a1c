// The modules of all encoders, joiners, decoders and outputs, built from their settings (parts.def).
#pragma once

#include <memory>

#include "model/decoder.h"
#include "model/encoder.h"
#include "model/joiner.h"
#include "model/output.h"
#include "nn/builder.h"

namespace heed {

// input: width of the embeddings; tags: AttentionDims::tags.
template <>
struct Builder<EncoderConfig> {
  using Function = std::shared_ptr<Encoder>(const EncoderConfig& config, int64_t input,
                                            int64_t tags);
};
template <>
struct Builder<JoinerConfig> {
  using Function = std::shared_ptr<Joiner>(const JoinerConfig& config,
                                           const AllSourceDims& sources);
};
template <>
struct Builder<DecoderConfig> {
  using Function = std::shared_ptr<Decoder>(const DecoderConfig& config, const DecoderDims& dims);
};
// embedding: that of the target.
template <>
struct Builder<OutputConfig> {
  using Function = std::shared_ptr<Output>(const OutputConfig& config, const OutputDims& dims,
                                           std::shared_ptr<Embedding> embedding);
};

namespace builders {
#define KIND(Config, part) Builder<Config>::Function part;
#include "model/parts.def"
#undef KIND
}  // namespace builders

std::shared_ptr<Encoder> build(const EncoderConfig& config, int64_t input, int64_t tags);
std::shared_ptr<Joiner> build(const JoinerConfig& config, const AllSourceDims& sources);
std::shared_ptr<Decoder> build(const DecoderConfig& config, const DecoderDims& dims);
std::shared_ptr<Output> build(const OutputConfig& config, const OutputDims& dims,
                              std::shared_ptr<Embedding> embedding);

}  // namespace heed
