#include "run/run_files.h"

#include <algorithm>

#include "data/evaluation_set.h"

namespace heed {

namespace {

bool same_files(const CorpusFiles& a, const CorpusFiles& b) {
  return a.sides == b.sides && a.edges == b.edges && a.alignment == b.alignment &&
         a.supporting_facts == b.supporting_facts && a.factors == b.factors;
}

CorpusFiles text_of(CorpusFiles files) {
  files.edges = {};
  files.alignment = {};
  files.supporting_facts = {};
  return files;
}

void add_new(std::vector<CorpusFiles>& all, CorpusFiles files) {
  const auto is_same = [&](const CorpusFiles& one) { return same_files(one, files); };
  if (std::ranges::none_of(all, is_same)) all.push_back(std::move(files));
}

}  // namespace

std::vector<CorpusFiles> RunFiles::training() const {
  std::vector<CorpusFiles> all = phases.front();
  for (auto phase = phases.begin() + 1; phase != phases.end(); ++phase) {
    for (const CorpusFiles& files : *phase) add_new(all, files);
  }
  return all;
}

std::vector<CorpusFiles> RunFiles::training_texts() const {
  std::vector<CorpusFiles> all;
  for (const CorpusFiles& files : phases.front()) all.push_back(text_of(files));
  for (CorpusFiles& files : training()) add_new(all, text_of(std::move(files)));
  return all;
}

RunFiles find_run_files(const RunConfig& config) {
  RunFiles files{.phases = {find_training_files(config.data, {})}, .text = text_files(config.text)};
  for (const RunPhase& phase : config.phases)
    files.phases.push_back(find_training_files(phase.data, {}));
  const std::filesystem::path root = config.data.root({});
  for (const EvaluationConfig& set : config.data.valid)
    files.valid.push_back(find_evaluation_files(root, set));
  for (const auto& [name, set] : config.data.test)
    files.tests.emplace_back(name, find_evaluation_files(root, set));
  return files;
}

}  // namespace heed
