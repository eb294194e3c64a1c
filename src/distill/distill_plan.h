// A distillation that is asked for: its stages, made from a checked config.
//
//   teacher, reverse   trained here, unless they are there
//   text               the source text, and the test sets as plain text
//   back_translation   of further target text, by the reverse model
//   translation        of the source text, by the teacher
//   choice             of the translation that the student learns
//   scores, filter     pairs that the student does not learn from
//   student            trained by the config itself, on the rest
//   pack               its lexicon, and the packed student
//   evaluation         translations of the test sets by all models, with their times
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "clean/clean_config.h"
#include "distill/distill_files.h"
#include "distill/stage.h"
#include "run/config_file.h"

namespace heed {

struct DistillRequest {
  std::string config;                // path of the YAML file
  std::vector<std::string> set{};    // KEY=VALUE
  std::optional<std::string> run{};  // instead of distill.folder; from the current folder
  bool retrain = false;              // train models anew whose settings or data have changed
};

// A model that the report compares.
struct ComparedModel {
  std::string name;                      // also that of its files: "student-int8"
  std::vector<std::string> models{};     // paths; several are an ensemble
  std::vector<std::string> arguments{};  // of `heed translate`
  std::string description{};             // "packed, greedy search, shortlist"
};

struct DistillPlan {
  DistillRequest request;
  DistillFiles files;
  ConfigFile file;
  // The configs of models that are trained here, and paths of both models.
  RunConfig teacher_config{}, reverse_config{};
  std::vector<std::string> teacher{}, reverse{};
  CleanConfig filters{};
  std::vector<Stage> stages{};
  std::vector<ComparedModel> models{};
  std::vector<std::string> tests{};  // names of the test sets

  const DistillConfig& settings() const { return *file.distill; }
  std::string student() const { return files.run("student").string(); }
  // `heed distill …`, for messages.
  std::string command() const;
};

// Reads the config, and the configs of the models that are to be trained. Throws Error(kUsage) that
// lists every mistake.
DistillPlan plan_distillation(const DistillRequest& request);

}  // namespace heed
