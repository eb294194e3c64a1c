#include "train/train_config.h"

#include <algorithm>

#include "config/sizes.h"

namespace heed {

namespace {

const Words<std::string>& validation_tokenizers() {
  static const Words<std::string> words = [] {
    Words<std::string> list;
    for (const BleuTokenizer& tokenizer : bleu_tokenizers())
      list.emplace_back(tokenizer.name, tokenizer.name);
    return list;
  }();
  return words;
}

const Words<TrainPrecision>& precision_words() {
  static const Words<TrainPrecision> words = {{"auto", TrainPrecision::kAuto},
                                              {"fp32", TrainPrecision::kFp32},
                                              {"bf16", TrainPrecision::kBf16}};
  return words;
}

}  // namespace

const char* precision_name(TrainPrecision precision) {
  return precision_words()[static_cast<size_t>(precision)].first;
}

void ValidateConfig::fields(Fields& f) const {
  f.field("every", every, kPositive, "updates between validations");
  f.choice("metric", metric, validation_metrics(),
           "metric that selects the best checkpoint and is used by patience and the plateau "
           "schedule: loss, perplexity or accuracy of the target tokens (</s> included), or a "
           "metric of `heed evaluate` on translations by beam search; test sets are scored with "
           "the same metric, or with bleu if it needs no translations");
  f.field("patience", patience, kPositive,
          "early stopping: validations in a row without improvement; ~ turns it off");
  f.choice("tokenize", tokenize, validation_tokenizers(),
           "tokenizer of BLEU, as in `heed evaluate`; char, zh for Chinese or ja-mecab for "
           "Japanese, for languages without spaces between words");
  f.list(
      "metrics", metrics,
      "further metrics of the translations, which are logged and select nothing: [chrf, ter]; of "
      "test sets as well");
  f.field(
      "beam", beam, kBeams,
      "beam size of the translations of a validation; ~: that of `search`; 1, greedy search, is "
      "several times as fast");
  f.field(
      "max_sentences", max_sentences, kPositive,
      "translate only the first N sentences of the validation set; ~: all. Loss, perplexity and "
      "accuracy are of all");
  f.field("samples", samples, IntRange{0, 1000},
          "sample translations in the log at each validation, always of the same sentences");
}

void KeepConfig::fields(Fields& f) const {
  f.field("best", best, kPositive, "number of best checkpoints kept");
  f.field("last", last, kPositive, "number of latest checkpoints kept");
}

std::vector<std::string> ValidateConfig::translation_metrics() const {
  std::vector<std::string> names = metrics;
  if (metric.translates) names.insert(names.begin(), metric.name);
  return names;
}

void ValidateConfig::validate(Problems& problems) const {
  for (size_t i = 0; i < metrics.size(); ++i) {
    const auto known = std::ranges::find_if(
        validation_metrics(), [&](const auto& word) { return word.first == metrics[i]; });
    if (known == validation_metrics().end() || !known->second.translates)
      problems.add(fmt::format("metrics[{}]", i),
                   fmt::format("'{}' is not a metric of translations; expected a name of `metric` "
                               "other than loss, perplexity and accuracy",
                               metrics[i]));
    if (std::ranges::count(translation_metrics(), metrics[i]) > 1)
      problems.add(fmt::format("metrics[{}]", i), "is given twice: leave it out");
  }
  try {
    const Bleu metric_that_works(metric_options().bleu);
  } catch (const Error& error) {
    problems.add("tokenize", error.what());
  }
  if (tokenize != ValidateConfig().tokenize && test_metric() != "bleu" &&
      std::ranges::count(metrics, "bleu") == 0)
    problems.add("tokenize", fmt::format("is a setting of bleu, and the metric is {}: leave it out",
                                         metric.name));
}

TrainConfig::TrainConfig()
    : optimizer(make_kind<AdamConfig>("adam")), schedule(make_kind<ConstantSchedule>("constant")) {}

void AverageConfig::fields(Fields& f) const {
  f.field(
      "decay", decay, kDropout,
      "weight d of the average in d · average + (1 - d) · parameters after each update; less in "
      "the first updates");
}

void TrainConfig::fields(Fields& f) const {
  f.section("batch", batch, "batch size");
  f.field("accumulate", accumulate, IntRange{1, 10'000},
          "gradient accumulation: batches for each update");
  f.one_of("optimizer", optimizer, optimizers(), "optimizer");
  f.one_of("schedule", schedule, schedules(),
           "learning rate schedule: a factor of `optimizer.rate`");
  f.field("clip", clip, kZeroOrMore,
          "gradient clipping: maximum of the global gradient norm; 0 turns it off");
  f.field("label_smoothing", label_smoothing, kDropout,
          "label smoothing ε: probability mass distributed uniformly over the vocabulary");
  f.section("coverage", coverage, "coverage loss (See 2017)");
  f.section(
      "guided_alignment", guided_alignment,
      "guided alignment (Chen 2016): the attention over the source learns the word alignment of "
      "data.train");
  f.field("r_drop", r_drop, kWeights,
          "R-Drop (Liang 2021): weight α of the divergence between two passes of unequal dropout "
          "(the paper: 1 to 5); takes twice the time; 0 turns it off");
  f.section("scheduled_sampling", scheduled_sampling,
            "scheduled sampling (Bengio 2015): some input tokens of the decoder are the model's "
            "own, not the reference's; takes a further forward pass");
  f.section(
      "subword_regularization", subword_regularization,
      "subword regularization: in training, lines are segmented at random each time they "
      "are read, by BPE-dropout or by sampling from a unigram model; train.batch.tokens counts "
      "the best segmentation, so batches become longer");
  f.section(
      "sequence_loss", sequence_loss,
      "training of whole sentences by a metric: minimum risk or self-critical; usually from a "
      "trained model (init.model)");
  f.field("max_updates", max_updates, kPositive, "maximum number of updates");
  f.field("max_epochs", max_epochs, kPositive, "maximum number of epochs");
  f.duration("max_time", max_time,
             "maximum training time, including the time before a resume; ends with an update");
  f.section("validate", validation, "validation");
  f.section("keep", keep, "number of checkpoints kept");
  f.field("save_every", save_every, kPositive,
          "updates between checkpoints, in addition to those after validations and at the end");
  f.field("log_every", log_every, kPositive, "updates between log lines");
  f.field("tensorboard", tensorboard,
          "write the figures of metrics.jsonl to the folder tensorboard/ of the run as well, for "
          "`tensorboard --logdir`");
  f.field("workers", workers, kThreads,
          "training workers: threads that each process a shard of the batch on a CPU; ~: one for "
          "each core. The number changes results by rounding only");
  f.choice(
      "precision", precision, precision_words(),
      "number format of the products of linear layers, recurrent cells and the vocabulary in "
      "training: fp32, or bf16 with sums, parameters and everything else in fp32; auto: bf16 on "
      "a CPU that has instructions for it");
  f.section("average", average,
            "exponential moving average of the parameters, which is validated and saved as the "
            "model; the parameters themselves are kept beside it for --resume");
  f.field(
      "shard_optimizer", shard_optimizer,
      "of several processes each keeps the optimizer state of its shard of the parameters (ZeRO "
      "stage 1, Rajbhandari 2020): the same results with less memory, and half as much again to "
      "send");
  f.list("freeze", freeze,
         "parameters that are not trained: the beginning of a name (encoder, decoder.layer_0), its "
         "last part (embedding), or a pattern with *; `heed inspect` lists the parts");
  f.field("max_skipped", max_skipped, kPositive,
          "training fails after this many consecutive updates with a loss or gradient that is not "
          "finite");
}

void TrainConfig::validate(Problems& problems) const {
  if (!max_updates && !max_epochs && !max_time) {
    problems.add("",
                 "nothing ends the training; give at least one of max_updates, max_epochs and "
                 "max_time");
  }
  if (shard_optimizer && !optimizer->updates_elements())
    problems.add("shard_optimizer",
                 fmt::format("{} looks at whole matrices, and its state is small: leave it out",
                             optimizer->type));
  check_token_losses(problems);
}

// What cross-entropy does is lost where it has no weight.
void TrainConfig::check_token_losses(Problems& problems) const {
  if (!sequence_loss || sequence_loss->weight < 1 || sequence_loss->after > 0) return;
  const std::pair<const char*, bool> settings[] = {
      {"label_smoothing", label_smoothing > 0},
      {"coverage", coverage.weight > 0},
      {"guided_alignment", guided_alignment.weight > 0},
      {"r_drop", r_drop > 0},
      {"scheduled_sampling", scheduled_sampling.has_value()}};
  for (const auto& [key, is_on] : settings) {
    if (is_on)
      problems.add(key,
                   "is a part of cross-entropy, which `sequence_loss: {weight: 1}` leaves out: "
                   "give a smaller weight, or leave this out");
  }
}

}  // namespace heed
