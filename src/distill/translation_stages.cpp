#include "base/log.h"
#include "distill/best_translation.h"
#include "distill/stages.h"

namespace heed {

namespace {

// The format of the n-best list, all that the stage `choice` reads.
constexpr const char* kListFormat = "json-texts";

void add_translation(DistillPlan& plan) {
  const TeachingConfig& how = plan.settings().translation;
  const std::string source = plan.files.text().source, output = plan.files.nbest();
  Stage stage{.name = "translation",
              .title = "the teacher translates the source text",
              .settings = fmt::format("beam {} nbest {} shards {} {}", how.beam, how.nbest,
                                      how.shards, kListFormat),
              .named_settings = {{"distill.translation.beam", std::to_string(how.beam)},
                                 {"distill.translation.nbest", std::to_string(how.nbest)},
                                 {"distill.translation.shards", std::to_string(how.shards)}},
              .outputs = {plan.files.nbest().parent_path()},
              .fills = true};
  append(stage.inputs, plan.teacher);
  stage.inputs.emplace_back(source);
  for (int64_t shard = 1; shard <= how.shards; ++shard) {
    std::vector<std::string> arguments{"translate"};
    append(arguments, plan.teacher);
    append(arguments,
           {"-i", source, "-o", output, "--format", kListFormat, "--beam", std::to_string(how.beam),
            "--shard", fmt::format("{}/{}", shard, how.shards)});
    if (how.nbest > 1) append(arguments, {"--nbest", std::to_string(how.nbest)});
    stage.parts.push_back({.arguments = std::move(arguments)});
  }
  stage.parts.push_back({.arguments = {"join", output}});
  plan.stages.push_back(std::move(stage));
}

void add_choice(DistillPlan& plan) {
  const std::optional<std::string> metric = metric_of(plan.settings().translation.best);
  const ChoiceFiles files{.nbest = plan.files.nbest(),
                          .reference = plan.files.text().reference,
                          .target = plan.files.translated().reference,
                          .scores = plan.files.scores()};
  plan.stages.push_back(
      {.name = "choice",
       .title = "chooses a translation of each line",
       .settings = metric.value_or("score"),
       .named_settings = {{"distill.translation.best", metric.value_or("score")}},
       .inputs = {files.nbest, files.reference},
       .outputs = {files.target, files.scores},
       .parts = {{.work = [files, metric] {
         const int64_t others = choose_translations(files, metric);
         if (metric)
           spdlog::info("choice: {} lines have another translation than the teacher's best",
                        format_count(others));
       }}}});
}

}  // namespace

void add_translation_stages(DistillPlan& plan) {
  add_translation(plan);
  add_choice(plan);
}

}  // namespace heed
