#include "train/train_config.h"

#include <algorithm>

#include "config/older.h"
#include "config/settings_tree.h"
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

// Checks that later phases begin later.
void check_order(const std::vector<PhaseConfig>& phases, Problems& problems) {
  for (size_t i = 1; i < phases.size(); ++i) {
    if (phases[i].after > phases[i - 1].after) continue;
    problems.add(fmt::format("phases[{}].after", i),
                 fmt::format("is {}, expected more than that of the phase before, {}",
                             phases[i].after, phases[i - 1].after));
  }
}

}  // namespace

const char* precision_name(TrainPrecision precision) {
  return precision_words()[static_cast<size_t>(precision)].first;
}

void ValidateConfig::fields(Fields& f) const {
  f.field("every", every, kPositive,
          "updates between validations; a training that max_updates, max_epochs or max_time ends "
          "validates its last update too. A resumed training with a later limit forgets that "
          "validation");
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
  f.field("max_sentences", max_sentences, kPositive,
          "translate only N sentences of the validation set, evenly spread over it; ~: all. Loss, "
          "perplexity and accuracy are of all");
  f.field("samples", samples, IntRange{0, 1000},
          "sample translations in the log at each validation, always of the same sentences");
}

void KeepConfig::fields(Fields& f) const {
  f.field("best", best, kPositive, "number of best checkpoints kept");
  f.field("last", last, kPositive, "number of latest checkpoints kept");
}

MetricOptions ValidateConfig::metric_options(bool lower_case) const {
  MetricOptions options{.bleu = {.tokenizer = tokenize}};
  if (lower_case) options.ignore_case();
  return options;
}

std::vector<std::string> ValidateConfig::test_metrics() const {
  std::vector<std::string> names = {test_metric()};
  for (const std::string& name : metrics)
    if (name != names.front()) names.push_back(name);
  return names;
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

void AverageConfig::fields(Fields& f) const {
  f.field(
      "decay", decay, kDropout,
      "weight d of the average in d · average + (1 - d) · parameters after each update; less in "
      "the first updates");
}

void TrainConfig::fields(Fields& f) const {
  const std::optional<std::string> coverage_after = former(f, "coverage", "after");
  LearningConfig::fields(f);
  f.field("max_updates", max_updates, kPositive, "maximum number of updates");
  f.field("max_epochs", max_epochs, kPositive, "maximum number of epochs");
  f.duration("max_time", max_time,
             "maximum training time, including the time before a resume; the update and the "
             "validation at the end come on top");
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
          "each core that the process may use. The number changes results by rounding only");
  earlier(f, "precision", precision, TrainPrecision::kFp32);
  f.choice(
      "precision", precision, precision_words(),
      "number format of the products of linear layers, recurrent cells and the vocabulary in "
      "training: fp32, or bf16 with sums, parameters and everything else in fp32; auto: bf16 on "
      "a CPU that has instructions for it, else fp32. A resumed run keeps that of its start");
  f.field("gradient_checkpointing", gradient_checkpointing,
          "gradient checkpointing (Chen 2016): the backward pass computes the activations inside "
          "the layers of encoder and decoder again in place of keeping them; less memory, about a "
          "third more time, the same numbers");
  f.section("average", average,
            "exponential moving average of the parameters, which is validated and saved as the "
            "model; the parameters themselves are kept beside it for --resume");
  f.field("shard_optimizer", shard_optimizer,
          "ZeRO stage 1 (Rajbhandari 2020): each of several processes keeps the optimizer state of "
          "its shard of the parameters; equal results, 50 % more communication");
  f.section("reduction", reduction, "how several processes sum their gradients");
  f.field("max_skipped", max_skipped, kPositive,
          "training fails after this many consecutive updates with a loss or gradient that is not "
          "finite");
  f.list("phases", phases,
         "phases of the training after the first: other data, objective or learning rate from an "
         "update on");
  if (coverage_after) writable(*this).delay_coverage(std::stoll(*coverage_after));
}

void TrainConfig::validate(Problems& problems) const {
  if (!has_limit() && !validation.patience) {
    problems.add("",
                 "nothing ends the training; give at least one of max_updates, max_epochs, "
                 "max_time and validate.patience");
  }
  if (shard_optimizer && !optimizer->updates_elements())
    problems.add("shard_optimizer",
                 fmt::format("{} needs whole matrices, and its state is small: leave it out",
                             optimizer->type));
  check_order(phases, problems);
  LearningConfig::validate(problems);
}

// Applies the former key `after` of coverage, which is now a phase.
void TrainConfig::delay_coverage(int64_t after) {
  if (coverage.weight == 0 || after == 0) return;
  PhaseConfig phase;
  phase.after = after;
  phase.train = {.form = Node::Form::kMap, .entries = {{"coverage", {}, settings_tree(coverage)}}};
  phases.push_back(phase);
  coverage.weight = 0;
}

}  // namespace heed
