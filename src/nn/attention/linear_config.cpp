#include "nn/attention/linear_config.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "config/idle.h"
#include "config/sizes.h"

namespace heed {

namespace {

struct PlainFeatures final : FeaturesConfig {
  void fields(Fields&) override {}
};

}  // namespace

void PerformerFeatures::fields(Fields& f) {
  static const Words<Draw> draws = {{"head", Draw::kByHead}, {"shared", Draw::kShared}};
  f.field("random_features", random_features, kWidths,
          "number of random features per head; default: D ln D, D the width of a head");
  f.choice("draw", draw, draws,
           "random features drawn by layer, head and seed, or one fixed draw for all heads of all "
           "models");
  f.field("redraw", redraw, kNotNegative,
          "updates after which the random features are redrawn; 0: never");
  if (draw == Draw::kShared && redraw > 0) idle(f, "redraw", "with `draw: shared`");
}

int64_t PerformerFeatures::count(int64_t width) const {
  const auto d = static_cast<double>(width);
  return random_features.value_or(
      std::max<int64_t>(1, static_cast<int64_t>(std::ceil(d * std::log(d)))));
}

void LinformerFeatures::fields(Fields& f) {
  f.field("slots", slots, kLengths, "length that a sentence is projected to");
  f.field("max_positions", max_positions, kTablePositions,
          "maximum length; later positions share the last projection");
}

const Registry<FeaturesConfig>& feature_maps() {
  static const Registry<FeaturesConfig> list = {
      kind<PlainFeatures, FeaturesConfig>("elu", "elu(x) + 1 (Katharopoulos 2020)"),
      kind<PerformerFeatures, FeaturesConfig>(
          "performer", "positive orthogonal random features (Choromanski 2021)"),
      kind<PlainFeatures, FeaturesConfig>("efficient",
                                          "queries and keys normalized separately (Shen 2019)"),
      kind<LinformerFeatures, FeaturesConfig>(
          "linformer", "softmax over projections to a fixed length (Wang 2020)"),
  };
  return list;
}

void LinearConfig::fields(Fields& f) {
  f.one_of("features", features, feature_maps(), "feature map or projection");
  f.field("heads", heads, kHeads,
          "number of attention heads; default: 8 inside a Transformer block, else 1");
}

void LinearConfig::check(const AttentionDims& dims, Problems& problems) const {
  if (features->needs_whole_sentence()) check_order(*this, dims, problems);
  const int64_t count = weight_heads(dims);
  if (dims.query % count != 0 || context_width(dims) % count != 0) {
    problems.add("heads",
                 fmt::format("{} heads do not divide the widths {} of queries and {} of values",
                             count, dims.query, context_width(dims)));
  }
  if (features->needs_whole_sentence() && dims.place == Place::kDecoderSelf) {
    problems.add("features",
                 features->type +
                     " needs the whole sentence, which a decoder does not have: use elu, "
                     "performer or efficient");
  }
}

int64_t LinearConfig::context_width(const AttentionDims& dims) const {
  return dims.block > 0 ? dims.block : dims.source.value;
}

namespace kinds {
Kind<AttentionConfig> linear() {
  return kind<LinearConfig, AttentionConfig>(
      "linear", "linear attention: elu, performer, efficient, linformer");
}
}  // namespace kinds

}  // namespace heed
