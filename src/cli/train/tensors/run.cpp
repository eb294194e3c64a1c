#include "base/file.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "cli/tensors/entry.h"
#include "cli/train/options.h"
#include "distributed/launch.h"
#include "model/parameter_counts_spec.h"
#include "model/saved_model.h"
#include "run/run_codecs.h"
#include "run/run_phases_config.h"
#include "train/first_batch.h"
#include "train/prepare.h"

namespace heed {

namespace {

TensorSizes sizes_of(const Seq2Seq& network) {
  TensorSizes sizes;
  for (const auto& [name, tensor] : tensors_of(network)) sizes[name] = tensor.numel();
  return sizes;
}

int dry_run(const RunRequest& request) {
  RunSpec spec = find_run(request);
  const RunConfig config = spec.config;
  const auto training = rehearse(std::move(spec));
  const TrainJob& job = training->job();
  spdlog::info("{}", describe_vocabularies(config, job.codecs));
  for (const std::string& note : job.notes) spdlog::info("{}", note);
  for (const std::string& note : training->notes()) spdlog::info("{}", note);
  for (const std::string& phase : describe_phases(config)) spdlog::info("{}", phase);
  print_result("parameters\n" + parameter_table(sizes_of(training->network())) +
               describe_first_batch(job));
  return 0;
}

int run_train(const TrainOptions& options) {
  const Launch launch = find_launch();
  if (options.dry_run) return launch.rank == 0 ? dry_run(options.request) : 0;
  ignore_closed_pipes();
  exit_on_signals("heed: interrupted before training began; nothing was changed\n");
  const auto run = prepare_in_all(options.request, launch);
  catch_signals();
  return run->run();
}

}  // namespace

}  // namespace heed

extern "C" int heed_train(const heed::TrainOptions& options) {
  return heed::run_tensor_command(
      [&] { return heed::run_train(options); },
      "training; smaller batches (train.batch), fewer workers or a smaller model need less");
}
