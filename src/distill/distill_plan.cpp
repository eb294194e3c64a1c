#include "distill/distill_plan.h"

#include <algorithm>

#include "base/error_lines.h"
#include "base/file.h"
#include "base/log.h"
#include "base/shell.h"
#include "clean/clean_config.h"
#include "config/make_node.h"
#include "config/print.h"
#include "config/writer.h"
#include "distill/best_translation.h"
#include "distill/source_text.h"
#include "run/chosen_folder.h"
#include "run/run_files.h"
#include "sweep/sweep_plan.h"

namespace heed {

namespace {

using Arguments = std::vector<std::string>;

// Filters that look at the translations alone are on: the text itself was clean enough for the
// teacher. `filters` turns others on.
CleanConfig read_filters(const Node& filters, const std::string& file,
                         std::vector<Problem>& problems) {
  CleanConfig config;
  for (FilterConfig* filter : std::initializer_list<FilterConfig*>{
           &config.identical, &config.characters, &config.script, &config.language, &config.sides,
           &config.numbers, &config.markup, &config.links, &config.test, &config.duplicates,
           &config.near_duplicates})
    filter->enabled = false;
  if (filters.is(Node::Form::kNull)) return config;
  for (Problem& problem : find_problems(filters, file, config)) {
    problem.path = "distill.filters." + problem.path;
    problems.push_back(std::move(problem));
  }
  return config;
}

// Adds the files of the texts of a corpus.
void add_texts(const CorpusFiles& corpus, std::vector<fs::path>& inputs) {
  for (const TextFiles& side : corpus.sides)
    inputs.insert(inputs.end(), side.paths.begin(), side.paths.end());
}

// All files that a training reads.
std::vector<fs::path> inputs_of(const RunConfig& config) {
  std::vector<fs::path> inputs;
  const RunFiles files = find_run_files(config);
  const auto add = [&inputs](const CorpusFiles& corpus) {
    add_texts(corpus, inputs);
    for (const TextFiles* more : {&corpus.edges, &corpus.alignment, &corpus.supporting_facts})
      inputs.insert(inputs.end(), more->paths.begin(), more->paths.end());
  };
  std::ranges::for_each(files.training(), add);
  std::ranges::for_each(files.valid, add);
  inputs.insert(inputs.end(), files.text.begin(), files.text.end());
  if (config.init.model) inputs.emplace_back(*config.init.model);
  return inputs;
}

// The settings of a run without its folder.
std::string settings_of(RunConfig config) {
  config.run.clear();
  config.data.test.clear();  // the stage `evaluation` has them
  return write_config(config);
}

// The --set of the training of a model.
Arguments settings_of_model(const DistilledModelConfig& model) {
  Arguments settings = model.set;
  settings.insert(settings.end(), {"sweep=~", "distill=~"});
  return settings;
}

// Makes the stages in their order.
class Planner {
 public:
  explicit Planner(DistillPlan& plan)
      : plan_(plan), config_(*plan.file.distill), folder_(plan.folder) {}

  void make() {
    read_configs();
    teacher_ = model_stage("teacher", config_.teacher, teacher_config_.run);
    if (config_.reverse) reverse_ = model_stage("reverse", *config_.reverse, reverse_config_.run);
    add_text();
    add_translation();
    add_choice();
    add_filter();
    add_alignment();
    add_student();
    add_pack();
    add_evaluation();
  }

 private:
  Stage& add(Stage stage) { return plan_.stages.emplace_back(std::move(stage)); }

