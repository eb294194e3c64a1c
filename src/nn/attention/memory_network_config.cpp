#include "nn/attention/memory_network_config.h"

#include "base/error.h"
#include "config/sizes.h"

namespace heed {

void MemoryNetworkConfig::fields(Fields& f) {
  static const Words<Tying> words = {
      {"adjacent", Tying::kAdjacent}, {"layer_wise", Tying::kLayerWise}, {"none", Tying::kNone}};
  f.field("hops", hops, kRounds, "layers, each of which reads once");
  f.choice(
      "tying", tying, words,
      "what layers share: the output embedding with the next layer's input, both of all with a "
      "map H between them, or nothing");
  f.field("embed", embed,
          "embed the rows of the source by A and C and the query by B; false: they are embedded, "
          "each by all of them, side by side");
  f.field("linear_start", linear_start, kNotNegative,
          "updates of training without the softmax, and without losses of the weights, which are "
          "any numbers then; validation has it always");
}

void MemoryNetworkConfig::check(const AttentionDims& dims, Problems& problems) const {
  if (dims.place != Place::kCross)
    return problems.add("", "the memory is the encoder output: use it in decoder.attention");
  if (!embed) {
    const int64_t width = dims.source.value, count = embeddings();
    if (dims.source.key == width && dims.query == width && width % count == 0) return;
    return problems.add(
        "embed", fmt::format("false reads {} embeddings side by side, so query and source are "
                             "equally wide, a multiple of {}; found {} and {}",
                             count, count, dims.query, width));
  }
  if (tying == Tying::kAdjacent && hops > 1 && dims.source.key != dims.source.value) {
    problems.add("tying", fmt::format("adjacent reads keys of width {} and values of width {} by "
                                      "the same embedding: make them equal, or take layer_wise",
                                      dims.source.key, dims.source.value));
  }
}

namespace kinds {
Kind<AttentionConfig> memory_network() {
  return kind<MemoryNetworkConfig, AttentionConfig>(
      "memory_network", "layers that read a memory one after the other (Sukhbaatar 2015)");
}
}  // namespace kinds

}  // namespace heed
