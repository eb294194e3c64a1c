#include "inference/saved_keys.h"

#include "config/sizes.h"

namespace heed {

const Registry<PlainKeys>& no_kinds() {
  static const Registry<PlainKeys> none = {};
  return none;
}

void ProductScoreKeys::fields(Fields& f) const {
  f.field("project", project, kNoHelp);
  f.field("width", width, kWidthsOrNone, kNoHelp);
}

void AdditiveScoreKeys::fields(Fields& f) const {
  f.field("hidden", hidden, kWidths, kNoHelp);
  f.field("normalize", normalize, kNoHelp);
}

void WeightedSumKeys::fields(Fields& f) const { f.field("project", project, kNoHelp); }

void StagedKeys::fields(Fields& f) const {
  static const Registry<PlainKeys> scores = {
      kind<ProductScoreKeys, PlainKeys>("scaled_dot", kNoHelp),
      kind<ProductScoreKeys, PlainKeys>("dot", kNoHelp),
      kind<PlainKeys, PlainKeys>("general", kNoHelp),
      kind<AdditiveScoreKeys, PlainKeys>("additive", kNoHelp),
      kind<AdditiveScoreKeys, PlainKeys>("concat", kNoHelp)};
  static const Registry<PlainKeys> normalizers = {kind<PlainKeys, PlainKeys>("softmax", kNoHelp)};
  static const Registry<PlainKeys> readouts = {
      kind<WeightedSumKeys, PlainKeys>("weighted_sum", kNoHelp)};
  static const Registry<PlainKeys> combinations = {kind<PlainKeys, PlainKeys>("concat", kNoHelp)};
  f.one_of("score", score, scores, kNoHelp);
  f.list_of("terms", terms, no_kinds(), kNoHelp);
  f.one_of("normalizer", normalizer, normalizers, kNoHelp);
  f.one_of("read", read, readouts, kNoHelp);
  f.field("heads", heads, kHeads, kNoHelp);
  f.one_of("head_combination", head_combination, combinations, kNoHelp);
  f.one_of("disagreement", disagreement, no_kinds(), kNoHelp, true);
  f.field("dropout", dropout, kDropout, kNoHelp);
}

const Registry<AttentionKeys>& attention_key_kinds() {
  static const Registry<AttentionKeys> kinds = {kind<StagedKeys, AttentionKeys>("staged", kNoHelp)};
  return kinds;
}

}  // namespace heed
