// Metrics by name, in one visible list. A new metric is a separate file and a line in registry.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "metric/bleu.h"
#include "metric/chrf.h"
#include "metric/letter_case.h"
#include "metric/metric.h"
#include "metric/rouge.h"
#include "metric/tercom_tokenizer.h"

namespace heed {

// Settings of all metrics; each metric uses its part.
struct MetricOptions {
  BleuOptions bleu{};
  ChrfOptions chrf{};  // for chrf; chrf++ uses all except the order of words
  TercomOptions ter{};
  RougeOptions rouge{};
  LetterCase letter_case{};  // of exact, accuracy, f1 and wer

  // Makes every text metric ignore case. ROUGE always does; TER has a separate option.
  void ignore_case();
};

// Options for scores of single sentences: BLEU uses only the orders of n-grams that a sentence has.
MetricOptions of_sentences(MetricOptions options = {});

// Names in the order of the list: single metrics, then groups ("rouge" is rouge1, rouge2, rougeL
// and rougeLsum).
std::vector<std::string> metric_names();
// Names of single metrics that score text; aer, which scores alignments, is excluded.
std::vector<std::string> single_metric_names();
// True if this metric scores word alignments instead of text.
bool scores_alignments(const std::string& name);
// Single metrics of a name: the metric itself, or the members of a group. Throws Error(kUsage) for
// an unknown name.
std::vector<std::string> members_of(const std::string& name);
// The name in the list that a user writes with other capitals: "chrF" is chrf; else the word as it is.
std::string metric_name(const std::string& word);
// Description of a metric in one line.
std::string metric_help(const std::string& name);

// Throws Error(kUsage) for an unknown name, and for settings that the metric refuses.
std::unique_ptr<Metric> make_metric(const std::string& name, const MetricOptions& options = {});
// Makes the metric, or all members of a group.
std::vector<std::unique_ptr<Metric>> make_metrics(const std::string& name,
                                                  const MetricOptions& options = {});

}  // namespace heed
