#include "distill/distill.h"

#include "base/file.h"
#include "cli/arguments.h"
#include "cli/command_line.h"

namespace heed {

namespace {

struct DistillOptions {
  DistillRequest request;
  bool json = false, dry_run = false;
};

int run_distill(const DistillOptions& options) {
  const DistillPlan plan = plan_distillation(options.request);
  if (options.dry_run) {
    print_result(options.json ? plan_json(plan) : describe_plan(plan));
    return 0;
  }
  const DistillOutcome outcome = run_distillation(plan);
  if (outcome.report) print_result(options.json ? outcome.report->json() : outcome.report->text());
  return outcome.exit_code;
}

}  // namespace

void add_distill(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "distill", "Train a small model on translations of a large one, and pack it");
  auto options = std::make_shared<DistillOptions>();
  command
      ->add_option("CONFIG", options->request.config,
                   "The config of the small model, YAML, with a section `distill`")
      ->required()
      ->type_name("");
  add_repeated(*command, "--set", options->request.set,
               "KEY=VALUE instead of the value in the config")
      ->type_name("KEY=VALUE");
  command
      ->add_option("--run", options->request.run,
                   "Folder of all stages, from the current folder; instead of distill.folder")
      ->type_name("FOLDER");
  command->add_flag("--retrain", options->request.retrain,
                    "Train models anew whose settings or data have changed");
  command->add_flag("--dry-run", options->dry_run,
                    "Print the stages with their commands; train and write nothing");
  command->add_flag("--json", options->json,
                    "Print the report, or with --dry-run the stages, as JSON");
  command->callback([&chosen, options] { chosen = [options] { return run_distill(*options); }; });
}

}  // namespace heed
