#include "cli/text_evaluation.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/translation.h"
#include "config/numbers.h"
#include "metric/nbest_list.h"
#include "metric/words.h"

namespace heed {

namespace {

std::string shown_name(const std::string& path) { return path == "-" ? "standard input" : path; }

Lines read_lines(const std::string& path) {
  LineReader reader(path);
  Lines lines;
  try {
    for (std::string line; reader.next(line);) lines.push_back(line);
  } catch (const std::bad_alloc&) {
    Lines().swap(lines);
    throw_error(ErrorKind::kFailure,
                "out of memory while reading {}, behind line {}; evaluate parts of it",
                shown_name(path), format_count(reader.line_number()));
  }
  return lines;
}

Lines translate(const EvaluateOptions& options) {
  Lines lines;
  TranslateOptions translation;
  translation.models = options.models;
  translation.inputs = options.sources;
  translation.tag = options.tag;
  translation.search = options.search;
  translation.decoding = options.decoding;
  translation.collect = &lines;
  run_translate(translation);
  return lines;
}

// What is measured, and what it is called.
struct Hypotheses {
  std::string name;
  Lines lines;
};

Hypotheses lead(const std::string& source, int64_t count) {
  Lines lines = read_lines(source);
  for (std::string& line : lines) {
    auto words = words_of(line);
    words.resize(std::min(words.size(), static_cast<size_t>(count)));
    line = fmt::format("{}", fmt::join(words, " "));
  }
  return {fmt::format("lead:{} of {}", count, shown_name(source)), std::move(lines)};
}

Hypotheses hypotheses_of(const EvaluateOptions& options) {
  if (!options.models.empty()) return {"translations", translate(options)};
  if (options.lead) return lead(options.sources.front(), *options.lead);
  return {shown_name(options.input), read_lines(options.input)};
}

// A metric that was named twice, by itself and by its group, is printed once.
std::vector<std::unique_ptr<Metric>> make_all_metrics(const EvaluateOptions& options) {
  std::vector<std::unique_ptr<Metric>> all;
  for (const std::string& name : options.metrics) {
    for (auto& metric : make_metrics(name, options.settings)) {
      const auto same = [&](const auto& other) { return other->name() == metric->name(); };
      if (std::none_of(all.begin(), all.end(), same)) all.push_back(std::move(metric));
    }
  }
  return all;
}

nlohmann::ordered_json to_json(const Metric& metric, const Score& score, size_t references) {
  nlohmann::ordered_json json;
  json["name"] = metric.name();
  json["score"] = score.value;
  json["signature"] = metric.signature(references);
  for (const auto& [name, value] : score.parts) json["parts"][name] = value;
  return json;
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
  const auto metrics = make_all_metrics(options);
  References references;
  for (const std::string& path : options.references) references.push_back(read_lines(path));
  const auto [name, hypotheses] = hypotheses_of(options);
  refuse_nbest_list(hypotheses, name);
  std::vector<std::string> names{name};
  names.insert(names.end(), options.references.begin(), options.references.end());
  check_texts(hypotheses, references, names);
  if (options.lead)
    spdlog::info("evaluating {}, the first {} words of each line", name, *options.lead);
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  std::string text;
  for (const auto& metric : metrics) {
    const Score score = metric->score(hypotheses, references);
    json.push_back(to_json(*metric, score, references.size()));
    json.back()["hypotheses"] = name;
    text +=
        format_score(*metric, score, references.size(), static_cast<int>(options.digits)) + "\n";
  }
  AtomicFile out("-");
  out.write(options.format == ScoreFormat::kJson ? json.dump(2) + "\n" : text);
  out.commit();
  return 0;
}

}  // namespace heed
