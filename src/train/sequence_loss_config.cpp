#include "train/sequence_loss_config.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"
#include "config/idle.h"
#include "config/sizes.h"
#include "metric/registry.h"

namespace heed {

namespace {

const Words<SequenceLoss> kLosses = {{"risk", SequenceLoss::kRisk},
                                     {"self_critical", SequenceLoss::kSelfCritical}};

}  // namespace

// Sets the defaults of a preset; keys in the config are read afterwards and override them.
void SequenceLossConfig::take_preset() {
  const SequenceLossConfig usual;
  const bool shen = preset == Preset::kShen;
  loss = usual.loss;
  metric = shen ? "bleu" : usual.metric;
  samples = shen ? 100 : usual.samples;
  reference = shen;
  alpha = usual.alpha;
}

void SequenceLossConfig::fields(Fields& f) {
  static const Words<Preset> presets = {{"none", Preset::kNone}, {"shen", Preset::kShen}};
  const Preset before = preset;
  f.choice("preset", preset, presets,
           "shen: the loss, metric, samples, reference and alpha of Shen 2016, where these are not "
           "set: the risk of BLEU over 100 samples and the reference, α = 0.005");
  f.complete([&] {
    if (preset != before) take_preset();
  });
  f.choice("loss", loss, kLosses,
           "minimum risk (Shen 2016), or self-critical: REINFORCE with the cost of the greedy "
           "translation as baseline (Rennie 2017)");
  f.field(
      "metric", metric,
      "metric of sentences, as in `heed evaluate`: chrf, bleu, ter, rougeL, …; bleu counts words "
      "by the tokenizer of train.validate.tokenize");
  f.field("samples", samples, IntRange{1, 1000},
          "translations that are sampled for each sentence; memory and time grow with it");
  f.field("reference", reference, "risk: whether the reference is one of the candidates");
  f.field("alpha", alpha, kAboveZero, "risk: sharpness α of the distribution over candidates");
  if (loss == SequenceLoss::kSelfCritical) {
    idle(f, "reference", "with `loss: self_critical`");
    idle(f, "alpha", "with `loss: self_critical`");
  }
  f.field("weight", weight, kFraction, "λ: weight of this loss; that of cross-entropy is 1 - λ");
  f.field("after", after, kNotNegative,
          "updates of the run with cross-entropy alone before it, those before a phase included; "
          "samples of an untrained model teach nothing");
}

void SequenceLossConfig::validate(Problems& problems) const {
  const std::vector<std::string> metrics = single_metric_names();
  if (std::ranges::count(metrics, metric) == 0)
    problems.add("metric", fmt::format("found '{}', expected one of {}{}", metric,
                                       fmt::join(metrics, ", "), did_you_mean(metric, metrics)));
  if (loss == SequenceLoss::kRisk && samples == 1 && !reference)
    problems.add("samples", "is 1, and the risk of one candidate has no gradient: use 2 or more");
}

}  // namespace heed