  void read_configs() {
    std::vector<Problem> problems;
    filters_ = read_filters(config_.filters, plan_.request.config, problems);
    const DataConfig& data = plan_.file.run.data;
    if (data.sources().size() != 1 || data.has_edges() || !data.factors().empty() ||
        !data.tags().empty())
      problems.push_back({.file = plan_.request.config,
                          .path = "data.train",
                          .message = "distillation needs one source of text without edges, "
                                     "factors and tags"});
    for (const CorpusConfig& corpus : data.train) {
      if (corpus.weight != 1 || corpus.share)
        problems.push_back({.file = plan_.request.config,
                            .path = corpus.share ? "data.train.share" : "data.train.weight",
                            .message = "distillation translates each line once: leave it out"});
    }
    for (const auto& [part, files] :
         {std::pair("source", &config_.text.source), std::pair("target", &config_.text.target)}) {
      for (const auto& [name, file] : *files) {
        if (!is_plain_file(file))
          problems.push_back({.file = plan_.request.config,
                              .path = fmt::format("distill.text.{}", part),
                              .message = "there is no file " + file});
      }
    }
    read_config(config_.teacher, teacher_config_, problems);
    if (config_.reverse) read_config(*config_.reverse, reverse_config_, problems);
    if (problems.empty()) return;
    std::vector<std::string> lines;
    for (const Problem& problem : problems) lines.push_back(problem.text());
    throw ErrorLines(ErrorKind::kUsage, std::move(lines));
  }

  static void read_config(const DistilledModelConfig& model, ConfigFile& read,
                          std::vector<Problem>& problems) {
    if (!model.config) return;
    for (Problem& problem :
         find_config_problems(*model.config, settings_of_model(model), false, read))
      problems.push_back(std::move(problem));
  }

  // The paths of a model, which a stage trains first if the section has a config, that of the run.
  Arguments model_stage(const std::string& name, const DistilledModelConfig& model,
                        const RunConfig& run) {
    Arguments paths;
    for (const auto& [unused, path] : model.model)
      paths.push_back(from_current_folder(path).string());
    if (!model.config) return paths;
    const fs::path folder = folder_ / name;
    Arguments arguments{"train", *model.config, "--run", folder.string(), "--auto-resume"};
    for (const std::string& setting : settings_of_model(model))
      arguments.insert(arguments.end(), {"--set", setting});
    add({.name = name,
         .title = fmt::format("trains {}", *model.config),
         .settings = settings_of(run),
         .inputs = inputs_of(run),
         .outputs = {folder},
         .trains = true,
         .parts = {{.arguments = std::move(arguments)}}});
    return {folder.string()};
  }

  void add_text() {
    const fs::path text = folder_ / "text";
    SourceParts parts{.corpora = find_training_files(plan_.file.run.data, {})};
    for (const auto& [name, path] : config_.text.source) parts.sources.emplace_back(path);
    Stage back{.name = "back_translation",
               .title = "the reverse model translates further target text",
               .inputs = paths_of(reverse_)};
    for (const auto& [name, path] : config_.text.target) {
      const fs::path source = folder_ / "back_translation" / name;
      parts.translated_back.emplace_back(source, path);
      back.inputs.emplace_back(path);
      Arguments arguments = with_models({"translate"}, reverse_);
      arguments.insert(arguments.end(), {"-i", path, "-o", source.string()});
      back.outputs.push_back(source);
      back.parts.push_back({.work = [source] { make_folders(source.parent_path()); }});
      back.parts.push_back({.arguments = std::move(arguments)});
    }
    if (!back.parts.empty()) add(std::move(back));
    source_ = {text / "source", text / "reference"};
    Stage stage{.name = "text",
                .title = "collects the source text",
                .settings = write_config(plan_.file.run.data),
                .outputs = {source_.source, source_.reference}};
    for (const CorpusFiles& corpus : parts.corpora) add_texts(corpus, stage.inputs);
    for (const auto& [name, path] : config_.text.source) stage.inputs.emplace_back(path);
    for (const auto& [source, target] : parts.translated_back)
      stage.inputs.insert(stage.inputs.end(), {source, target});
    stage.parts.push_back({.work = [parts, files = source_] {
      make_folders(files.source.parent_path());
      const int64_t lines = write_source_text(parts, files);
      spdlog::info("text: {} lines", format_count(lines));
    }});
    if (config_.references) {
      references_ = {text / "pairs.source", text / "pairs.target"};
      stage.outputs.insert(stage.outputs.end(), {references_.source, references_.reference});
      SourceParts pairs = parts;
      pairs.sources.clear();
      stage.parts.push_back(
          {.work = [pairs, files = references_] { write_source_text(pairs, files); }});
    }
    for (const auto& [name, files] : find_run_files(plan_.file.run).tests) {
      plan_.tests.push_back(name);
      const TextAndReference test{plan_.test_source(name), plan_.test_reference(name)};
      add_texts(files, stage.inputs);
      stage.outputs.insert(stage.outputs.end(), {test.source, test.reference});
      stage.parts.push_back({.work = [files, test] {
        make_folders(test.source.parent_path());
        write_test_set(files, test);
      }});
    }
    add(std::move(stage));
  }

