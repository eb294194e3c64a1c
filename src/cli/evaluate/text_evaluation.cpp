#include "cli/evaluate/text_evaluation.h"

#include <algorithm>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/log.h"
#include "cli/evaluate/scored_texts.h"
#include "cli/source_reader.h"
#include "cli/translate/options.h"
#include "cli/translate/translation.h"
#include "config/numbers.h"
#include "metric/latency.h"
#include "metric/words.h"
#include "text/word_unit.h"

namespace heed {

namespace {

// Also changes the references to the form that translations have.
Lines translate(const EvaluateOptions& options, References& references) {
  CollectedTranslations texts{.references = std::move(references),
                              .ignores_case = options.choice.settings.letter_case.ignored};
  TranslateOptions translation;
  if (options.models.size() > 1)
    spdlog::info("evaluating one ensemble: {}", fmt::join(options.models, ", "));
  translation.models = options.models;
  translation.inputs = options.sources;
  translation.tag = options.tag;
  translation.direction = options.direction;
  translation.search = options.search;
  translation.decoding = options.decoding;
  translation.collect = &texts;
  run_translate(translation);
  references = std::move(texts.references);
  return std::move(texts.lines);
}

// The evaluated lines, and their name in messages.
struct SystemOutput {
  std::string name;
  Lines lines;
};

// The first `count` words of a line. Characters count as words in text without spaces.
std::string beginning(const std::string& line, size_t count) {
  if (unit_of(WordUnit::kByLine, line) == WordUnit::kCharacters) {
    size_t end = 0;
    const std::vector<std::string> words = split_words(line, WordUnit::kCharacters);
    for (size_t i = 0; i < std::min(words.size(), count); ++i)
      end = line.find(words[i], end) + words[i].size();
    return line.substr(0, end);
  }
  auto words = words_of(line);
  words.resize(std::min(words.size(), count));
  return fmt::format("{}", fmt::join(words, " "));
}

SystemOutput lead(const std::string& source, int64_t count) {
  Lines lines = read_text(source);
  for (std::string& line : lines) line = beginning(line, static_cast<size_t>(count));
  return {fmt::format("lead:{} of {}", count, input_name(source)), std::move(lines)};
}

SystemOutput system_output(const EvaluateOptions& options, References& references) {
  if (!options.models.empty())
    return {"translations of " + input_name(options.sources.front()),
            translate(options, references)};
  if (options.lead) return lead(options.sources.front(), *options.lead);
  return {input_name(options.input), read_text(options.input, options.choice.references)};
}

std::vector<NamedFile> text_files(const EvaluateOptions& options) {
  std::vector<NamedFile> files = reference_files(options.choice);
  if (options.models.empty() && !options.lead) {
    files.push_back({"--input", options.input});
    if (options.delays) files.push_back({"--delays", *options.delays});
    return files;
  }
  for (const NamedFile& file : input_files("--source", options.sources)) files.push_back(file);
  return files;
}

// The hypotheses and their references.
struct Texts {
  SystemOutput hypotheses;
  References references;
};

Texts read_texts(const EvaluateOptions& options, const Metrics& metrics) {
  refuse_same_files(text_files(options), {});
  Texts texts;
  texts.references = read_references(options.choice, {options.input});
  texts.hypotheses = system_output(options, texts.references);
  check_hypotheses(texts.hypotheses.name, texts.hypotheses.lines, texts.references, options.choice,
                   metrics);
  warn_of_columns(texts.hypotheses.name, texts.hypotheses.lines, texts.references.front());
  for (size_t i = 0; i < texts.references.size(); ++i)
    warn_of_columns(options.choice.references[i], texts.references[i], texts.hypotheses.lines);
  warn_of_caveats(metrics, texts.hypotheses.lines, texts.references);
  return texts;
}

// The delays of the hypotheses, compared with these line by line.
Texts read_delays(const std::string& file, const SystemOutput& hypotheses, const Metric& metric) {
  Texts delays{{input_name(file), read_text(file)}, {hypotheses.lines}};
  const std::vector<std::string> names{delays.hypotheses.name, hypotheses.name};
  check_texts(delays.hypotheses.lines, delays.references, names);
  check_readable(metric, delays.hypotheses.lines, delays.references, names);
  return delays;
}

// A metric and the texts that it scores.
struct ScoredTexts {
  const Metric& metric;
  const Texts& texts;
};
using ScoredList = std::vector<ScoredTexts>;

// Result of one metric.
struct Evaluated {
  Score score;
  std::string signature;
  std::optional<ConfidenceInterval> confidence;
};

Evaluated evaluate(const Metric& metric, const Texts& texts,
                   const std::optional<Resampling>& resampling) {
  const auto& [hypotheses, references] = texts;
  const std::string signature = metric.signature(references.size());
  if (!resampling) return {metric.score(hypotheses.lines, references), signature, std::nullopt};
  const auto lines = metric.line_statistics(hypotheses.lines, references);
  return {metric.from_sum(sum_statistics(lines)), resampled_signature(signature, "bs", *resampling),
          confidence_interval(bootstrap_scores(metric, lines, *resampling))};
}

std::string print(const Metric& metric, const Evaluated& found, int64_t digits) {
  Score score = found.score;
  if (found.confidence) {
    score.details = fmt::format("(μ = {}){}{}", format_interval(*found.confidence, digits),
                                score.details.empty() ? "" : " ", score.details);
  }
  return format_score(metric, score, found.signature, static_cast<int>(digits)) + "\n";
}

nlohmann::ordered_json to_json(const Metric& metric, const Evaluated& found,
                               const EvaluateOptions& options) {
  nlohmann::ordered_json json;
  json["name"] = metric.name();
  json["score"] = found.score.value;
  json["signature"] = found.signature;
  for (const auto& [name, value] : found.score.parts) json["parts"][name] = value;
  if (found.confidence) json["confidence"] = to_json(*found.confidence, *options.confidence);
  return json;
}

void print_scores(const EvaluateOptions& options, const ScoredList& list) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  std::string text;
  for (const auto& [metric, texts] : list) {
    const Evaluated found = evaluate(metric, texts, options.confidence);
    json.push_back(to_json(metric, found, options));
    json.back()["hypotheses"] = texts.hypotheses.name;
    text += print(metric, found, options.choice.digits);
  }
  write_scores(options.choice, json, text);
}

// The score of each line.
std::vector<double> sentence_scores(const Metric& metric, const Texts& texts) {
  std::vector<double> scores;
  for (size_t i = 0; i < texts.hypotheses.lines.size(); ++i) {
    LineReferences references;
    for (const Lines& lines : texts.references) references.push_back(lines[i]);
    scores.push_back(metric.score_line(texts.hypotheses.lines[i], references).value);
  }
  return scores;
}

void print_sentences(const EvaluateOptions& options, const ScoredList& list) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  std::vector<std::string> rows(list.front().texts.hypotheses.lines.size());
  for (const auto& [metric, texts] : list) {
    const std::vector<double> scores = sentence_scores(metric, texts);
    for (size_t i = 0; i < rows.size(); ++i) {
      rows[i] +=
          fmt::format("{}{:.{}f}", rows[i].empty() ? "" : "\t", scores[i], options.choice.digits);
    }
    json.push_back({{"name", metric.name()},
                    {"signature", metric.signature(texts.references.size())},
                    {"hypotheses", texts.hypotheses.name},
                    {"scores", scores}});
  }
  write_scores(options.choice, json, fmt::format("{}\n", fmt::join(rows, "\n")));
}

}  // namespace

