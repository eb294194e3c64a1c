#include "train/validator.h"

#include <algorithm>
#include <numeric>

#include "base/hash.h"
#include "base/random.h"
#include "config/changed_settings.h"
#include "metric/registry.h"
#include "train/teacher_forced.h"
#include "train/translated_text.h"

namespace heed {

namespace {

// The same lines at each validation and in every run.
std::vector<size_t> sample_lines(size_t size, int64_t count) {
  RandomStream stream(stream_key(0, "samples", 0));
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

std::string hash_of_text(const EvaluationSet& set) {
  ContentHash hash;
  const auto add = [&](const std::vector<std::string>& lines) {
    for (const std::string& line : lines) hash.add(line + "\n");
    hash.add(std::string(1, '\0'));
  };
  for (const auto& source : set.sources) add(source);
  add(set.references);
  return hash.digest();
}

// Key and value of what is not as usual.
std::string unusual(const SearchConfig& search) {
  std::string text;
  for (const auto& [key, before, now] :
       changed_settings(flatten_config(SearchConfig()), flatten_config(search)))
    text += fmt::format("{}: {}\n", key, now);
  return text;
}

SearchConfig search_of(const ValidateConfig& config, SearchConfig search) {
  if (config.beam) search.beam = *config.beam;
  return search;
}

}  // namespace

ScoreIdentity identity_of(const EvaluationSet& set, const std::vector<std::string>& metrics,
                          const ValidateConfig& config, const SearchConfig& search) {
  ScoreIdentity identity{.set = hash_of_text(set)};
  const std::string lines = fmt::format("{}", config.max_sentences.value_or(0));
  for (const std::string& name : metrics) {
    const auto metric = make_metric(name, config.metric_options(set.lower_case));
    std::string signature = metric->signature(1);
    signature.resize(std::min(signature.size(), signature.find("|version:")));
    identity.metrics[name] = hash_bytes(signature + "\n" + lines + "\n" + unusual(search));
  }
  return identity;
}

ScoreIdentity identity_of_validation(const EvaluationSet& set, const ValidateConfig& config,
                                     const SearchConfig& search) {
  return identity_of(set, config.translation_metrics(), config, search_of(config, search));
}

ModelValidator::ModelValidator(NetworkModel model, const EvaluationSet& set,
                               const ValidateConfig& config, const SearchConfig& search,
                               const Parallelism& parallelism)
    : model_(std::move(model)),
      set_(set),
      to_translate_(text_of(set, config.max_sentences)),
      config_(config),
      search_(search_of(config, search)),
      identity_(identity_of_validation(set, config, search)),
      parallelism_(parallelism) {}

ValidationReport ModelValidator::validate(int64_t update) {
  ValidationReport report;
  const TokenSums sums = teacher_forced(model_, set_, parallelism_);
  report.scores.update = update;
  report.scores.identity = identity_;
  report.scores.loss = sums.per_token(sums.negative_log_probability);
  report.scores.accuracy = sums.per_token(static_cast<double>(sums.correct));

  if (model_.sources.empty()) return report;  // it translates nothing
  const auto metrics = config_.translation_metrics();
  const auto sources = source_lines(to_translate_);
  const auto lines = sample_lines(sources.size(), config_.samples);
  if (!metrics.empty()) {
    const TranslatedText text = translate(model_, sources, search_, parallelism_);
    for (const std::string& metric : metrics)
      report.scores.translated[metric] =
          score_text(config_, metric, text.lines, to_translate_).value;
    report.scores.cut = text.cut;
    report.samples = samples(lines, chosen(text.lines, lines));
  } else if (!lines.empty()) {
    const TranslatedText text = translate(model_, chosen(sources, lines), search_, parallelism_);
    report.scores.cut = text.cut;
    report.samples = samples(lines, text.lines);
  }
  return report;
}

std::string ModelValidator::read_text(size_t line) const {
  if (model_.inputs.size() == 1) return to_translate_.sources[0][line];
  std::vector<std::string> named;
  for (size_t i = 0; i < model_.inputs.size(); ++i)
    named.push_back(fmt::format("{}: {}", model_.inputs[i], to_translate_.sources[i][line]));
  return fmt::format("{}", fmt::join(named, " | "));
}

std::vector<Sample> ModelValidator::samples(const std::vector<size_t>& lines,
                                            const std::vector<std::string>& translations) const {
  std::vector<Sample> samples;
  for (size_t i = 0; i < lines.size(); ++i)
    samples.push_back({read_text(lines[i]), to_translate_.references[lines[i]], translations[i]});
  return samples;
}

}  // namespace heed
