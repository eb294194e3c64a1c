#include "base/file.h"
#include "config/writer.h"
#include "distill/dropped_pairs.h"
#include "distill/stages.h"

namespace heed {

namespace {

bool compares_scores(const CleanConfig& filters) {
  return filters.scores.enabled && (filters.scores.best || filters.scores.max);
}

void add_reverse_scores(DistillPlan& plan) {
  const TextAndReference pairs = plan.files.translated();
  const std::filesystem::path scores = plan.files.reverse_scores();
  std::vector<std::string> arguments{"score"};
  append(arguments, plan.reverse);
  append(arguments, {"-s", pairs.reference, "-t", pairs.source, "-o", scores});
  Stage stage{.name = "scores",
              .title = "the reverse model scores the pairs",
              .outputs = {scores},
              .parts = {{.arguments = std::move(arguments)}}};
  append(stage.inputs, plan.reverse);
  append(stage.inputs, pairs);
  plan.stages.push_back(std::move(stage));
}

}  // namespace

void add_filter_stages(DistillPlan& plan) {
  const DistillFiles& files = plan.files;
  const TextAndReference pairs = files.translated(), kept = files.filtered();
  std::vector<std::string> arguments{"clean",
                                     "--source",
                                     pairs.source,
                                     "--target",
                                     pairs.reference,
                                     "--filters",
                                     files.filter_settings(),
                                     "-o",
                                     kept.source,
                                     kept.reference,
                                     "--rejected",
                                     files.rejected()};
  Stage stage{.name = "filter",
              .title = "drops bad translations",
              .settings = write_config(plan.filters),
              .named_settings = flatten_config(plan.filters),
              .outputs = {files.filter_settings(), files.rejected()}};
  append(stage.inputs, pairs);
  append(stage.outputs, kept);
  if (compares_scores(plan.filters)) {
    add_reverse_scores(plan);
    append(arguments, {"--scores", files.scores(), "--reverse-scores", files.reverse_scores()});
    append(stage.inputs, TextAndReference{files.scores(), files.reverse_scores()});
  }
  if (plan.filters.test.enabled && !plan.tests.empty()) {
    arguments.emplace_back("--test");
    for (const std::string& name : plan.tests) {
      const TextAndReference test = files.test(name);
      append(arguments, {test.source, test.reference});
      append(stage.inputs, test);
    }
  }
  stage.parts = {
      {.work = [file = files.filter_settings(), text = stage.settings] { write_file(file, text); }},
      {.arguments = std::move(arguments)},
      {.work = [kept = kept.source, rejected = files.rejected()] {
        expect_pairs(kept, rejected);
      }}};
  plan.stages.push_back(std::move(stage));
}

}  // namespace heed
