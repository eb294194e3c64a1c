#include "metric/registry.h"

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "metric/accuracy.h"
#include "metric/alignment_error_rate.h"
#include "metric/label_f1.h"
#include "metric/ter.h"
#include "metric/word_error_rate.h"

namespace heed {

namespace {

enum class ScoredInput { kText, kAlignments };

struct Entry {
  std::string name, help;
  std::function<std::unique_ptr<Metric>(const MetricOptions&)> make;
  ScoredInput scores = ScoredInput::kText;
};

std::unique_ptr<Metric> aer(const MetricOptions&) { return std::make_unique<AlignmentErrorRate>(); }

template <class M>
std::unique_ptr<Metric> of_words(const MetricOptions& options) {
  return std::make_unique<M>(options.letter_case);
}

template <RougeKind kind>
std::unique_ptr<Metric> rouge(const MetricOptions& options) {
  return std::make_unique<Rouge>(kind, options.rouge);
}

template <RougeKind kind>
std::unique_ptr<Metric> unicode_rouge(const MetricOptions& options) {
  RougeOptions own = options.rouge;
  own.stem = false;  // the stemmer is of English
  own.words = RougeWords::kUnicode;
  return std::make_unique<Rouge>(kind, own);
}

std::unique_ptr<Metric> bleu(const MetricOptions& options) {
  return std::make_unique<Bleu>(options.bleu);
}

std::unique_ptr<Metric> chrf(const MetricOptions& options) {
  return std::make_unique<Chrf>(options.chrf);
}

std::unique_ptr<Metric> chrf_of_words(const MetricOptions& options) {
  ChrfOptions with_words = options.chrf;
  with_words.word_order = 2;
  return std::make_unique<Chrf>(with_words);
}

std::unique_ptr<Metric> ter(const MetricOptions& options) {
  return std::make_unique<TranslationEditRate>(options.ter);
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> list = {
      {"bleu", "BLEU, as sacreBLEU computes it", bleu},
      {"chrf", "chrF2: F score of character n-grams, as in sacreBLEU", chrf},
      {"chrf++", "chrF2++: chrF2 with words and word bigrams", chrf_of_words},
      {"ter", "translation edit rate, as in sacreBLEU; lower is better", ter},
      {"rouge1", "ROUGE-1: F1 of words, as rouge-score computes it", rouge<RougeKind::kUnigrams>},
      {"rouge2", "ROUGE-2: F1 of word bigrams", rouge<RougeKind::kBigrams>},
      {"rougeL", "ROUGE-L: longest common subsequence of each line", rouge<RougeKind::kLongest>},
      {"rougeLsum", "ROUGE-Lsum: longest common subsequence by sentences",
       rouge<RougeKind::kSummary>},
      {"rouge1-unicode", "ROUGE-1 of Unicode words, for any script",
       unicode_rouge<RougeKind::kUnigrams>},
      {"rouge2-unicode", "ROUGE-2 of Unicode words", unicode_rouge<RougeKind::kBigrams>},
      {"rougeL-unicode", "ROUGE-L of Unicode words", unicode_rouge<RougeKind::kLongest>},
      {"rougeLsum-unicode", "ROUGE-Lsum of Unicode words", unicode_rouge<RougeKind::kSummary>},
      {"exact", "exact match: lines equal to a reference", of_words<ExactMatch>},
      {"accuracy", "accuracy of words by position; of labels: as exact", of_words<WordAccuracy>},
      {"f1", "macro-averaged F1 of labels, one a line", of_words<LabelF1>},
      {"wer", "word error rate, or phone error rate; lower is better", of_words<WordErrorRate>},
      {"aer", "alignment error rate of links 0-0 1-2 …; lower is better", aer,
       ScoredInput::kAlignments},
  };
  return list;
}

struct Group {
  std::string name, help;
  std::vector<std::string> members;
};

const std::vector<Group>& groups() {
  static const std::vector<Group> list = {
      {"rouge",
       "rouge1, rouge2, rougeL and rougeLsum",
       {"rouge1", "rouge2", "rougeL", "rougeLsum"}},
      {"rouge-unicode",
       "the same four of Unicode words",
       {"rouge1-unicode", "rouge2-unicode", "rougeL-unicode", "rougeLsum-unicode"}}};
  return list;
}

[[noreturn]] void refuse(const std::string& name, const std::vector<std::string>& allowed) {
  throw_error(ErrorKind::kUsage, "there is no metric '{}'; allowed: {}{}", name,
              fmt::join(allowed, ", "), did_you_mean(name, allowed));
}

}  // namespace

void MetricOptions::ignore_case() {
  bleu.lower_case = chrf.lower_case = letter_case.ignored = true;
}

MetricOptions of_sentences(MetricOptions options) {
  options.bleu.effective_order = true;
  return options;
}

std::vector<std::string> single_metric_names() {
  std::vector<std::string> names;
  for (const auto& entry : entries()) {
    if (entry.scores == ScoredInput::kText) names.push_back(entry.name);
  }
  return names;
}

bool scores_alignments(const std::string& name) {
  return std::ranges::any_of(entries(), [&name](const auto& entry) {
    return entry.name == name && entry.scores == ScoredInput::kAlignments;
  });
}

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const auto& entry : entries()) names.push_back(entry.name);
  for (const auto& group : groups()) names.push_back(group.name);
  return names;
}

std::string metric_name(const std::string& word) {
  const std::string wanted = lower_case(word);
  for (const std::string& name : metric_names()) {
    if (lower_case(name) == wanted) return name;
  }
  return word;
}

std::string metric_help(const std::string& name) {
  for (const auto& entry : entries()) {
    if (entry.name == name) return entry.help;
  }
  for (const auto& group : groups()) {
    if (group.name == name) return group.help;
  }
  refuse(name, metric_names());
}

std::unique_ptr<Metric> make_metric(const std::string& name, const MetricOptions& options) {
  for (const auto& entry : entries()) {
    if (entry.name == name) return entry.make(options);
  }
  refuse(name, single_metric_names());
}

std::vector<std::string> members_of(const std::string& name) {
  for (const auto& group : groups()) {
    if (group.name == name) return group.members;
  }
  const auto has_name = [&](const Entry& entry) { return entry.name == name; };
  if (std::ranges::none_of(entries(), has_name)) refuse(name, metric_names());
  return {name};
}

std::vector<std::unique_ptr<Metric>> make_metrics(const std::string& name,
                                                  const MetricOptions& options) {
  std::vector<std::unique_ptr<Metric>> metrics;
  for (const std::string& member : members_of(name))
    metrics.push_back(make_metric(member, options));
  return metrics;
}

}  // namespace heed
