#include "distill/distill_plan.h"

#include "base/error.h"
#include "base/folder.h"
#include "base/shell.h"
#include "config/mistakes.h"
#include "distill/stages.h"
#include "run/chosen_folder.h"

namespace heed {

namespace {

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

// key: "distill.teacher"
void read_model(const std::string& key, const DistilledModelConfig& model, RunConfig& config,
                const std::string& file_of_key, std::vector<Problem>& problems) {
  for (const auto& [name, path] : model.model) {
    if (!exists(std::filesystem::path(path)))
      problems.push_back({.file = file_of_key,
                          .path = key + ".model",
                          .message = path + " is not there, expected a run or a model"});
  }
  if (!model.config) return;
  ConfigFile file;
  append(problems, find_config_problems(*model.config, model.settings(), /*resumes=*/false, file));
  config = std::move(file.run);
}

// Reads the configs that the config names, and checks what they have to do with each other.
void read_configs(DistillPlan& plan) {
  const DistillConfig& settings = plan.settings();
  const std::string& config = plan.request.config;
  std::vector<Problem> problems;
  const auto add = [&](const std::string& path, const std::string& message) {
    problems.push_back({.file = config, .path = path, .message = message});
  };
  plan.filters = read_filters(settings.filters, config, problems);
  const DataConfig& data = plan.file.run.data;
  if (data.sources().size() != 1 || data.has_edges() || !data.factors().empty() ||
      !data.tags().empty())
    add("data.train", "distillation needs one source of text without edges, factors and tags");
  for (const CorpusConfig& corpus : data.train) {
    if (corpus.weight != 1 || corpus.share)
      add(corpus.share ? "data.train.share" : "data.train.weight",
          "distillation translates each line once: leave it out");
  }
  for (const auto& [part, files] :
       {std::pair("source", &settings.text.source), std::pair("target", &settings.text.target)}) {
    for (const auto& [name, file] : *files) {
      if (!is_plain_file(file))
        add(fmt::format("distill.text.{}", part), "there is no file " + file);
    }
  }
  read_model("distill.teacher", settings.teacher, plan.teacher_config, config, problems);
  if (settings.reverse)
    read_model("distill.reverse", *settings.reverse, plan.reverse_config, config, problems);
  throw_if_any(problems, config + " and the configs that it names");
}

}  // namespace

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
      .request = request, .files = {}, .file = read_whole_config(request.config, request.set)};
  if (!plan.file.distill)
    throw_error(ErrorKind::kUsage,
                "{}: has no section `distill`; add one, such as `distill: {{teacher: {{config: "
                "teacher.yaml}}}}`",
                request.config);
  plan.files.folder =
      choose_folder(request.run, plan.settings().folder, plan.file.run.run, "-distill");
  read_configs(plan);
  for (const auto add_stages : {add_model_stages, add_text_stages, add_translation_stages,
                                add_filter_stages, add_student_stages, add_evaluation_stage})
    add_stages(plan);
  return plan;
}

}  // namespace heed
