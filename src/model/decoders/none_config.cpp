// Settings of the decoder none (none.cpp).
#include "model/decoder_config.h"

namespace heed {

namespace {

struct NoDecoderConfig final : DecoderConfig {
  void fields(Fields&) override {}
  int64_t hidden_width(const DecoderDims& dims) const override {
    int64_t width = 0;
    for (const auto& [name, source] : dims.sources) width += source.final_width;
    return width;
  }
  bool repeats() const override { return true; }
  SourceAttention source_attention(const DecoderDims&) const override { return {}; }
  void check(const DecoderDims& dims, Problems& problems) const override {
    if (dims.sources.empty())
      problems.add("", "none reads the last state of a source, and there is none: use rnn");
  }
};

}  // namespace

namespace kinds {
Kind<DecoderConfig> no_decoder() {
  return kind<NoDecoderConfig, DecoderConfig>(
      "none",
      "no decoder: the output layer reads the last state of the encoder, such as a document vector "
      "(Yang 2016)");
}
}  // namespace kinds

}  // namespace heed
