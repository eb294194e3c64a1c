// The whole config: the only struct that contains every section, and the checks that involve
// several sections.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/reader.h"
#include "data/data_config.h"
#include "model/model_config.h"
#include "search/search_config.h"
#include "text/text_config.h"
#include "train/init_config.h"
#include "train/train_config.h"

namespace heed {

// A phase after the first: the sections of the config during that phase.
struct RunPhase {
  DataConfig data;
  ModelConfig model;
  LearningConfig learning;
};

struct RunConfig final : Settings {
  std::string run;
  int64_t seed = 1;
  std::string device = "auto";
  DataConfig data;
  TextConfigs text;
  ModelConfig model;
  InitConfig init;
  TrainConfig train;
  SearchConfig search;
  std::vector<RunPhase> phases;  // read_run_config() builds them from train.phases

  // Folder of the config; paths in it are relative to this folder. The existence of files is
  // checked only if it is set.
  std::filesystem::path folder;

  RunConfig();
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
  void validate_parts(Problems& problems) const override;
};

// Adds a problem unless the decoder has attention weights over source tokens that a loss trains. path:
// of the setting that asks for it.
void check_alignment_of(const ModelConfig& model, const std::string& path, Problems& problems);

// Reads a config. `overrides` are KEY=VALUE. The result has absolute paths, so that it can be
// stored elsewhere. Throws Error(kUsage) that lists every problem, one per line. resumes: sections
// that init.model provides are taken from the config of the run.
RunConfig read_run_config(const std::string& file, const std::vector<std::string>& overrides,
                          bool resumes = false);

// Reads the config that a run has stored. Throws Error(kModel) if it cannot be read.
void read_stored_config(const std::filesystem::path& file, Settings& settings);

}  // namespace heed
