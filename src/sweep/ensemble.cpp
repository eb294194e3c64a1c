#include "sweep/ensemble.h"

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/hash.h"
#include "base/json_text.h"
#include "base/log.h"
#include "base/model_folder.h"
#include "base/run_folder_names.h"
#include "data/edges.h"
#include "data/evaluation_set.h"
#include "metric/registry.h"
#include "model/pair_encoder_spec.h"
#include "sweep/child_command.h"
#include "sweep/trained_run.h"

namespace heed {

namespace {

using Json = nlohmann::ordered_json;
using Lines = std::vector<std::string>;

// A set that the ensemble translates.
struct ScoredSet {
  std::string column;   // "validation", "test.SET"
  TestTextFiles files;  // of the translations and the references
  EvaluationSet text{};
  Lines metrics{};
  std::optional<int64_t> beam{};  // instead of that of the models
};

class Ensemble {
 public:
  Ensemble(const SweepPlan& plan, size_t setting)
      : runs_(plan.runs_of(setting)),
        config_(runs_.front()->config),
        folder_(plan.folder / plan.settings[setting].name / "ensemble") {
    model_ = read_model_text(find_model(runs_.front()->folder));
    root_ = config_.data.root({});
    find_sets();
  }

  std::map<std::string, double> scores() const {
    const fs::path file = folder_ / "scores.json";
    const std::string identity = hash_bytes(identity_text());
    if (const auto known = read_scores(file, identity)) return *known;
    make_folders(folder_);
    std::map<std::string, double> scores;
    for (const ScoredSet& set : sets_) {
      const Lines translations = translate(set);
      for (const std::string& name : set.metrics)
        scores[fmt::format("{}.{}", set.column, name)] =
            metric(name, set)->score(translations, {set.text.references}).value;
    }
    write_file(file, json_text(Json{{"identity", identity}, {"scores", scores}}, 2) + "\n");
    return scores;
  }

 private:
  void find_sets() {
    const ValidateConfig& validation = config_.train.validation;
    const std::vector<EvaluationConfig>& valid = config_.data.valid;
    if (const Lines metrics = validation.translation_metrics();
        !metrics.empty() && !valid.empty()) {
      EvaluationSet all = read("validation", valid.front());
      for (size_t i = 1; i < valid.size(); ++i) append(all, read("validation", valid[i]));
      sets_.push_back({.column = "validation",
                       .files = test_text_files(folder_, "validation"),
                       .text = text_of(all, validation.max_sentences),
                       .metrics = metrics,
                       .beam = validation.beam});
    }
    for (const auto& [name, config] : config_.data.test)
      sets_.push_back({.column = "test." + name,
                       .files = test_text_files(folder_ / "test", name),
                       .text = read(name, config),
                       .metrics = validation.test_metrics()});
  }

  EvaluationSet read(const std::string& name, const EvaluationConfig& config) const {
    CorpusFiles files = find_evaluation_files(root_, config);
    if (std::ranges::count(inputs_of(model_.config), kEdgesInput) == 0) files.edges = {};
    return read_parallel(name, files, pair_encoder(model_.config, model_.codecs));
  }

  std::unique_ptr<Metric> metric(const std::string& name, const ScoredSet& set) const {
    return make_metric(name, config_.train.validation.metric_options(set.text.lower_case));
  }

  // All that the scores depend on: models, texts, metrics and beams.
  std::string identity_text() const {
    std::string text;
    for (const PlannedRun* run : runs_) text += hash_of_model(*run) + "\n";
    for (const ScoredSet& set : sets_) {
      text += fmt::format("{} {}\n", set.column, set.beam.value_or(0));
      for (const std::string& name : set.metrics) text += metric(name, set)->signature(1) + "\n";
      for (const Lines& source : set.text.sources)
        text += fmt::format("{}\n", fmt::join(source, "\n"));
      text += fmt::format("{}\n", fmt::join(set.text.references, "\n"));
    }
    return text;
  }

  static std::optional<std::map<std::string, double>> read_scores(const fs::path& file,
                                                                  const std::string& identity) try {
    if (!is_plain_file(file)) return std::nullopt;
    const Json json = Json::parse(read_file(file));
    if (json.at("identity") != identity) return std::nullopt;
    return json.at("scores").get<std::map<std::string, double>>();
  } catch (const Json::exception&) {
    return std::nullopt;
  }

  // Writes the translations and the references too.
  Lines translate(const ScoredSet& set) const {
    make_folders(set.files.translations.parent_path());
    std::vector<std::string> arguments{"translate"};
    for (const PlannedRun* run : runs_) arguments.push_back(run->folder.string());
    const std::vector<std::string> inputs = inputs_of(model_.config);
    HEED_CHECK(inputs.size() == set.text.sources.size(), "{}", set.column);
    std::vector<fs::path> sources;
    for (size_t i = 0; i < inputs.size(); ++i) {
      sources.push_back(folder_ / ("source." + inputs[i]));
      write_lines(sources.back(), set.text.sources[i]);
      arguments.insert(arguments.end(), {"-i", inputs[i] + "=" + sources.back().string()});
    }
    arguments.insert(arguments.end(), {"-o", set.files.translations.string()});
    if (set.beam) arguments.insert(arguments.end(), {"--beam", std::to_string(*set.beam)});
    run_command({.arguments = arguments, .output = folder_ / "translate.log"});
    for (const fs::path& source : sources) fs::remove(source);
    write_lines(set.files.references, set.text.references);
    return read_lines({{set.files.translations}, {}});
  }

  static void write_lines(const fs::path& file, const Lines& lines) {
    write_file(file, lines.empty() ? "" : fmt::format("{}\n", fmt::join(lines, "\n")));
  }

  std::vector<const PlannedRun*> runs_;
  const RunConfig& config_;
  fs::path folder_, root_;
  ModelText model_;
  std::vector<ScoredSet> sets_;
};

}  // namespace

std::map<std::string, double> ensemble_scores(const SweepPlan& plan, size_t setting) {
  return Ensemble(plan, setting).scores();
}

}  // namespace heed