  void add_translation() {
    const TeachingConfig& how = config_.translation;
    const fs::path folder = folder_ / "translation", output = folder / "nbest.jsonl";
    Stage stage{
        .name = "translation",
        .title = "the teacher translates the source text",
        .settings = fmt::format("beam {} nbest {} shards {}", how.beam, how.nbest, how.shards),
        .inputs = paths_of(teacher_),
        .outputs = {folder}};
    stage.inputs.push_back(source_.source);
    stage.parts.push_back({.work = [folder] { make_folders(folder); }});
    for (int64_t shard = 1; shard <= how.shards; ++shard) {
      Arguments arguments = with_models({"translate"}, teacher_);
      arguments.insert(arguments.end(), {"-i", source_.source.string(), "-o", output.string(),
                                         "--format", "json", "--beam", std::to_string(how.beam),
                                         "--shard", fmt::format("{}/{}", shard, how.shards)});
      if (how.nbest > 1) arguments.insert(arguments.end(), {"--nbest", std::to_string(how.nbest)});
      stage.parts.push_back({.arguments = std::move(arguments)});
    }
    stage.parts.push_back({.arguments = {"join", output.string()}});
    nbest_ = output;
    add(std::move(stage));
  }

  void add_choice() {
    const std::optional<std::string> metric = metric_of(config_.translation.best);
    const ChoiceFiles files{.nbest = nbest_,
                            .reference = source_.reference,
                            .target = folder_ / "choice" / "target",
                            .scores = folder_ / "choice" / "scores"};
    add({.name = "choice",
         .title = "chooses a translation of each line",
         .settings = metric.value_or("score"),
         .inputs = {files.nbest, files.reference},
         .outputs = {files.target, files.scores},
         .parts = {{.work = [files, metric] {
           make_folders(files.target.parent_path());
           const int64_t others = choose_translations(files, metric);
           if (metric)
             spdlog::info("choice: {} lines have another translation than the teacher's best",
                          format_count(others));
         }}}});
    pairs_ = {source_.source, files.target};
    scores_ = files.scores;
  }

  void add_filter() {
    const fs::path folder = folder_ / "filter", settings = folder / "filters.yaml",
                   reverse_scores = folder_ / "scores" / "reverse";
    Arguments arguments{"clean",
                        "--source",
                        pairs_.source.string(),
                        "--target",
                        pairs_.reference.string(),
                        "--filters",
                        settings.string(),
                        "-o",
                        (folder / "source").string(),
                        (folder / "target").string(),
                        "--rejected",
                        (folder / "rejected.tsv").string()};
    Stage stage{.name = "filter",
                .title = "drops bad translations",
                .settings = write_config(filters_),
                .inputs = {pairs_.source, pairs_.reference},
                .outputs = {folder}};
    if (filters_.scores.enabled && (filters_.scores.best || filters_.scores.max)) {
      Arguments score = with_models({"score"}, reverse_);
      score.insert(score.end(), {"-s", pairs_.reference.string(), "-t", pairs_.source.string(),
                                 "-o", reverse_scores.string()});
      Stage scoring{.name = "scores",
                    .title = "the reverse model scores the pairs",
                    .inputs = paths_of(reverse_),
                    .outputs = {reverse_scores}};
      scoring.inputs.insert(scoring.inputs.end(), {pairs_.source, pairs_.reference});
      scoring.parts.push_back(
          {.work = [reverse_scores] { make_folders(reverse_scores.parent_path()); }});
      scoring.parts.push_back({.arguments = std::move(score)});
      add(std::move(scoring));
      arguments.insert(arguments.end(),
                       {"--scores", scores_.string(), "--reverse-scores", reverse_scores.string()});
      stage.inputs.insert(stage.inputs.end(), {scores_, reverse_scores});
    }
    if (filters_.test.enabled && !plan_.tests.empty()) {
      arguments.emplace_back("--test");
      for (const std::string& test : plan_.tests) {
        for (const fs::path& side : {plan_.test_source(test), plan_.test_reference(test)}) {
          arguments.push_back(side.string());
          stage.inputs.push_back(side);
        }
      }
    }
    stage.parts.push_back({.work = [folder, settings, text = stage.settings] {
      make_folders(folder);
      write_file(settings, text);
    }});
    stage.parts.push_back({.arguments = std::move(arguments)});
    add(std::move(stage));
    pairs_ = {folder / "source", folder / "target"};
  }

