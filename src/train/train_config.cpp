#include "train/train_config.h"

#include "config/sizes.h"

namespace heed {

namespace {

const Words<std::string>& tokenizers() {
  static const Words<std::string> words = [] {
    Words<std::string> list;
    for (const BleuTokenizer& tokenizer : bleu_tokenizers())
      list.emplace_back(tokenizer.name, tokenizer.name);
    return list;
  }();
  return words;
}

}  // namespace

void ValidateConfig::fields(Fields& f) {
  f.field("every", every, kPositive, "updates between two validations");
  f.choice(
      "metric", metric, validation_metrics(),
      "what the best checkpoint, patience and the plateau schedule go by: loss, perplexity or "
      "accuracy of the target tokens, their ends among them, or a metric of `heed evaluate`, "
      "of translations by beam search; the test sets are scored by that one too, else by bleu");
  f.field("patience", patience, kPositive,
          "validations in a row without a new best after which training stops; ~: never");
  f.choice("tokenize", tokenize, tokenizers(),
           "how BLEU splits text into words, as in `heed evaluate`; where a language writes none "
           "between spaces: char, or zh for Chinese");
  f.field("samples", samples, IntRange{0, 1000},
          "translations shown in the log at each validation");
}

void KeepConfig::fields(Fields& f) {
  f.field("best", best, kPositive, "checkpoints kept for their validation score");
  f.field("last", last, kPositive, "newest checkpoints kept");
}

void ValidateConfig::validate(Problems& problems) const {
  if (tokenize != ValidateConfig().tokenize && test_metric() != "bleu")
    problems.add("tokenize", fmt::format("is a setting of bleu, and the metric is {}: leave it out",
                                         metric.name));
}

TrainConfig::TrainConfig()
    : optimizer(make_kind<AdamConfig>("adam")), schedule(make_kind<ConstantSchedule>("constant")) {}

void TrainConfig::fields(Fields& f) {
  f.section("batch", batch, "size of a batch");
  f.field("accumulate", accumulate, IntRange{1, 10'000},
          "batches whose gradients are added up for one update");
  f.one_of("optimizer", optimizer, optimizers(), "how gradients become steps");
  f.one_of("schedule", schedule, schedules(), "how the rate of the optimizer changes");
  f.field("clip", clip, kZeroOrMore, "greatest norm of the whole gradient; 0: not clipped");
  f.field("label_smoothing", label_smoothing, kDropout,
          "share of the target's probability that is spread evenly over the vocabulary");
  f.section("coverage", coverage, "a cost of reading the same places of the source again");
  f.field("max_updates", max_updates, kPositive, "training ends after this many updates");
  f.field("max_epochs", max_epochs, kPositive,
          "training ends after this many passes over the data");
  f.duration("max_time", max_time, "training ends after this much time, resumed runs added up");
  f.section("validate", validation, "when and by what the model is judged");
  f.section("keep", keep, "how many checkpoints stay");
  f.field("save_every", save_every, kPositive,
          "updates between two checkpoints beside those at validations and at the end");
  f.field("log_every", log_every, kPositive, "updates between two lines of the log");
  f.field("workers", workers, kThreads,
          "threads that share each update's sentences on a CPU; ~: one a core. Changes results by "
          "rounding");
  f.field("max_skipped", max_skipped, kPositive,
          "updates in a row with a loss or gradient that is not finite after which the run fails");
}

void TrainConfig::validate(Problems& problems) const {
  if (!max_updates && !max_epochs && !max_time) {
    problems.add("",
                 "nothing ends the training; give at least one of max_updates, max_epochs and "
                 "max_time");
  }
}

}  // namespace heed
