#include "config/make_node.h"
#include "config/print.h"
#include "distill/stages.h"

namespace heed {

namespace {

namespace fs = std::filesystem;

// The pairs that the student learns from.
std::vector<TextAndReference> training_pairs(const DistillPlan& plan) {
  if (!plan.settings().references) return {plan.files.filtered()};
  return {plan.files.filtered(), plan.files.references()};
}

// The alignment of the words of pairs.
fs::path links_of(const TextAndReference& pairs) { return fs::path(pairs.reference) += ".links"; }

void add_alignment(DistillPlan& plan) {
  if (!plan.settings().alignment) return;
  Stage stage{.name = "alignment", .title = "aligns the words of the pairs"};
  for (const TextAndReference& pairs : training_pairs(plan)) {
    append(stage.inputs, pairs);
    stage.outputs.push_back(links_of(pairs));
    stage.parts.push_back({.arguments = {"align", "--source", pairs.source, "--target",
                                         pairs.reference, "-o", links_of(pairs)}});
  }
  plan.stages.push_back(std::move(stage));
}

// The training corpora of the student.
Node corpora_of(const DistillPlan& plan) {
  Node list = make_node(Node::Form::kList);
  for (const TextAndReference& pairs : training_pairs(plan)) {
    Node pair = make_node(Node::Form::kMap);
    const auto set = [&pair](const char* key, const fs::path& file) {
      pair.entries.push_back({key, {}, make_text_node(fs::absolute(file).string())});
    };
    set("source", pairs.source);
    set("target", pairs.reference);
    if (plan.settings().alignment) set("alignment", links_of(pairs));
    list.entries.push_back({"", {}, std::move(pair)});
  }
  return list;
}

void add_student(DistillPlan& plan) {
  const std::optional<StudentAlignmentConfig>& alignment = plan.settings().alignment;
  std::vector<std::string> arguments{"train", plan.request.config, "--run", plan.student(),
                                     "--auto-resume"};
  for (const std::string& setting : plan.request.set) {
    if (!setting.starts_with("distill")) append(arguments, {"--set", setting});
  }
  for (const std::string& setting : {std::string("distill=~"), std::string("sweep=~"),
                                     "data.train=" + print_inline(corpora_of(plan))})
    append(arguments, {"--set", setting});
  Stage stage{.name = "student",
              .title = "trains the student on the translations",
              .settings = settings_of(plan.file.run),
              .named_settings = named_settings_of(plan.file.run),
              .outputs = {plan.student()},
              .trains = true};
  for (const TextAndReference& pairs : training_pairs(plan)) {
    append(stage.inputs, pairs);
    if (alignment) stage.inputs.push_back(links_of(pairs));
  }
  if (alignment) {
    append(arguments,
           {"--set", fmt::format("train.guided_alignment.weight={}", alignment->weight)});
    stage.settings += fmt::format("{}\n", alignment->weight);
    stage.named_settings["distill.alignment.weight"] = fmt::format("{}", alignment->weight);
  }
  stage.parts = {{.arguments = std::move(arguments)}};
  plan.stages.push_back(std::move(stage));
}

void add_pack(DistillPlan& plan) {
  const StudentPackConfig& how = plan.settings().pack;
  const TextAndReference pairs = plan.files.filtered();
  const std::string lexicon = plan.files.lexicon(), packed = plan.files.packed(),
                    precision = word_of(how.precision);
  std::vector<std::string> pack{"pack", plan.student(), "-o", packed, "--precision", precision};
  Stage stage{.name = "pack",
              .title = "packs the student",
              .settings = fmt::format("{} {}", precision, how.shortlist),
              .inputs = {plan.student(), pairs.source, pairs.reference},
              .outputs = {packed}};
  if (how.shortlist) {
    stage.outputs.emplace_back(lexicon);
    stage.parts.push_back({.arguments = {"shortlist", plan.student(), "--source", pairs.source,
                                         "--target", pairs.reference, "-o", lexicon}});
    append(pack, {"--shortlist", lexicon});
  }
  stage.parts.push_back({.arguments = std::move(pack)});
  plan.stages.push_back(std::move(stage));
}

}  // namespace

void add_student_stages(DistillPlan& plan) {
  add_alignment(plan);
  add_student(plan);
  add_pack(plan);
}

}  // namespace heed
