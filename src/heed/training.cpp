#include "heed/training_v0.h"

#include "heed/boundary.h"
#include "heed/network_library.h"
#include "run/train_entry.h"

namespace heed {

namespace {

RunStart start_of(v0::TrainingStart start) {
  switch (start) {
    case v0::TrainingStart::kNew:
      return RunStart::kNew;
    case v0::TrainingStart::kResume:
      return RunStart::kResume;
    case v0::TrainingStart::kResumeOrNew:
      return RunStart::kResumeOrNew;
    case v0::TrainingStart::kOverwrite:
      return RunStart::kOverwrite;
  }
  throw_error(ErrorKind::kUsage, "start: found {}, expected a TrainingStart",
              static_cast<int>(start));
}

std::optional<std::string> if_given(const std::string& value) {
  return value.empty() ? std::nullopt : std::optional(value);
}

RunRequest request_of(const std::string& config, const v0::TrainingOptions& options) {
  RunRequest request{.config = config,
                     .run = if_given(options.run),
                     .device = if_given(options.device),
                     .start = start_of(options.start),
                     .data_changed = options.data_changed};
  for (const auto& [key, value] : options.set) request.set.push_back(key + "=" + value);
  return request;
}

}  // namespace

v0::TrainedRun v0::train(const std::string& config, const TrainingOptions& options) {
  return with_public_errors([&] {
    const SharedLibrary library = open_network_library("training");
    TrainingOutcome run;
    library.function<decltype(heed_train_run)>("heed_train_run")(
        request_of(config, options), {.log = options.log, .stop = options.stop}, run);
    return TrainedRun{.folder = run.folder, .finished = run.finished, .updates = run.updates};
  });
}

}  // namespace heed
