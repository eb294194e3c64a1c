// The metrics by name, in one visible list: a new one is a file of its own and a line in
// registry.cpp.
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

// The settings of all metrics; each takes its own.
struct MetricOptions {
  BleuOptions bleu{};
  ChrfOptions chrf{};  // of chrf; chrf++ takes all but the order of words
  TercomOptions ter{};
  RougeOptions rouge{};
  LetterCase letter_case{};  // of exact, accuracy, f1 and wer

  // Makes every metric of text ignore case. ROUGE always does, TER has an option of its own.
  void ignore_case();
};

// For scores of single sentences: BLEU by the orders of n-grams that a sentence has.
MetricOptions of_sentences(MetricOptions options = {});

// The names in the order of the list: single metrics, then groups ("rouge" is rouge1, rouge2,
// rougeL and rougeLsum).
std::vector<std::string> metric_names();
// Single ones that score text; aer, which scores alignments, is not one of them.
std::vector<std::string> single_metric_names();
// Whether this metric is of word alignments, not of text.
bool scores_alignments(const std::string& name);
// The single metrics of a name: itself, or the members of a group. Error(kUsage) for an unknown one.
std::vector<std::string> members_of(const std::string& name);
// The name in the list that a user writes with other capitals: "chrF" is chrf; else the word as it is.
std::string metric_name(const std::string& word);
// What a name measures, in a line.
std::string metric_help(const std::string& name);

// Error(kUsage) for an unknown name, and for settings that the metric refuses.
std::unique_ptr<Metric> make_metric(const std::string& name, const MetricOptions& options = {});
// As above; a group gives its members.
std::vector<std::unique_ptr<Metric>> make_metrics(const std::string& name,
                                                  const MetricOptions& options = {});

}  // namespace heed
