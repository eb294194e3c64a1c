#include "cli/tensors/shared_run.h"

#include <unistd.h>

#include <algorithm>
#include <map>

#include "base/error_lines.h"
#include "base/file.h"
#include "cli/tensors/training_codecs.h"
#include "distributed/gathered.h"

namespace heed {

namespace {

using Files = std::map<std::string, std::string>;  // bytes by name

// A folder that is gone at the end.
AtomicDirectory temporary_folder() {
  return AtomicDirectory(fs::temp_directory_path() / fmt::format("heed-{}", getpid()));
}

Files files_of(const RunConfig& config, const Codecs& codecs) {
  const AtomicDirectory folder = temporary_folder();
  save_codecs(folder.temporary(), config.text, codecs);
  save_label_codecs(folder.temporary(), config.data.factors(), codecs);
  Files files;
  for (const fs::path& file : list_files(folder.temporary()))
    files[file.filename().string()] = read_file(file);
  return files;
}

Codecs load_files(const RunConfig& config, const Files& files) {
  const AtomicDirectory folder = temporary_folder();
  for (const auto& [name, bytes] : files) write_file(folder.temporary() / name, bytes);
  return load_run_codecs(folder.temporary(), config);
}

}  // namespace

Codecs shared_codecs(Reducer& processes, const RunConfig& config,
                     const std::function<Codecs()>& learn) {
  if (processes.processes() == 1) return learn();
  Codecs codecs;
  Files files;
  together_with_one_message(processes, [&] {
    if (!processes.is_first()) return;
    codecs = learn();
    files = files_of(config, codecs);
  });
  const Files first = gathered(processes, files).front();
  return processes.is_first() ? codecs : load_files(config, first);
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

}  // namespace heed
