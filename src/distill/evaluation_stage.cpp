#include "base/log.h"
#include "distill/stages.h"
#include "sweep/child_command.h"

namespace heed {

namespace {

// Teacher and student with the teacher's beam, and the student with greedy search.
std::vector<ComparedModel> compared_models(const DistillPlan& plan) {
  const std::string beam = std::to_string(plan.settings().translation.beam),
                    packed = plan.files.packed();
  const std::vector<std::string> with_beam{"--beam", beam}, greedy{"--beam", "1"};
  return {{"teacher", plan.teacher, with_beam, "teacher, beam " + beam},
          {"student-beam", {plan.student()}, with_beam, "student, beam " + beam},
          {"student-greedy", {plan.student()}, greedy, "student, greedy search"},
          {"packed-beam", {packed}, with_beam, "packed student, beam " + beam},
          {"packed-greedy", {packed}, greedy, "packed student, greedy search"}};
}

}  // namespace

void add_evaluation_stage(DistillPlan& plan) {
  if (plan.tests.empty()) {
    spdlog::warn("{}: without data.test no model is evaluated", plan.request.config);
    return;
  }
  plan.models = compared_models(plan);
  Stage stage{.name = "evaluation",
              .title = "translates the test sets by all models, on one core",
              .outputs = {plan.files.evaluation()},
              .fills = true};
  append(stage.inputs, plan.teacher);
  append(stage.inputs, std::initializer_list<std::string>{plan.student(), plan.files.packed()});
  for (const std::string& test : plan.tests) stage.inputs.push_back(plan.files.test(test).source);
  for (const ComparedModel& model : plan.models) {
    for (const std::string& test : plan.tests) {
      std::vector<std::string> arguments{"translate"};
      append(arguments, model.models);
      append(arguments, model.arguments);
      append(arguments,
             {"-i", plan.files.test(test).source, "-o", plan.files.translations(model.name, test),
              "--seconds", plan.files.seconds(model.name, test), "--workers", "1"});
      stage.settings += shell_command(arguments) + "\n";
      stage.parts.push_back({.arguments = std::move(arguments), .cores = 1});
    }
  }
  plan.stages.push_back(std::move(stage));
}

}  // namespace heed