  // The pairs that the student learns from.
  std::vector<TextAndReference> training_pairs() const {
    if (!config_.references) return {pairs_};
    return {pairs_, references_};
  }
  // The alignment of the words of pairs.
  static fs::path links_of(const TextAndReference& pairs) {
    return fs::path(pairs.reference) += ".links";
  }

  void add_alignment() {
    if (!config_.alignment) return;
    Stage stage{.name = "alignment", .title = "aligns the words of the pairs"};
    for (const TextAndReference& pairs : training_pairs()) {
      stage.inputs.insert(stage.inputs.end(), {pairs.source, pairs.reference});
      stage.outputs.push_back(links_of(pairs));
      stage.parts.push_back(
          {.arguments = {"align", "--source", pairs.source.string(), "--target",
                         pairs.reference.string(), "-o", links_of(pairs).string()}});
    }
    add(std::move(stage));
  }

  // The training corpora of the student.
  Node corpora() const {
    Node list = make_node(Node::Form::kList);
    for (const TextAndReference& pairs : training_pairs()) {
      Node pair = make_node(Node::Form::kMap);
      const auto set = [&pair](const char* key, const fs::path& file) {
        pair.entries.push_back({key, {}, make_text_node(fs::absolute(file).string())});
      };
      set("source", pairs.source);
      set("target", pairs.reference);
      if (config_.alignment) set("alignment", links_of(pairs));
      list.entries.push_back({"", {}, std::move(pair)});
    }
    return list;
  }

  void add_student() {
    student_ = folder_ / "student";
    Arguments arguments{"train", plan_.request.config, "--run", student_.string(), "--auto-resume"};
    const auto set = [&arguments](std::string setting) {
      arguments.insert(arguments.end(), {"--set", std::move(setting)});
    };
    for (const std::string& setting : plan_.request.set) {
      if (!setting.starts_with("distill")) set(setting);
    }
    set("distill=~");
    set("sweep=~");
    set("data.train=" + print_inline(corpora()));
    if (config_.alignment)
      set(fmt::format("train.guided_alignment.weight={}", config_.alignment->weight));
    Stage stage{.name = "student",
                .title = "trains the student on the translations",
                .settings = settings_of(plan_.file.run),
                .outputs = {student_},
                .trains = true,
                .parts = {{.arguments = std::move(arguments)}}};
    for (const TextAndReference& pairs : training_pairs()) {
      stage.inputs.insert(stage.inputs.end(), {pairs.source, pairs.reference});
      if (config_.alignment) stage.inputs.push_back(links_of(pairs));
    }
    if (config_.alignment) stage.settings += fmt::format("{}\n", config_.alignment->weight);
    add(std::move(stage));
  }

  void add_pack() {
    const fs::path lexicon = folder_ / "pack" / "lexicon", packed = plan_.packed();
    const std::string precision = word_of(config_.pack.precision);
    Arguments pack{"pack", student_.string(), "-o", packed.string(), "--precision", precision};
    Stage stage{.name = "pack",
                .title = "packs the student",
                .settings = fmt::format("{} {}", precision, config_.pack.shortlist),
                .inputs = {student_, pairs_.source, pairs_.reference},
                .outputs = {packed}};
    if (config_.pack.shortlist) {
      stage.outputs.push_back(lexicon);
      stage.parts.push_back({.work = [lexicon] { make_folders(lexicon.parent_path()); }});
      stage.parts.push_back(
          {.arguments = {"shortlist", student_.string(), "--source", pairs_.source.string(),
                         "--target", pairs_.reference.string(), "-o", lexicon.string()}});
      pack.insert(pack.end(), {"--shortlist", lexicon.string()});
    }
    stage.parts.push_back({.arguments = std::move(pack)});
    add(std::move(stage));
    const std::string beam = std::to_string(config_.translation.beam);
    plan_.models = {
        {"teacher", teacher_, {"--beam", beam}, fmt::format("teacher, beam {}", beam)},
        {"student-beam",
         {student_.string()},
         {"--beam", beam},
         fmt::format("student, beam {}", beam)},
        {"student-greedy", {student_.string()}, {"--beam", "1"}, "student, greedy search"},
        {"packed-beam",
         {packed.string()},
         {"--beam", beam},
         fmt::format("packed student, beam {}", beam)},
        {"packed-greedy", {packed.string()}, {"--beam", "1"}, "packed student, greedy search"}};
  }

