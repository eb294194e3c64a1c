#include "nn/attention/normalizers/structured_config.h"

#include "config/idle.h"

namespace heed {

void StructuredConfig::check(const StageDims& dims, Problems& problems) const {
  check_order(*this, dims, problems);
  if (kind == Kind::kChain || dims.place == Place::kEncoderSelf) return;
  problems.add(
      "kind",
      dims.place == Place::kDecoderSelf
          ? "tree: a later word of the target would change the heads of earlier ones; use it in "
            "the self_attention of an encoder, or kind: chain here"
          : "tree: the heads of words are words of the same sentence; use it in the self_attention "
            "of an encoder, or kind: chain here");
}

void StructuredConfig::fields(Fields& f) {
  static const Words<StructuredConfig::Kind> words = {{"chain", Kind::kChain},
                                                      {"tree", Kind::kTree}};
  f.choice("kind", kind, words,
           "chain: each key is selected or not; tree: each word reads its head in a projective "
           "dependency tree, whose root is the last position, usually </s>");
  f.field("scale", scale, kAboveZero,
          "chain: λ of the weights λ p / Σ p of marginals p; ~: the marginals themselves, whose "
          "sum grows with the sentence");
  f.field("penalty", penalty, kZeroOrMore,
          "chain: weight of |b|² of the transitions b in the loss");
  if (kind == Kind::kTree) {
    idle(f, "scale", "with `kind: tree`");
    idle(f, "penalty", "with `kind: tree`");
  }
}

namespace kinds {
Kind<NormalizerConfig> structured() {
  return kind<StructuredConfig, NormalizerConfig>(
      "structured",
      "structured attention: marginals p(z_s = 1) of a linear-chain CRF over the keys, λ p / Σ p; "
      "or of the arcs of a dependency tree (Kim 2017)");
}
}  // namespace kinds

}  // namespace heed
