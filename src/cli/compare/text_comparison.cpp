#include "cli/compare/text_comparison.h"

#include "base/columns.h"
#include "base/descriptor.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/printable.h"
#include "base/run_folder_names.h"
#include "base/same_file.h"
#include "base/utf8.h"
#include "cli/evaluate/scored_texts.h"
#include "report/compared_systems.h"

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
  ComparedTexts texts{.references = read_references(options.choice, options.systems)};
  std::vector<std::string> all = options.choice.references;
  all.insert(all.end(), options.systems.begin(), options.systems.end());
  for (const std::string& file : options.systems) {
    refuse_folder(file);
    texts.names.push_back(input_name(file));
    texts.systems.push_back(read_text(file, all));
    check_hypotheses(texts.names.back(), texts.systems.back(), texts.references, options.choice,
                     metrics);
  }
  return texts;
}

// Words of the breakdowns, by the options of BLEU.
WordSplit split_of(const CompareOptions& options) {
  return {options.choice.settings.bleu.tokenizer, options.choice.settings.letter_case};
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
  const std::string counted =
      options.counted ? printable(input_name(*options.counted)) : "the reference";
  return score_by_frequency(texts, count_words_of(options, texts), counted, split_of(options));
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
    row["confidence"] = to_json(system.confidence, options.significance.bootstrap());
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
  warn_of_caveats(metrics, texts.systems.front(), texts.references);
  std::vector<Comparison> comparisons;
  const std::optional<WordSplit> by_length =
      options.by_length || options.html ? std::optional(split_of(options)) : std::nullopt;
  for (const auto& metric : metrics)
    comparisons.push_back(compare(*metric, texts, options.significance, by_length));
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
