// Changes of the data since the checkpoint of a resumed run.
#pragma once

#include <string>
#include <vector>

#include "run/data_record.h"
#include "run/run_spec.h"
#include "run/run_state.h"

namespace heed {

// Hashes all files of the run. The cache may already have the hashes.
DataRecord record_data(const RunFiles& files, DataCache& cache);

struct ChangedData {
  std::vector<std::string> warnings{};
  bool restarts_epoch = false;  // the data of the epoch are others now
};

// Compares the record with that of the checkpoint. Throws Error(kData) if the data have changed and
// the request does not allow it.
ChangedData check_data(const DataRecord& data, const RunSpec& spec, const ResumePlan& plan);

// Describes the parts that a resumed run takes from its checkpoint, and the files of the config that
// it does not read.
std::string kept_from_checkpoint(const RunConfig& config);

}  // namespace heed
