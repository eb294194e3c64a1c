// What the processes of one training run have in common before it begins.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/tensors/run_config.h"
#include "cli/tensors/training_job.h"
#include "distributed/reducer.h"
#include "text/codecs.h"

namespace heed {

// Learned by the first process, for all.
Codecs shared_codecs(Reducer& processes, const RunConfig& config,
                     const std::function<Codecs()>& learn);

using NamedHashes = std::vector<std::pair<std::string, std::string>>;
// Throws Error(kUsage) in the processes where something differs from that of the first.
void require_equal(Reducer& processes, const NamedHashes& hashes);

// Calls work() in each process. An error that several have is thrown by the first of them, and by the
// others as one without a message.
void together_with_one_message(Reducer& processes, const std::function<void()>& work);

// The same in turn, for what leaves a file that the others read: by the first process, by the first
// of each other host, which may not see the file, then by the others.
void host_by_host(const TrainingProcess& process, const std::function<void()>& work);

}  // namespace heed
