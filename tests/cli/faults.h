// Runs the program under tests/faults/faults.c and checks the run folder afterwards.
#pragma once

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/program.h"
#include "cli/toy_corpus.h"

namespace heed {

// Fault that the preloaded library causes.
struct Fault {
  std::string what{};    // "kill", "full" or an errno by number
  int64_t at = 0;        // of the calls on files in the folder, from 1
  int64_t delay = 0;     // microseconds that every opening waits
  std::string log{};     // a file that gets the names of the calls
  std::string folder{};  // the calls in it count
};

inline std::map<std::string, std::string> environment_of(const Fault& fault) {
  const auto library = fs::path(program_path()).parent_path() / "../lib/libheed_faults.so";
  return {{"LD_PRELOAD", fs::canonical(library)},
          {"HEED_FAULT_FOLDER", fault.folder},
          {"HEED_FAULT_AT", std::to_string(fault.at)},
          {"HEED_FAULT", fault.what},
          {"HEED_FAULT_DELAY", std::to_string(fault.delay)},
          {"HEED_FAULT_LOG", fault.log}};
}

// A training run of a second: eight updates, two checkpoints; the second replaces the first as
// best.
class TinyRun {
 public:
  TinyRun() {
    for (const char* side : {"src", "tgt"}) {
      write_plainly(data_ / (std::string("train.") + side), toy_lines(1, 40));
      write_plainly(data_ / (std::string("valid.") + side), toy_lines(2, 8));
    }
    write_plainly(data_ / "tiny.yaml", kConfig);
    if (!has_tensors()) return;
    EXPECT_EQ(train(data_ / "whole").exit_code, 0);
  }

  Arguments arguments(const fs::path& run, const Arguments& more = {}) const {
    return joined({"train", data_ / "tiny.yaml", "--run", run}, more);
  }
  Outcome train(const fs::path& run, const Arguments& more = {}, const Fault& fault = {}) const {
    return run_heed(arguments(run, more), settings(fault));
  }
  RunSettings settings(const Fault& fault) const {
    RunSettings settings;
    if (!fault.folder.empty()) settings.environment = environment_of(fault);
    return settings;
  }
  fs::path operator/(const std::string& name) const { return data_ / name; }

  // Names of the calls that a run makes on the files of its folder.
  std::vector<std::string> calls() const {
    const TemporaryFolder folder;
    const fs::path log = data_ / "calls";
    fs::remove(log);
    train(folder / "runs/tiny", {}, {.log = log, .folder = folder.path()});
    return lines_of(read_plainly(log));
  }

  // Expects that weights, optimizer and metrics equal those of an undisturbed run.
  void expect_whole(const fs::path& run) const {
    for (const char* file : {"latest/model/model.safetensors", "latest/optimizer.safetensors",
                             "best/model/model.safetensors"}) {
      const std::string expected = read_plainly(data_ / "whole" / file);
      EXPECT_GT(expected.size(), 100u) << file;
      EXPECT_TRUE(read_plainly(run / file) == expected) << file;
    }
    EXPECT_EQ(metrics(run), metrics(data_ / "whole"));
    EXPECT_EQ(checkpoints(run), checkpoints(data_ / "whole"));
    EXPECT_EQ(temporaries(run.parent_path()), std::vector<std::string>{});
  }

  // Expects that `latest` and `best`, if they exist, point to a whole checkpoint.
  static void expect_links_to_be_whole(const fs::path& run) {
    for (const char* link : {"latest", "best"}) {
      if (!is_there(run / link)) continue;
      EXPECT_NO_THROW(check_manifest(run / link));
    }
  }

 private:
  // Metrics without the figures that depend on time.
  static std::vector<nlohmann::json> metrics(const fs::path& run) {
    std::vector<nlohmann::json> found;
    for (const std::string& line : lines_of(read_plainly(run / "metrics.jsonl"))) {
      found.push_back(nlohmann::json::parse(line));
      for (const char* time : {"seconds", "tokens_per_second"}) found.back().erase(time);
    }
    return found;
  }
  static std::vector<std::string> checkpoints(const fs::path& run) {
    std::vector<std::string> names;
    for (const fs::path& path : list_folder(run / "checkpoints")) names.push_back(path.filename());
    return names;
  }
  static std::vector<std::string> temporaries(const fs::path& folder) {
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".tmp") found.push_back(entry.path());
    }
    return found;
  }

  static constexpr const char* kConfig =
      "run: unused\n"
      "data:\n"
      "  train: [{source: train.src, target: train.tgt}]\n"
      "  valid: {source: valid.src, target: valid.tgt}\n"
      "text:\n"
      "  source: {type: words}\n"
      "  target: {share: source}\n"
      "model:\n"
      "  embedding: {width: 8}\n"
      "  encoder: {type: rnn, cell: gru, layers: 1, width: 8}\n"
      "  decoder:\n"
      "    type: rnn\n"
      "    cell: gru\n"
      "    layers: 1\n"
      "    width: 8\n"
      "    attend: after\n"
      "    attention: {score: {type: additive, hidden: 8}}\n"
      "train:\n"
      "  workers: 1\n"
      "  batch: {sentences: 8}\n"
      "  max_updates: 8\n"
      "  save_every: 4\n"
      "  keep: {last: 1, best: 1}\n"
      "  validate: {every: 4, metric: loss, samples: 0}\n"
      "  log_every: 1\n";

  TemporaryFolder data_;
};

}  // namespace heed
