#include "cli/text_comparison.h"

#include <cmath>

#include "base/columns.h"
#include "base/error.h"
#include "cli/scored_texts.h"

namespace heed {

namespace {

constexpr double kSignificant = 0.05;

// All systems and, as often, the references: one text, so that the statistics of all have one form.
struct JoinedTexts {
  Lines systems;
  References references;
  size_t lines = 0;  // of one system
};

JoinedTexts read_systems(const CompareOptions& options) {
  const References references = read_references(options.choice);
  JoinedTexts texts{{}, References(references.size()), references[0].size()};
  for (const std::string& file : options.systems) {
    const Lines lines = read_text(file);
    check_hypotheses(shown_name(file), lines, references, options.choice);
    texts.systems.insert(texts.systems.end(), lines.begin(), lines.end());
    for (size_t i = 0; i < references.size(); ++i)
      texts.references[i].insert(texts.references[i].end(), references[i].begin(),
                                 references[i].end());
  }
  return texts;
}

struct ComparedSystem {
  std::string file;
  double score = 0;
  ConfidenceInterval confidence;
  std::optional<double> p;  // none for the baseline
};

struct Comparison {
  std::string name, signature;
  std::vector<ComparedSystem> systems;
};

// One system as both tests see it.
struct Sampled {
  std::vector<Statistics> lines;
  std::vector<double> scores;  // of bootstrap samples
  double score = 0;
};

Sampled sample(const Metric& metric, std::vector<Statistics> lines, const Resampling& bootstrap) {
  Sampled result{std::move(lines), {}, 0};
  result.scores = bootstrap_scores(metric, result.lines, bootstrap);
  result.score = score_lines(metric, result.lines);
  return result;
}

// How often it is sampled for the confidence intervals, and for p.
struct Samplings {
  Resampling bootstrap, test;
};

Samplings samplings_of(const CompareOptions& options) {
  constexpr int64_t kExchanges = 10'000;
  Resampling bootstrap{.seed = options.seed};
  if (options.test == SignificanceTest::kRandomization)
    return {bootstrap, {options.samples.value_or(kExchanges), options.seed}};
  bootstrap.samples = options.samples.value_or(bootstrap.samples);
  return {bootstrap, bootstrap};
}

double find_p_value(const Metric& metric, const Sampled& baseline, const Sampled& system,
                    const CompareOptions& options) {
  const double difference = std::abs(baseline.score - system.score);
  if (options.test == SignificanceTest::kBootstrap)
    return bootstrap_p_value(baseline.scores, system.scores, difference);
  return randomization_p_value(metric, baseline.lines, system.lines, difference,
                               samplings_of(options).test);
}

std::string signature_of(const Metric& metric, const CompareOptions& options) {
  const bool exchanges = options.test == SignificanceTest::kRandomization;
  return resampled_signature(metric.signature(options.choice.references.size()),
                             exchanges ? "ar" : "bs", samplings_of(options).test);
}

Comparison compare(const Metric& metric, const JoinedTexts& texts, const CompareOptions& options) {
  const auto all = metric.line_statistics(texts.systems, texts.references);
  Comparison result{metric.name(), signature_of(metric, options), {}};
  std::optional<Sampled> baseline;
  auto begin = all.begin();
  for (const std::string& file : options.systems) {
    const auto end = begin + static_cast<std::ptrdiff_t>(texts.lines);
    Sampled system = sample(metric, {begin, end}, samplings_of(options).bootstrap);
    begin = end;
    result.systems.push_back(
        {shown_name(file), system.score, confidence_interval(system.scores), std::nullopt});
    if (baseline) {
      result.systems.back().p = find_p_value(metric, *baseline, system, options);
    } else {
      baseline = std::move(system);
    }
  }
  return result;
}

nlohmann::ordered_json to_json(const Comparison& comparison, const CompareOptions& options) {
  nlohmann::ordered_json json;
  json["name"] = comparison.name;
  json["signature"] = comparison.signature;
  for (const ComparedSystem& system : comparison.systems) {
    nlohmann::ordered_json row;
    row["system"] = system.file;
    row["score"] = system.score;
    row["confidence"] = to_json(system.confidence, samplings_of(options).bootstrap);
    if (system.p) row["p"] = *system.p;
    json["systems"].push_back(std::move(row));
  }
  return json;
}

std::string print_p_value(const std::optional<double>& p) {
  return p ? fmt::format("{:.4f}{}", *p, *p < kSignificant ? "*" : " ") : "baseline ";
}

std::string print(const Comparison& comparison, int64_t digits) {
  TextColumn scores{{comparison.name}, true}, intervals{{"μ ± 95 %"}, true}, p{{"p "}, true},
      files{{"system"}};
  for (const ComparedSystem& system : comparison.systems) {
    scores.cells.push_back(fmt::format("{:.{}f}", system.score, digits));
    intervals.cells.push_back(format_interval(system.confidence, digits));
    p.cells.push_back(print_p_value(system.p));
    files.cells.push_back(system.file);
  }
  return fmt::format("{}|{}\n{}\n", comparison.name, comparison.signature,
                     fmt::join(align_columns({scores, intervals, p, files}), "\n"));
}

}  // namespace

int run_compare(const CompareOptions& options) {
  if (options.systems.size() < 2) {
    throw_error(ErrorKind::kUsage,
                "1 system was given, expected a baseline and at least one system to compare with "
                "it; see `heed compare --help`");
  }
  const auto metrics = make_metrics(options.choice);
  const JoinedTexts texts = read_systems(options);
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  std::string text;
  for (const auto& metric : metrics) {
    const Comparison comparison = compare(*metric, texts, options);
    json.push_back(to_json(comparison, options));
    text += (text.empty() ? "" : "\n") + print(comparison, options.choice.digits);
  }
  write_scores(options.choice, json, text);
  return 0;
}

}  // namespace heed
