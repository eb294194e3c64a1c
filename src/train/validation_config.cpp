#include "train/validation_config.h"

#include <algorithm>

#include "base/error.h"
#include "config/sizes.h"

namespace heed {

namespace {

std::vector<ValidationMetric> all_metrics() {
  std::vector<ValidationMetric> metrics{{.name = "loss", .higher_is_better = false},
                                        {.name = "perplexity", .higher_is_better = false},
                                        {.name = "accuracy"}};
  for (const std::string& name : single_metric_names()) {
    if (name != "accuracy") metrics.push_back({name, true, make_metric(name)->higher_is_better()});
  }
  return metrics;
}

const Words<std::string>& validation_tokenizers() {
  static const Words<std::string> words = [] {
    Words<std::string> list;
    for (const BleuTokenizer& tokenizer : bleu_tokenizers())
      list.emplace_back(tokenizer.name, tokenizer.name);
    return list;
  }();
  return words;
}

}  // namespace

const Words<ValidationMetric>& validation_metrics() {
  static const std::vector<ValidationMetric> metrics = all_metrics();
  static const auto words = [] {
    Words<ValidationMetric> list;
    for (const ValidationMetric& metric : metrics) list.emplace_back(metric.name.c_str(), metric);
    return list;
  }();
  return words;
}

const ValidationMetric& validation_metric(const std::string& name) {
  for (const auto& [word, metric] : validation_metrics()) {
    if (name == word) return metric;
  }
  HEED_CHECK(false, "no validation metric '{}'", name);
}

void ValidateConfig::fields(Fields& f) {
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
  f.peers("every",
          {.joeynmt = "validation_freq", .opennmt = "valid_steps", .marian = "valid-freq"});
  f.peers("metric", {.joeynmt = "early_stopping_metric",
                     .opennmt = "early_stopping_criteria",
                     .marian = "valid-metrics (the first)",
                     .also = "eval_metric, early_stopping_on"});
  f.peers("patience", {.opennmt = "early_stopping", .marian = "early-stopping"});
  f.affects(Effect::kScores, {"every", "metric"});
  f.affects(Effect::kTranslationScores, {"beam", "max_sentences", "tokenize"});
  f.affects(Effect::kSamples, {"tokenize"});
  f.affects(Effect::kTranslations, {"beam", "max_sentences"});
  f.affects(Effect::kLoggedTranslations, {"samples"});
  f.affects(Effect::kTestScores, {"metric", "metrics", "tokenize"});
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

}  // namespace heed