  void add_evaluation() {
    if (plan_.tests.empty()) {
      spdlog::warn("{}: without data.test no model is evaluated", plan_.request.config);
      return;
    }
    Stage stage{.name = "evaluation",
                .title = "translates the test sets by all models, on one core",
                .inputs = paths_of(teacher_),
                .outputs = {folder_ / "evaluation"}};
    stage.inputs.insert(stage.inputs.end(), {student_, plan_.packed()});
    for (const std::string& test : plan_.tests) stage.inputs.push_back(plan_.test_source(test));
    stage.parts.push_back({.work = [folder = folder_ / "evaluation"] { make_folders(folder); }});
    for (const ComparedModel& model : plan_.models) {
      for (const std::string& test : plan_.tests) {
        Arguments arguments = with_models({"translate"}, model.models);
        arguments.insert(arguments.end(), model.arguments.begin(), model.arguments.end());
        arguments.insert(arguments.end(),
                         {"-i", plan_.test_source(test).string(), "-o",
                          plan_.translations(model.name, test).string(), "--workers", "1"});
        stage.settings += shell_command(arguments) + "\n";
        stage.parts.push_back({.arguments = std::move(arguments),
                               .cores = 1,
                               .seconds = plan_.seconds(model.name, test)});
      }
    }
    add(std::move(stage));
  }

  static std::vector<fs::path> paths_of(const Arguments& models) {
    return {models.begin(), models.end()};
  }
  static Arguments with_models(Arguments arguments, const Arguments& models) {
    arguments.insert(arguments.end(), models.begin(), models.end());
    return arguments;
  }

  DistillPlan& plan_;
  const DistillConfig& config_;
  const fs::path folder_;
  ConfigFile teacher_config_, reverse_config_;
  CleanConfig filters_;
  Arguments teacher_, reverse_;      // paths of models
  TextAndReference source_, pairs_;  // pairs_: source and translation
  TextAndReference references_;      // the pairs of data.train
  fs::path nbest_, scores_, student_;
};

}  // namespace

fs::path DistillPlan::test_source(const std::string& test) const {
  return folder / "tests" / (test + ".source");
}
fs::path DistillPlan::test_reference(const std::string& test) const {
  return folder / "tests" / (test + ".reference");
}
fs::path DistillPlan::translations(const std::string& model, const std::string& test) const {
  return folder / "evaluation" / fmt::format("{}.{}", model, test);
}
fs::path DistillPlan::seconds(const std::string& model, const std::string& test) const {
  return folder / "evaluation" / fmt::format("{}.{}.seconds", model, test);
}

std::string DistillPlan::command() const {
  std::string command = "heed distill " + shell_word(request.config);
  for (const std::string& setting : request.set) command += " --set " + shell_word(setting);
  if (request.run) command += " --run " + shell_word(*request.run);
  return command;
}

DistillPlan plan_distillation(const DistillRequest& request) {
  if (request.config == "-")
    throw_error(ErrorKind::kUsage,
                "the training of the student reads the config: give a file, not -");
  DistillPlan plan{
      .request = request, .folder = {}, .file = read_whole_config(request.config, request.set)};
  if (!plan.file.distill)
    throw_error(ErrorKind::kUsage,
                "{}: has no section `distill`; add one, such as `distill: {{teacher: {{config: "
                "teacher.yaml}}}}`",
                request.config);
  plan.folder =
      choose_folder(request.run, plan.file.distill->folder, plan.file.run.run, "-distill");
  Planner(plan).make();
  return plan;
}

}  // namespace heed
