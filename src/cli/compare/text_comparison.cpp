#include "cli/compare/text_comparison.h"

#include <cmath>

#include "base/columns.h"
#include "base/descriptor.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/printable.h"
#include "base/same_file.h"
#include "base/utf8.h"
#include "cli/compare/comparison_html.h"
#include "cli/evaluate/scored_texts.h"
#include "cli/model_path.h"
#include "metric/breakdown.h"

namespace heed {

namespace {

constexpr double kSignificant = 0.05;

void refuse_folder(const std::string& file) {
  std::error_code ignored;
  if (!fs::is_directory(file, ignored)) return;
  throw_error(ErrorKind::kUsage,
              "{}: is a folder, expected a file of translations (heed translate); `heed runs` and "
              "`heed inspect` compare runs",
              file);
}

ComparedTexts read_systems(const CompareOptions& options, const Metrics& metrics) {
  ComparedTexts texts{.references = read_references(options.choice)};
  for (const std::string& file : options.systems) {
    refuse_folder(file);
    texts.names.push_back(input_name(file));
    texts.systems.push_back(read_text(file));
    check_hypotheses(texts.names.back(), texts.systems.back(), texts.references, options.choice,
                     metrics);
  }
  return texts;
}

// The lines of all systems and, as often, the references: one text, so that the statistics of all
// have one form.  [system][line]
std::vector<std::vector<Statistics>> statistics_of(const Metric& metric,
                                                   const ComparedTexts& texts) {
  Lines joined;
  References references(texts.references.size());
  for (const Lines& lines : texts.systems) {
    joined.insert(joined.end(), lines.begin(), lines.end());
    for (size_t i = 0; i < references.size(); ++i)
      references[i].insert(references[i].end(), texts.references[i].begin(),
                           texts.references[i].end());
  }
  const auto all = metric.line_statistics(joined, references);
  std::vector<std::vector<Statistics>> systems;
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = begin + std::ssize(texts.systems.front());
    systems.emplace_back(begin, end);
    begin = end;
  }
  return systems;
}

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
  if (baseline.lines == system.lines) return 1;
  const double difference = std::abs(baseline.score - system.score);
  if (options.test == SignificanceTest::kBootstrap)
    return bootstrap_p_value(metric, baseline.scores, system.scores, difference);
  return randomization_p_value(metric, baseline.lines, system.lines, difference,
                               samplings_of(options).test);
}

std::string signature_of(const Metric& metric, const CompareOptions& options) {
  const bool exchanges = options.test == SignificanceTest::kRandomization;
  return resampled_signature(metric.signature(options.choice.references.size()),
                             exchanges ? "ar" : "bs", samplings_of(options).test);
}

// Words of the breakdowns, by the options of BLEU.
WordSplit split_of(const CompareOptions& options) {
  return {options.choice.settings.bleu.tokenizer, options.choice.settings.letter_case};
}

Breakdown score_by_length(const Metric& metric, const ComparedTexts& texts,
                          const std::vector<std::vector<Statistics>>& systems,
                          const WordSplit& split) {
  Breakdown parts{metric.name(), "words of the reference", "lines", split.signature(), {}, {}, {}};
  for (const LineGroup& group : group_by_length(texts.references.front(), split)) {
    parts.groups.push_back(group.name);
    parts.sizes.push_back(std::ssize(group.lines));
    auto& scores = parts.scores.emplace_back();
    for (const std::vector<Statistics>& lines : systems) {
      std::vector<Statistics> some;
      for (const size_t line : group.lines) some.push_back(lines[line]);
      scores.push_back(metric.from_sum(sum_statistics(some)).value);
    }
  }
  return parts;
}

WordCounts count_words_of(const CompareOptions& options, const ComparedTexts& texts) {
  const WordSplit split = split_of(options);
  WordCounts counts;
  if (!options.counted) {
    for (const std::string& line : texts.references.front()) count_words(line, counts, split);
    return counts;
  }
  LineReader reader(*options.counted);
  for (std::string line; reader.next(line);) count_words(replace_malformed(line), counts, split);
  return counts;
}

Breakdown score_by_frequency(const CompareOptions& options, const ComparedTexts& texts) {
  const WordCounts counts = count_words_of(options, texts);
  Breakdown parts{"word F1",
                  "occurrences in " +
                      (options.counted ? printable(input_name(*options.counted)) : "the reference"),
                  "words",
                  split_of(options).signature(),
                  {},
                  {},
                  {}};
  for (const Lines& lines : texts.systems) {
    const auto groups = f1_by_frequency(lines, texts.references.front(), counts, split_of(options));
    parts.scores.resize(groups.size());
    const bool first = parts.groups.empty();
    for (size_t g = 0; g < groups.size(); ++g) {
      parts.scores[g].push_back(groups[g].f1);
      if (!first) continue;
      parts.groups.push_back(groups[g].name);
      parts.sizes.push_back(groups[g].words);
    }
  }
  return parts;
}

Comparison compare(const Metric& metric, const ComparedTexts& texts,
                   const CompareOptions& options) {
  const auto all = statistics_of(metric, texts);
  Comparison result{metric.name(), signature_of(metric, options), {}, std::nullopt};
  std::optional<Sampled> baseline;
  for (size_t i = 0; i < all.size(); ++i) {
    Sampled system = sample(metric, all[i], samplings_of(options).bootstrap);
    result.systems.push_back(
        {texts.names[i], system.score, confidence_interval(system.scores), std::nullopt});
    if (baseline) {
      result.systems.back().p = find_p_value(metric, *baseline, system, options);
    } else {
      baseline = std::move(system);
    }
  }
  if (options.by_length || options.html)
    result.by_length = score_by_length(metric, texts, all, split_of(options));
  return result;
}

