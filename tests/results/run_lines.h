// Folders of runs as training leaves them, without training: config.yaml, metrics.jsonl and one
// checkpoint, the best.
#pragma once

#include <filesystem>
#include <string>

#include "base/temporary_folder.h"

namespace heed {

inline std::string train_line(int update, double loss, int epoch = 1) {
  return fmt::format(
      R"({{"kind":"train","update":{},"epoch":{},"loss":{},"rate":0.001,"tokens":2000,"seconds":{}}})"
      "\n",
      update, epoch, loss, update);
}

inline std::string validation_line(int update, double bleu, bool best) {
  return fmt::format(
      R"({{"kind":"validation","update":{},"loss":2.5,"bleu":{},"best":{},"seconds":{}}})"
      "\n",
      update, bleu, best, update);
}

inline std::string test_line(int checkpoint, const std::string& set, double bleu,
                             const std::string& signature = "BLEU|nrefs:1|version:heed-0.1.0") {
  return fmt::format(
      R"({{"kind":"test","update":500,"checkpoint":{},"name":"{}","bleu":{},"signature":"{}","cut":3}})"
      "\n",
      checkpoint, set, bleu, signature);
}

inline std::string end_line(int update, const std::string& state) {
  return fmt::format(R"({{"kind":"end","update":{},"state":"{}","reason":""}})"
                     "\n",
                     update, state);
}

// settings: flow maps of the config behind `run`. best: update of the checkpoint.
inline void write_run(const std::filesystem::path& run, const std::string& metrics,
                      const std::string& settings = "train: {validate: {metric: bleu}}\n",
                      int best = 100) {
  const std::string checkpoint = fmt::format("checkpoints/step-{:08}", best);
  std::filesystem::create_directories(run / checkpoint);
  std::filesystem::create_directory_symlink(checkpoint, run / "best");
  write_plainly(run / "config.yaml", "run: " + run.string() + "\n" + settings);
  write_plainly(run / "metrics.jsonl", metrics);
}

}  // namespace heed
