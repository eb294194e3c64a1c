#include "cli/config/check.h"

#include <algorithm>
#include <optional>

#include "base/file.h"
#include "base/log.h"
#include "base/warning_count.h"
#include "cli/config/rehearsal.h"
#include "cli/tensor_library.h"
#include "run/augmentation.h"
#include "run/machine_settings.h"
#include "run/memory_bound.h"

namespace heed {

namespace {

// True if a setting depends on whether this machine has a GPU.
bool asks_for_gpu(const RunConfig& config) {
  if (config.device == "cpu") return false;
  return config.device != "auto" || config.train.workers.value_or(1) != 1;
}

// True if names, shapes or values of the parameters matter.
bool needs_network(const RunConfig& config, const PreparedData& data) {
  const auto freezes = [](const LearningConfig& learning) { return !learning.freeze.empty(); };
  const auto is_long = [&](const EvaluationSet& set) { return exceeds_training(set, data.model); };
  return config.init.model || !config.init.embeddings.empty() || freezes(config.train) ||
         std::ranges::any_of(config.phases, freezes, &RunPhase::learning) ||
         (data.valid && is_long(*data.valid)) || std::ranges::any_of(data.tests, is_long);
}

// The steps of a new run. Those of a rehearsal are taken only where they may find something else.
class CheckSteps final : public PreparationSteps {
 public:
  void check_memory(const RunConfig& config, const VocabularySizes& sizes) override {
    if (fits_surely(config, sizes)) return;
    rehearsal().check_memory(run_ ? rehearsed_run().config : config, sizes);
  }
  std::shared_ptr<DataCache> begin(RunSpec& spec) override {
    run_ = spec;
    if (asks_for_gpu(spec.config)) {
      spec = rehearsed_run();
    } else {
      RunConfig& config = spec.config;
      RunConfig stored;
      settle_settings(spec.folder, spec.mode, {config, config.train, config.phases},
                      {stored, stored.train}, {});
    }
    return std::make_shared<DataCache>();
  }
  const ModelText* initial_model(const InitConfig& init) override {
    return init.model ? rehearsal().initial_model(init) : nullptr;
  }
  std::vector<std::string> build(const PreparedData& data) {
    if (!needs_network(run_->config, data)) return {};
    return rehearsal().build(rehearsed_run(), data);
  }

 private:
  Rehearsal& rehearsal() {
    if (!rehearsal_)
      open_tensor_library("the check of this config")
          .function<decltype(heed_open_rehearsal)>("heed_open_rehearsal")(rehearsal_);
    return *rehearsal_;
  }
  // The run with what libtorch decides: whether it is on a GPU.
  const RunSpec& rehearsed_run() {
    if (!is_settled_) rehearsal().begin(*run_);
    is_settled_ = true;
    return *run_;
  }

  std::unique_ptr<Rehearsal> rehearsal_;
  std::optional<RunSpec> run_;  // that has begun
  bool is_settled_ = false;
};

// Shows sample pairs of the first phase that augments its data.
void show_augmented(const RunConfig& config, const PreparedData& data) {
  constexpr size_t kSamples = 3;
  for (const PhaseBatches& phase : data.batches) {
    if (!phase.corpus->is_augmented()) continue;
    for (const std::string& line : augmented_samples(*phase.corpus, config.seed, kSamples))
      spdlog::info("{}", line);
    return;
  }
}

// Returns what is said of the config.
std::string check(const CheckOptions& options) {
  const WarningCount warnings;
  RunSpec spec = find_run({.config = options.config, .set = options.set, .is_check = true});
  spec.config.data.cache.reset();  // nothing is written
  CheckSteps steps;
  const PreparedData data = prepare_data(spec, steps);
  const std::vector<std::string> notes = steps.build(data);
  for (const std::string& note : data.notes()) spdlog::info("{}", note);
  for (const std::string& note : notes) spdlog::info("{}", note);
  show_augmented(spec.config, data);
  const int64_t count = warnings.value();
  if (count == 0) return "no mistakes";
  return fmt::format("can be trained, with {} warning{} above", format_count(count),
                     count == 1 ? "" : "s");
}

}  // namespace

int run_check(const CheckOptions& options) {
  print_result(fmt::format("{}: {}\n", options.config, check(options)));
  return 0;
}

}  // namespace heed
