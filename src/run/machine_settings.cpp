#include "run/machine_settings.h"

#include <algorithm>

#include "base/error.h"
#include "base/host.h"
#include "config/sizes.h"

namespace heed {

void settle_settings(const RunDirectory& folder, RunMode mode, RunSettings now, RunSettings stored,
                     const Machine& machine) {
  if (mode == RunMode::kResume) {
    folder.read_config(stored.all);
    if (!now.train.workers) now.train.workers = stored.train.workers;
    if (now.train.precision == TrainPrecision::kAuto) now.train.precision = stored.train.precision;
  }
  if (machine.on_gpu && now.train.workers.value_or(1) != 1) {
    throw_error(ErrorKind::kUsage, "train.workers: found {}, expected 1 on a GPU",
                *now.train.workers);
  }
  if (!now.train.workers)
    now.train.workers =
        machine.on_gpu ? 1 : std::min(kThreads.high, usable_cores(machine.local_processes));
  if (now.train.precision == TrainPrecision::kAuto) {
    now.train.precision = !machine.on_gpu && machine.has_bf16_products ? TrainPrecision::kBf16
                                                                       : TrainPrecision::kFp32;
  }
  if (mode == RunMode::kResume) check_resumable(stored, now, folder.folder().string());
}

}  // namespace heed
