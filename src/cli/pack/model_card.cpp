#include "cli/pack/model_card.h"

#include <nlohmann/json.hpp>
#include <regex>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/model_folder.h"
#include "base/run_folder_names.h"
#include "model/saved_model_config.h"
#include "results/run_list.h"

namespace heed {

namespace {

// JSON is YAML, and quotes what has to be quoted.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// The run that a model is of.
std::optional<RunSummary> run_of(const fs::path& folder) {
  std::error_code unknown;
  const fs::path real = fs::canonical(folder, unknown);
  for (const fs::path& above : {real, real.parent_path(), real.parent_path().parent_path(),
                                real.parent_path().parent_path().parent_path()}) {
    if (!is_run(above) || !is_there(above / kRunMetrics)) continue;
    return list_runs({above.string()}).front();
  }
  return std::nullopt;
}

void add_languages(const SavedModelConfig& config, std::string& card) {
  const std::pair<const char*, const std::string&> languages[] = {
      {"source", config.source_language}, {"target", config.target_language}};
  std::string known;
  for (const auto& [side, code] : languages) {
    if (!code.empty()) known += fmt::format("  {}: {}\n", side, quoted(code));
  }
  if (!known.empty()) card += "languages:\n" + known;
}

// A list of data without the keys that it does not give.
std::string given_keys(const std::string& data) {
  return std::regex_replace(data, std::regex(R"(, \w+: (~|\{\})(?=[,}]))"), "");
}

void add_training(const RunSummary& run, std::string& card) {
  card += fmt::format("training:\n  run: {}\n  updates: {}\n", quoted(run.name), run.updates);
  for (const auto& [key, value] : run.settings) {
    if (key == "data.train") card += fmt::format("  data: {}\n", given_keys(value));
  }
}

void add_scores(const RunSummary& run, std::string& card) {
  std::string scores;
  if (run.best)
    scores += fmt::format("  validation: {{{}: {}}}\n", quoted(run.metric), run.best->value);
  for (const TestScore& test : run.tests)
    scores += fmt::format("  {}: {{{}: {}, signature: {}}}\n",
                          quoted("test " + test.set + " " + test.metric), quoted(test.metric),
                          test.value, quoted(test.signature));
  if (!scores.empty()) card += "scores:\n" + scores;
}

}  // namespace

std::string model_card(const std::string& model, const std::optional<std::string>& licence) {
  std::string card;
  read_model(model, [&](const fs::path& folder) {
    card = fmt::format("model: {}\n", quoted(without_last_slash(model).filename().string()));
    add_languages(read_model_config(folder), card);
    if (licence) card += fmt::format("licence: {}\n", quoted(*licence));
    if (const auto run = run_of(folder)) {
      add_training(*run, card);
      add_scores(*run, card);
    }
  });
  return card;
}

}  // namespace heed
