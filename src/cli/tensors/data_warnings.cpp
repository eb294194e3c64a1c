#include "cli/tensors/data_warnings.h"

#include "base/log.h"
#include "data/corpus_checks.h"
#include "data/evaluation_set.h"

namespace heed {

namespace {

bool tabs_expected(const TextConfigs& text, const std::string& side) {
  const auto& tokenizer = text.at(owner_of(text, side)).tokenizer;
  return tokenizer->marker && tokenizer->marker->find('\t') != std::string::npos;
}

CorpusChecks checks_of(const RunConfig& config) {
  CorpusChecks checks;
  const auto compare = [&](const std::string& name, const EvaluationConfig& set) {
    checks.sets.push_back({name, find_evaluation_files(config.data.root({}), set)});
  };
  for (const EvaluationConfig& set : config.data.valid) compare("valid", set);
  for (const auto& [name, set] : config.data.test) compare("test." + name, set);
  for (const std::string& source : config.data.sources())
    checks.tabs_expected.push_back(tabs_expected(config.text, source));
  checks.tabs_expected.push_back(tabs_expected(config.text, kTargetSide));
  const Cleaning& cleaning = config.data.cleaning;
  if (cleaning.too_long == TooLong::kDrop) checks.max_length = cleaning.max_length;
  return checks;
}

}  // namespace

void warn_of_data(const RunConfig& config, const TrainingText& text) {
  for (const std::string& found : check_corpora(text, checks_of(config))) spdlog::warn("{}", found);
}

}  // namespace heed
