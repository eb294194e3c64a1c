#include "train/processes.h"

#include <algorithm>

#include "base/error_lines.h"
#include "distributed/gathered.h"
#include "run/run_codecs.h"

namespace heed {

Codecs shared_codecs(Reducer& processes, const RunConfig& config,
                     const std::function<Codecs()>& learn) {
  if (processes.processes() == 1) return learn();
  Codecs codecs;
  CodecFiles files;
  together_with_one_message(processes, [&] {
    if (!processes.is_first()) return;
    codecs = learn();
    files = codec_files(config, codecs);
  });
  const CodecFiles first = gathered(processes, files).front();
  return processes.is_first() ? codecs : load_codec_files(config, first);
}

void require_equal(Reducer& processes, const NamedHashes& hashes) {
  const NamedHashes first = gathered(processes, hashes).front();
  std::vector<std::string> different;
  for (size_t i = 0; i < hashes.size(); ++i) {
    if (i >= first.size() || hashes[i] != first[i]) different.push_back(hashes[i].first);
  }
  together_with_one_message(processes, [&] {
    if (different.empty()) return;
    throw_error(ErrorKind::kUsage,
                "process {} of {} differs from process 0 in: {}; all processes need the same "
                "command line, config and files",
                processes.rank(), processes.processes(), fmt::join(different, ", "));
  });
}

void together_with_one_message(Reducer& processes, const std::function<void()>& work) {
  std::exception_ptr failure;
  std::string message;
  try {
    work();
  } catch (const std::exception& error) {
    failure = std::current_exception();
    message = error.what();
  }
  if (!processes.any(failure != nullptr)) return;
  const std::vector<std::string> messages = processes.gather(message);
  const auto own = messages.begin() + processes.rank();
  const bool is_told = std::find(messages.begin(), own, message) != own;
  if (failure && !is_told) std::rethrow_exception(failure);
  throw ErrorLines(ErrorKind::kFailure, {});  // nothing to add
}

void host_by_host(const TrainingProcess& process, const std::function<void()>& work) {
  const int own = process.all->is_first() ? 0 : process.launch.local_rank == 0 ? 1 : 2;
  for (int turn = 0; turn <= 2; ++turn) {
    together_with_one_message(*process.all, [&] {
      if (turn == own) work();
    });
  }
}

}  // namespace heed
