// The check of a config before training, as `heed config check` makes it of a config that does not
// need the network.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/temporary_folder.h"
#include "captured_log.h"
#include "cli/toy_corpus.h"
#include "run/config_file.h"
#include "run/prepared_data.h"

namespace heed {

constexpr const char* kSmallConfig =
    "run: runs/toy\n"
    "data:\n"
    "  train: [{source: train.src, target: train.tgt}]\n"
    "text:\n"
    "  source: {type: words}\n"
    "  target: {share: source}\n"
    "train: {max_updates: 10}\n";

class StepsWithoutNetwork : public PreparationSteps {
 public:
  void check_memory(const RunConfig& /*config*/, const VocabularySizes& /*sizes*/) override {}
  std::shared_ptr<DataCache> begin(RunSpec& /*spec*/) override {
    return std::make_shared<DataCache>();
  }
  const ModelText* initial_model(const InitConfig& /*init*/) override { return nullptr; }
};

// The current folder has c.yaml, a toy corpus whose targets differ from its sources, and a
// validation set that the config does not name.
class CheckedConfig : public testing::Test {
 protected:
  using Texts = std::vector<std::string>;

  CheckedConfig() : former_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder_.path());
    write_toy_corpus(".");
    write("train.tgt", toy_lines(3, 1000));
    write("c.yaml", kSmallConfig);
  }
  ~CheckedConfig() override { std::filesystem::current_path(former_); }

  static void write(const std::string& name, const std::string& text) { write_plainly(name, text); }
  // The mistakes of c.yaml, a line each.
  static std::string mistakes(const Texts& set = {}) {
    ConfigFile config;
    std::string lines;
    for (const Problem& problem : find_config_problems("c.yaml", set, false, config))
      lines += problem.text() + "\n";
    return lines;
  }
  // Everything that is logged about the config and its data, and behind it the error. Paths are
  // relative to the current folder.
  static std::string findings(const Texts& set = {}, const std::string& file = "c.yaml") {
    StepsWithoutNetwork steps;
    return findings(set, file, steps);
  }
  static std::string findings(const Texts& set, const std::string& file, PreparationSteps& steps) {
    CapturedLog log;
    std::string error;
    try {
      RunSpec spec = find_run({.config = file, .set = set});
      for (const std::string& note : prepare_data(spec, steps).notes()) spdlog::info("{}", note);
    } catch (const Error& refused) {
      error = fmt::format("error {}: {}\n", refused.exit_code(), refused.what());
    }
    return without_folder(log.end() + error);
  }
  TemporaryFolder folder_;

 private:
  static std::string without_folder(std::string text) {
    const std::string folder = std::filesystem::current_path().string() + "/";
    for (size_t at; (at = text.find(folder)) != std::string::npos;) text.erase(at, folder.size());
    return text;
  }
  std::filesystem::path former_;
};

}  // namespace heed
