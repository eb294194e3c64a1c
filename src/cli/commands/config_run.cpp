#include "base/file.h"
#include "base/log.h"
#include "base/warning_count.h"
#include "cli/commands/run.h"
#include "cli/tensors/rehearsal.h"
#include "config/reference.h"
#include "config/writer.h"

namespace heed {

namespace {

// Throws what training would throw before its first update. Returns what is said of the config.
std::string check(const ConfigOptions& options) {
  const WarningCount warnings;
  RunConfig config = read_training_config(options.argument, options.set);
  const RunDirectory folder(config.run);
  settle_settings(folder, RunMode::kFresh, config, {});
  const TrainJob job = rehearse(config, folder, std::nullopt, std::make_shared<DataCache>());
  const PreparedRun run(job, std::nullopt);
  for (const std::string& note : job.notes) spdlog::info("{}", note);
  for (const std::string& note : run.notes()) spdlog::info("{}", note);
  const int64_t count = warnings.value();
  if (count == 0) return "no mistakes";
  return fmt::format("can be trained, with {} warning{} above", format_count(count),
                     count == 1 ? "" : "s");
}

std::string answer(const ConfigOptions& options) {
  using What = ConfigOptions::What;
  RunConfig defaults;
  switch (options.what) {
    case What::kCheck:
      return fmt::format("{}: {}\n", options.argument, check(options));
    case What::kShow: {
      RunConfig config = read_run_config(options.argument, options.set);
      return write_config(config);
    }
    case What::kExplain:
      return options.argument.empty() ? explain_all(defaults)
                                      : explain_key(defaults, options.argument);
    case What::kReference:
      return config_reference(defaults);
  }
  return "";
}

}  // namespace

int run_config_command(const ConfigOptions& options) {
  AtomicFile out("-");
  out.write(answer(options));
  out.commit();
  return 0;
}

}  // namespace heed
