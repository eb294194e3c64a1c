#include "cli/evaluate.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "cli/tensor_library.h"

namespace heed {

namespace {

Lines read_lines(const std::string& path) {
  LineReader reader(path);
  Lines lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

std::string shown_name(const std::string& path) { return path == "-" ? "standard input" : path; }

Lines translate(const EvaluateOptions& options) {
  Lines lines;
  TranslateOptions translation;
  translation.models = options.models;
  translation.inputs = options.sources;
  translation.search = options.search;
  translation.collect = &lines;
  run_with_tensors(translation);
  return lines;
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

int run_evaluate(const EvaluateOptions& options) {
  const auto metrics = make_all_metrics(options);
  References references;
  std::vector<std::string> names{options.models.empty() ? shown_name(options.input)
                                                        : "translations"};
  for (const std::string& path : options.references) {
    references.push_back(read_lines(path));
    names.push_back(path);
  }
  const Lines hypotheses = options.models.empty() ? read_lines(options.input) : translate(options);
  check_texts(hypotheses, references, names);
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  std::string text;
  for (const auto& metric : metrics) {
    const Score score = metric->score(hypotheses, references);
    json.push_back(to_json(*metric, score, references.size()));
    text +=
        format_score(*metric, score, references.size(), static_cast<int>(options.digits)) + "\n";
  }
  AtomicFile out("-");
  out.write(options.format == ScoreFormat::kJson ? json.dump(2) + "\n" : text);
  out.commit();
  return 0;
}

}  // namespace heed
