#include <algorithm>

#include "config/writer.h"
#include "distill/stages.h"
#include "run/chosen_folder.h"
#include "run/run_files.h"

namespace heed {

namespace {

namespace fs = std::filesystem;

// All files that a training reads.
std::vector<fs::path> inputs_of_training(const RunConfig& config) {
  std::vector<fs::path> inputs;
  const RunFiles files = find_run_files(config);
  const auto add = [&inputs](const CorpusFiles& corpus) {
    add_texts(corpus, inputs);
    append(inputs, corpus.edges.paths);
    append(inputs, corpus.alignment.paths);
    append(inputs, corpus.supporting_facts.paths);
    for (const TextFiles& factor : corpus.factors) append(inputs, factor.paths);
  };
  std::ranges::for_each(files.training(), add);
  std::ranges::for_each(files.valid, add);
  append(inputs, files.text);
  if (config.init.model) inputs.emplace_back(*config.init.model);
  return inputs;
}

// Returns the paths of the model, which a stage trains first if the section has a config, that of the
// run.
std::vector<std::string> add_model(const std::string& name, const DistilledModelConfig& model,
                                   const RunConfig& run, DistillPlan& plan) {
  std::vector<std::string> paths;
  for (const auto& [unused, path] : model.model)
    paths.push_back(from_current_folder(path).string());
  if (!model.config) return paths;
  const fs::path folder = plan.files.run(name);
  std::vector<std::string> arguments{"train", *model.config, "--run", folder.string(),
                                     "--auto-resume"};
  for (const std::string& setting : model.settings()) append(arguments, {"--set", setting});
  plan.stages.push_back({.name = name,
                         .title = "trains " + *model.config,
                         .settings = settings_of(run),
                         .named_settings = named_settings_of(run),
                         .inputs = inputs_of_training(run),
                         .outputs = {folder},
                         .trains = true,
                         .parts = {{.arguments = std::move(arguments)}}});
  return {folder.string()};
}

}  // namespace

namespace {

RunConfig without_tests(RunConfig config) {
  config.run.clear();
  config.data.test.clear();
  return config;
}

}  // namespace

std::string settings_of(RunConfig config) { return write_config(without_tests(std::move(config))); }

FlatConfig named_settings_of(RunConfig config) {
  return flatten_config(without_tests(std::move(config)));
}

void add_texts(const CorpusFiles& corpus, std::vector<fs::path>& inputs) {
  for (const TextFiles& side : corpus.sides) append(inputs, side.paths);
}

void add_model_stages(DistillPlan& plan) {
  plan.teacher = add_model("teacher", plan.settings().teacher, plan.teacher_config, plan);
  if (plan.settings().reverse)
    plan.reverse = add_model("reverse", *plan.settings().reverse, plan.reverse_config, plan);
}

}  // namespace heed