int64_t parse_lead(const std::string& baseline) {
  constexpr std::string_view kLead = "lead:";
  const auto words =
      baseline.starts_with(kLead) ? to_integer(baseline.substr(kLead.size())) : std::nullopt;
  if (words && *words >= 1) return *words;
  throw_error(ErrorKind::kUsage,
              "--baseline: found '{}', expected lead:N, the first N words of each source line, "
              "N at least 1",
              baseline);
}

int run_evaluate(const EvaluateOptions& options) {
  const Metrics metrics = make_metrics(options.choice);
  const Texts texts = read_texts(options, metrics);
  if (options.lead) {
    spdlog::info("evaluating {}, the first {} words of each line", texts.hypotheses.name,
                 *options.lead);
  }
  ScoredList list;
  for (const auto& metric : metrics) list.push_back({*metric, texts});
  const Latency lagging("AL", average_lagging), smooth("DAL", differentiable_average_lagging);
  Texts delays;
  if (options.delays) {
    delays = read_delays(*options.delays, texts.hypotheses, lagging);
    for (const Latency* latency : {&lagging, &smooth}) list.push_back({*latency, delays});
  }
  if (options.sentences) {
    print_sentences(options, list);
  } else {
    print_scores(options, list);
  }
  return 0;
}

}  // namespace heed
