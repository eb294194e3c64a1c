// Settings that the machine decides where the config leaves them open.
#pragma once

#include <cstdint>

#include "run/resume.h"
#include "run/run_directory.h"

namespace heed {

// Properties of the host of a process.
struct Machine {
  bool on_gpu = false;             // training runs on a GPU
  bool has_bf16_products = false;  // faster than those of fp32
  int64_t local_processes = 1;     // that share its cores
};

// Writes workers and precision into the config behind `now`. Resuming reads the stored config into
// `stored` and takes its values where `now` leaves them open. Throws Error(kUsage) with old and new
// value if another setting has changed that training depends on, Error(kUsage) also if
// train.workers is not 1 on a GPU, and Error(kModel) if the stored config cannot be read.
void settle_settings(const RunDirectory& folder, RunMode mode, RunSettings now, RunSettings stored,
                     const Machine& machine);

}  // namespace heed
