#include "base/log.h"
#include "config/writer.h"
#include "distill/stages.h"
#include "run/run_files.h"

namespace heed {

namespace {

void add_back_translation(DistillPlan& plan) {
  Stage stage{.name = "back_translation",
              .title = "the reverse model translates further target text"};
  append(stage.inputs, plan.reverse);
  for (const auto& [name, path] : plan.settings().text.target) {
    const std::filesystem::path source = plan.files.translated_back(name);
    std::vector<std::string> arguments{"translate"};
    append(arguments, plan.reverse);
    append(arguments, {"-i", path, "-o", source.string()});
    stage.inputs.emplace_back(path);
    stage.outputs.push_back(source);
    stage.parts.push_back({.arguments = std::move(arguments)});
  }
  if (!stage.parts.empty()) plan.stages.push_back(std::move(stage));
}

void add_test_sets(DistillPlan& plan, Stage& stage) {
  for (const auto& [name, files] : find_run_files(plan.file.run).tests) {
    plan.tests.push_back(name);
    const TextAndReference test = plan.files.test(name);
    add_texts(files, stage.inputs);
    append(stage.outputs, test);
    stage.parts.push_back({.work = [files, test] { write_test_set(files, test); }});
  }
}

}  // namespace

void add_text_stages(DistillPlan& plan) {
  add_back_translation(plan);
  const DistilledTextConfig& text = plan.settings().text;
  SourceParts parts{.corpora = find_training_files(plan.file.run.data, {})};
  Stage stage{.name = "text",
              .title = "collects the source text",
              .settings = write_config(plan.file.run.data)};
  for (const CorpusFiles& corpus : parts.corpora) add_texts(corpus, stage.inputs);
  for (const auto& [name, path] : text.source) {
    parts.sources.emplace_back(path);
    stage.inputs.emplace_back(path);
  }
  for (const auto& [name, path] : text.target) {
    parts.translated_back.emplace_back(plan.files.translated_back(name), path);
    append(stage.inputs, TextAndReference{plan.files.translated_back(name), path});
  }
  append(stage.outputs, plan.files.text());
  stage.parts.push_back({.work = [parts, files = plan.files.text()] {
    spdlog::info("text: {} lines", format_count(write_source_text(parts, files)));
  }});
  if (plan.settings().references) {
    append(stage.outputs, plan.files.references());
    parts.sources.clear();
    stage.parts.push_back(
        {.work = [parts, files = plan.files.references()] { write_source_text(parts, files); }});
  }
  add_test_sets(plan, stage);
  plan.stages.push_back(std::move(stage));
}

}  // namespace heed
