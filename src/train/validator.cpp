#include "train/validator.h"

#include "nn/torch.h"

#include <algorithm>
#include <numeric>

#include "base/interrupt.h"
#include "base/random.h"
#include "data/batch_limit.h"
#include "search/workers.h"
#include "train/objective.h"
#include "train/translated_text.h"

namespace heed {

namespace {

constexpr BatchLimit kLimit{.tokens = 4096};

std::vector<std::vector<Example>> batches_of(const std::vector<Example>& examples) {
  std::vector<int64_t> lengths;
  for (const Example& example : examples) {
    size_t length = example.target.size();
    for (const Ids& source : example.sources) length = std::max(length, source.size());
    lengths.push_back(static_cast<int64_t>(length));
  }
  std::vector<std::vector<Example>> batches;
  for (const auto& group : sorted_batches(lengths, kLimit)) {
    batches.emplace_back();
    for (const size_t i : group) batches.back().push_back(examples[i]);
  }
  return batches;
}

// Other lines at each validation, the same ones in every run.
std::vector<size_t> sample_lines(size_t size, int64_t count, int64_t update) {
  RandomStream stream(stream_key(0, "samples", update));
  std::vector<size_t> lines(size);
  std::iota(lines.begin(), lines.end(), 0);
  shuffle(lines.begin(), lines.end(), stream);
  lines.resize(std::min(size, static_cast<size_t>(count)));
  std::sort(lines.begin(), lines.end());
  return lines;
}

template <class T>
std::vector<T> chosen(const std::vector<T>& all, const std::vector<size_t>& which) {
  std::vector<T> some;
  for (const size_t i : which) some.push_back(all[i]);
  return some;
}

}  // namespace

ModelValidator::ModelValidator(TextModel model, const EvaluationSet& set,
                               const ValidateConfig& config, const SearchConfig& search,
                               int64_t workers)
    : model_(std::move(model)),
      set_(set),
      config_(config),
      search_(search),
      workers_(workers),
      batches_(batches_of(set.examples)) {}

ValidationReport ModelValidator::validate(int64_t update) {
  ValidationReport report;
  const TokenSums sums = teacher_forced();
  report.scores.update = update;
  report.scores.loss = sums.per_token(sums.negative_log_probability);
  report.scores.accuracy = sums.per_token(static_cast<double>(sums.correct));

  const auto lines = sample_lines(set_.size(), config_.samples, update);
  if (config_.metric.translates) {
    const auto translations = translate(model_, source_lines(set_), search_, workers_);
    const TextScore score = score_text(config_.metric.name, translations, set_);
    report.scores.translated[score.metric] = score.value;
    report.samples = samples(lines, chosen(translations, lines));
  } else if (!lines.empty()) {
    const auto sources = chosen(source_lines(set_), lines);
    report.samples = samples(lines, translate(model_, sources, search_, workers_));
  }
  return report;
}

TokenSums ModelValidator::teacher_forced() const {
  const CrossEntropy objective(model_.sources, 0);
  std::vector<TokenSums> sums(batches_.size());
  run_in_workers(workers_, batches_.size(), [&](size_t i) {
    if (caught_signal() != 0) throw Interrupted();
    const torch::NoGradGuard no_grad;
    sums[i] = objective.loss(*model_.networks[0], batches_[i], Pass(), 1).sums;
  });
  TokenSums total;
  for (const TokenSums& part : sums) total += part;
  return total;
}

std::vector<Sample> ModelValidator::samples(const std::vector<size_t>& lines,
                                            const std::vector<std::string>& translations) const {
  std::vector<Sample> samples;
  for (size_t i = 0; i < lines.size(); ++i) {
    samples.push_back({set_.sources[0][lines[i]], set_.references[lines[i]], translations[i]});
  }
  return samples;
}

}  // namespace heed
