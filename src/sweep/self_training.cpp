#include "sweep/self_training.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "config/make_node.h"
#include "sweep/child_command.h"
#include "sweep/trained_run.h"

namespace heed {

namespace {

// The training corpora as the config has them; tree: of the config with the changes of a setting.
Node corpora_of(Node tree) {
  Node* train = find_node(tree, "data.train");
  if (train != nullptr && train->is(Node::Form::kList)) return std::move(*train);
  if (train == nullptr) return make_node(Node::Form::kList);
  return make_node(Node::Form::kList, {{"", {}, std::move(*train)}});
}

// nbests of each line, by run.
using Nbests = std::vector<std::vector<std::string>>;

// The n-best lists of a run, as `heed translate --format json` writes them.
Nbests read_nbests(const fs::path& file) {
  Nbests nbests;
  LineReader reader(file);
  for (std::string line; reader.next(line);) {
    std::vector<std::string>& texts = nbests.emplace_back();
    const auto json = nlohmann::json::parse(line);
    for (const auto& translation : json.at("translations"))
      texts.push_back(translation.at("text").get<std::string>());
  }
  return nbests;
}

Nbests translate(const SweepPlan& plan, const PlannedRun& run, const fs::path& folder) {
  const fs::path output = folder / (run.seed + ".jsonl");
  const SelfTrainingConfig& config = *plan.self_training;
  std::vector<std::string> arguments{"translate", run.folder.string(), "-i",       config.source,
                                     "-o",        output.string(),     "--format", "json"};
  if (config.nbest > 1)
    arguments.insert(arguments.end(), {"--nbest", std::to_string(config.nbest)});
  spdlog::info("{}: labels {}", run.name, config.source);
  run_command({.arguments = arguments, .output = folder / (run.seed + ".log")});
  return read_nbests(output);
}

// All that the labels depend on.
std::string identity_of(const SweepPlan& plan, const std::vector<const PlannedRun*>& teachers) {
  const SelfTrainingConfig& config = *plan.self_training;
  std::string text =
      fmt::format("{} {} {}\n", hash_file(config.source), config.agreement, config.nbest);
  for (const PlannedRun* run : teachers) text += hash_of_model(*run) + "\n";
  return hash_bytes(text);
}

}  // namespace

std::optional<std::string> agreed_translation(const Nbests& nbests, double agreement) {
  struct Candidate {
    std::string text;
    size_t votes = 0, places = 0;
  };
  std::vector<Candidate> candidates;
  for (const std::vector<std::string>& texts : nbests) {
    std::vector<std::string> seen;
    for (size_t place = 0; place < texts.size(); ++place) {
      const std::string& text = texts[place];
      if (text.empty() || std::ranges::count(seen, text) > 0) continue;
      seen.push_back(text);
      auto found = std::ranges::find(candidates, text, &Candidate::text);
      if (found == candidates.end())
        found = candidates.insert(candidates.end(), Candidate{.text = text});
      ++found->votes;
      found->places += place;
    }
  }
  const auto better = [](const Candidate& a, const Candidate& b) {
    return std::pair(b.votes, a.places) < std::pair(a.votes, b.places);
  };
  const auto best = std::ranges::min_element(candidates, better);
  const auto needed = std::ceil(agreement * static_cast<double>(nbests.size()) - 1e-9);
  if (best == candidates.end() || static_cast<double>(best->votes) < needed) return std::nullopt;
  return best->text;
}

AgreedFiles agreed_files(const fs::path& student) {
  return {student / "agreed.source", student / "agreed.target"};
}

void add_students(SweepPlan& plan, const std::function<Node(const SweepSetting&)>& tree_of) {
  if (!plan.self_training) return;
  const size_t own = plan.settings.size();
  for (int64_t round = 1; round <= plan.self_training->rounds; ++round) {
    for (size_t i = 0; i < own; ++i) {
      SweepSetting student = plan.settings[i];
      student.name += fmt::format("+self-{}", round);
      student.teacher = round == 1 ? i : plan.settings.size() - own;
      const AgreedFiles files = agreed_files(fs::absolute(plan.folder / student.name));
      Node corpora = corpora_of(tree_of(student));
      Node pair =
          make_node(Node::Form::kMap, {{"source", {}, make_text_node(files.source.string())},
                                       {"target", {}, make_text_node(files.target.string())}});
      corpora.entries.push_back({"", {}, std::move(pair)});
      student.changes.push_back({"data.train", std::move(corpora), "sweep.self_training"});
      plan.settings.push_back(std::move(student));
    }
  }
}

void label_text(const SweepPlan& plan, size_t student) {
  const SweepSetting& setting = plan.settings[student];
  const fs::path folder = plan.folder / setting.name, labels = folder / "labels";
  const std::vector<const PlannedRun*> teachers = plan.runs_of(*setting.teacher);
  const AgreedFiles files = agreed_files(folder);
  const fs::path record = labels / "identity";
  const std::string identity = identity_of(plan, teachers);
  if (is_plain_file(files.source) && is_plain_file(record)) {
    if (read_file(record) == identity) return;
    throw_error(ErrorKind::kUsage,
                "{}: the runs of {}, {} or its settings have changed since it was labelled; remove "
                "this folder, or give another one (--run FOLDER)",
                folder.string(), plan.settings[*setting.teacher].name, plan.self_training->source);
  }
  make_folders(labels);
  std::vector<Nbests> runs;
  for (const PlannedRun* teacher : teachers) runs.push_back(translate(plan, *teacher, labels));
  AtomicFile source(files.source), target(files.target), done(record);
  LineReader reader(plan.self_training->source);
  size_t number = 0, agreed = 0;
  for (std::string line; reader.next(line); ++number) {
    Nbests nbests;
    for (const Nbests& run : runs) nbests.push_back(run.at(number));
    const auto text = agreed_translation(nbests, plan.self_training->agreement);
    if (!text) continue;
    ++agreed;
    source.write(line + "\n");
    target.write(*text + "\n");
  }
  done.write(identity);
  if (agreed == 0)
    throw_error(ErrorKind::kFailure, "{}: the runs of {} agree on no line",
                plan.self_training->source, plan.settings[*setting.teacher].name);
  commit_all({&source, &target, &done});
  spdlog::info("{}: the runs agree on {} of {} lines", setting.name,
               format_count(static_cast<int64_t>(agreed)),
               format_count(static_cast<int64_t>(number)));
}

}  // namespace heed