nlohmann::ordered_json to_json(const Breakdown& parts) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (size_t g = 0; g < parts.groups.size(); ++g)
    json.push_back({{"group", parts.groups[g]},
                    {parts.size_title, parts.sizes[g]},
                    {"scores", parts.scores[g]}});
  return json;
}

nlohmann::ordered_json to_json(const Comparison& comparison, const CompareOptions& options) {
  nlohmann::ordered_json json;
  json["name"] = comparison.name;
  json["signature"] = comparison.signature;
  for (const ComparedSystem& system : comparison.systems) {
    nlohmann::ordered_json row;
    row["system"] = system.name;
    row["score"] = system.score;
    row["confidence"] = to_json(system.confidence, samplings_of(options).bootstrap);
    if (system.p) row["p"] = *system.p;
    json["systems"].push_back(std::move(row));
  }
  if (options.by_length) {
    json["length_signature"] = comparison.by_length->signature;
    json["by_length"] = to_json(*comparison.by_length);
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
    files.cells.push_back(system.name);
  }
  return fmt::format("{}|{}\n{}\n", comparison.name, comparison.signature,
                     fmt::join(align_columns({scores, intervals, p, files}), "\n"));
}

std::string print(const Breakdown& parts, const std::vector<std::string>& systems, int64_t digits) {
  std::vector<TextColumn> columns = {{{""}}, {{parts.size_title}, true}};
  for (const std::string& system : systems) columns.push_back({{system}, true});
  for (size_t g = 0; g < parts.groups.size(); ++g) {
    columns[0].cells.push_back(parts.groups[g]);
    columns[1].cells.push_back(format_count(parts.sizes[g]));
    for (size_t i = 0; i < systems.size(); ++i)
      columns[i + 2].cells.push_back(fmt::format("{:.{}f}", parts.scores[g][i], digits));
  }
  return fmt::format("\n{} by {} ({})\n{}\n", parts.title, parts.group_title, parts.signature,
                     fmt::join(align_columns(columns), "\n"));
}

void write_comparisons(const std::vector<Comparison>& comparisons,
                       const std::optional<Breakdown>& by_frequency,
                       const CompareOptions& options) {
  std::vector<std::string> names;
  for (const std::string& file : options.systems) names.push_back(input_name(file));
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  std::string text;
  for (const Comparison& comparison : comparisons) {
    json.push_back(to_json(comparison, options));
    text += (text.empty() ? "" : "\n") + print(comparison, options.choice.digits);
    if (options.by_length) text += print(*comparison.by_length, names, options.choice.digits);
  }
  if (options.by_frequency) {
    json.push_back({{"name", by_frequency->title},
                    {"signature", by_frequency->signature},
                    {"by_frequency", to_json(*by_frequency)}});
    text += print(*by_frequency, names, options.choice.digits);
  }
  write_scores(options.choice, json, text);
}

void write_page(const CompareOptions& options, const ComparedTexts& texts,
                const std::vector<Comparison>& comparisons,
                const std::optional<Breakdown>& by_frequency, const Metric& metric) {
  PageOptions page{.examples = options.examples, .digits = options.choice.digits};
  if (options.source) {
    page.source = read_text(*options.source);
    if (page.source->size() != texts.references.front().size())
      throw_error(ErrorKind::kData, "{}: has {} lines, but the references have {}",
                  input_name(*options.source), format_count(std::ssize(*page.source)),
                  format_count(std::ssize(texts.references.front())));
  }
  AtomicFile out(*options.html);
  out.write(comparison_page(texts, comparisons, by_frequency, metric, page));
  out.commit();
}

void check_files(const CompareOptions& options) {
  std::vector<NamedFile> inputs = reference_files(options.choice), outputs;
  for (const std::string& file : options.systems) inputs.push_back({"SYSTEM", file});
  if (options.source) inputs.push_back({"--source", *options.source});
  if (options.counted) inputs.push_back({"--count-words", *options.counted});
  if (options.html) outputs.push_back({"--html", *options.html});
  refuse_same_files(inputs, outputs);
  refuse_outputs_in_runs(outputs);
}

}  // namespace

int run_compare(const CompareOptions& options) {
  if (options.systems.size() < 2) {
    throw_error(ErrorKind::kUsage,
                "1 system was given, expected a baseline and at least one system to compare with "
                "it; see `heed compare --help`");
  }
  check_files(options);
  const auto metrics = make_metrics(options.choice);
  const ComparedTexts texts = read_systems(options, metrics);
  for (size_t i = 0; i < texts.systems.size(); ++i)
    warn_of_columns(options.systems[i], texts.systems[i], texts.references.front());
  for (size_t i = 0; i < texts.references.size(); ++i)
    warn_of_columns(options.choice.references[i], texts.references[i], texts.systems.front());
  warn_of_doubts(metrics, texts.systems.front(), texts.references);
  std::vector<Comparison> comparisons;
  for (const auto& metric : metrics) comparisons.push_back(compare(*metric, texts, options));
  std::optional<Breakdown> by_frequency;
  if (options.by_frequency || options.html) by_frequency = score_by_frequency(options, texts);
  if (options.html) {
    MetricChoice of_lines = options.choice;  // as `heed evaluate --sentences`
    of_lines.settings = of_sentences(of_lines.settings);
    write_page(options, texts, comparisons, by_frequency, *make_metrics(of_lines).front());
  }
  write_comparisons(comparisons, by_frequency, options);
  return 0;
}

}  // namespace heed
