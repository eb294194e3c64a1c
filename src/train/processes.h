// Processes that prepare one training together.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "distributed/launch.h"
#include "distributed/reducer.h"
#include "run/run_config.h"
#include "text/codecs.h"

namespace heed {

// This process, and the connection to all processes that train together.
struct TrainingProcess {
  Launch launch{};
  std::shared_ptr<Reducer> all = std::make_shared<OneProcess>();
};

// Codecs for all processes, learned by the first.
Codecs shared_codecs(Reducer& processes, const RunConfig& config,
                     const std::function<Codecs()>& learn);

using NamedHashes = std::vector<std::pair<std::string, std::string>>;
// Throws Error(kUsage) in processes where a hash differs from that of the first process.
void require_equal(Reducer& processes, const NamedHashes& hashes);

// Calls work() in each process. If any process fails, all throw. The first process with a given
// message throws that error; the others throw one without a message.
void together_with_one_message(Reducer& processes, const std::function<void()>& work);

// The same one after another, for work that writes a file which the others read. Order: the first
// process, the first process of each other host (which may not see the file), then the others.
void host_by_host(const TrainingProcess& process, const std::function<void()>& work);

}  // namespace heed
