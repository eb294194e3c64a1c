#include "train/sequence_loss_config.h"

#include "base/error.h"
#include "config/sizes.h"
#include "metric/registry.h"

namespace heed {

namespace {

const Words<SequenceLoss> kLosses = {{"risk", SequenceLoss::kRisk},
                                     {"self_critical", SequenceLoss::kSelfCritical}};

}  // namespace

void SequenceLossConfig::fields(Fields& f) const {
  f.choice("loss", loss, kLosses,
           "minimum risk (Shen 2016), or self-critical: REINFORCE with the cost of the greedy "
           "translation as baseline (Rennie 2017)");
  f.field("metric", metric,
          "metric of sentences, as in `heed evaluate`: chrf, bleu, ter, rougeL, …");
  f.field("samples", samples, IntRange{1, 1000},
          "translations that are sampled for each sentence; memory and time grow with it");
  f.field("reference", reference, "risk: whether the reference is one of the candidates");
  f.field("alpha", alpha, kAboveZero, "risk: sharpness α of the distribution over candidates");
  f.field("weight", weight, kFraction, "λ: weight of this loss; that of cross-entropy is 1 - λ");
  f.field(
      "after", after, kNotNegative,
      "updates with cross-entropy alone before it; samples of an untrained model teach nothing");
}

void SequenceLossConfig::validate(Problems& problems) const {
  try {
    make_metric(metric);
  } catch (const Error& error) {
    problems.add("metric", error.what());
  }
  if (loss == SequenceLoss::kRisk && samples == 1 && !reference)
    problems.add("samples", "is 1, and the risk of one candidate has no gradient: use 2 or more");
}

}  // namespace heed
