#include "base/file.h"
#include "base/log.h"
#include "base/warning_count.h"
#include "cli/config/options.h"
#include "cli/tensors/entry.h"
#include "train/prepare.h"

namespace heed {

namespace {

// Throws what training would throw before its first update. Returns what is said of the config.
std::string check(const CheckOptions& options) {
  const WarningCount warnings;
  RunSpec spec = find_run({.config = options.config, .set = options.set});
  spec.config.data.cache.reset();  // nothing is written
  const auto training = rehearse(std::move(spec));
  for (const std::string& note : training->job().notes) spdlog::info("{}", note);
  for (const std::string& note : training->notes()) spdlog::info("{}", note);
  const int64_t count = warnings.value();
  if (count == 0) return "no mistakes";
  return fmt::format("can be trained, with {} warning{} above", format_count(count),
                     count == 1 ? "" : "s");
}

int run_check(const CheckOptions& options) {
  print_result(fmt::format("{}: {}\n", options.config, check(options)));
  return 0;
}

}  // namespace

}  // namespace heed

extern "C" int heed_check(const heed::CheckOptions& options) {
  return heed::run_tensor_command([&] { return heed::run_check(options); }, "checking the config");
}
