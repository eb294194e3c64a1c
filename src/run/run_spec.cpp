#include "run/run_spec.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "base/shell.h"
#include "base/utf8.h"
#include "config/notes.h"
#include "config/print_text.h"
#include "model/model_spec.h"
#include "run/config_file.h"
#include "run/idle_validation.h"
#include "run/run_state.h"

namespace heed {

namespace {

namespace fs = std::filesystem;

// True if the training has a loss of this weight from the start or from a phase on.
template <class Weight>
bool has_loss(const RunConfig& config, Weight weight_of) {
  return weight_of(config.train) > 0 ||
         std::ranges::any_of(config.phases,
                             [&](const RunPhase& phase) { return weight_of(phase.learning) > 0; });
}
bool has_guided_alignment(const RunConfig& config) {
  return has_loss(config, [](const LearningConfig& l) { return l.guided_alignment.weight; });
}
bool trains_supporting_facts(const RunConfig& config) {
  return has_loss(config, [](const LearningConfig& l) { return l.supporting_facts.weight; });
}

// Calls forget(data) for the first phase and for all later ones.
template <class Forget>
void for_all_data(RunConfig& config, Forget forget) {
  forget(config.data);
  for (RunPhase& phase : config.phases) forget(phase.data);
}

// Files that nothing reads.
void forget_unread(RunConfig& config) {
  bool has_edges = false, has_alignments = false, augments_by_them = false, has_facts = false;
  for_all_data(config, [&](const DataConfig& data) {
    has_edges = has_edges || data.has_edges();
    has_alignments = has_alignments || data.has_alignments();
    has_facts = has_facts || data.has_supporting_facts();
    augments_by_them = augments_by_them || (data.augment && data.augment->reads_alignments());
  });
  if (has_edges && !needs_of(config.model).edges) {
    spdlog::warn("data.train has edges, but no attention of the model uses them (terms: [edges])");
    for_all_data(config, [](DataConfig& data) { data.forget_edges(); });
  }
  if (has_alignments && !has_guided_alignment(config) && !augments_by_them) {
    spdlog::warn(
        "data.train has an alignment, but neither a loss (train.guided_alignment.weight) nor "
        "data.augment uses it");
    for_all_data(config, [](DataConfig& data) { data.forget_alignments(); });
  }
  if (has_facts && !trains_supporting_facts(config)) {
    spdlog::warn(
        "data.train has supporting facts, but no loss uses them (train.supporting_facts.weight)");
    for_all_data(config, [](DataConfig& data) { data.forget_supporting_facts(); });
  }
}

// KEY=VALUE with the value quoted as YAML, so that a name keeps any special characters.
std::string override_of(const char* key, const std::string& text) {
  if (!is_utf8(text))
    throw_error(ErrorKind::kUsage, "--{} {}: is not UTF-8; choose another name", key, text);
  return fmt::format("{}={}", key, print_text(text));
}

bool may_resume(const RunRequest& request) {
  return request.start == RunStart::kResume || request.start == RunStart::kResumeOrNew;
}

RunConfig read_config(const RunRequest& request) {
  std::vector<std::string> overrides = request.set;
  if (request.run && request.run->empty())
    throw_error(ErrorKind::kUsage, "--run: found '', expected a folder");
  if (request.run) overrides.push_back(override_of("run", *request.run));
  if (request.device) overrides.push_back(override_of("device", *request.device));
  ConfigFile file = read_whole_config(request.config, overrides, may_resume(request));
  for (const auto& [section, is_there] :
       {std::pair("sweep", file.sweep.has_value()), {"distill", file.distill.has_value()}}) {
    if (is_there && !request.is_check)
      spdlog::warn("{}: `{}` is read by `heed {}` alone; `heed train` trains the config without it",
                   request.config, section, section);
  }
  RunConfig config = std::move(file.run);
  forget_unread(config);
  for (const std::string& warning : idle_validation(config)) spdlog::warn("{}", warning);
  for (const std::string& note : notes_on(config.model, "model")) spdlog::info("{}", note);
  return config;
}

RunMode mode_of(const RunRequest& request, const RunDirectory& folder) {
  switch (request.start) {
    case RunStart::kNew:
      return RunMode::kFresh;
    case RunStart::kResume:
      return RunMode::kResume;
    case RunStart::kResumeOrNew:
      return look_at(folder).can_be_resumed() ? RunMode::kResume : RunMode::kFresh;
    case RunStart::kOverwrite:
      return RunMode::kOverwrite;
  }
  throw InternalError("a start without a mode");
}

// Path of a run in messages: relative if the run is below the current folder, else absolute.
fs::path run_in_messages(const fs::path& run) {
  const fs::path relative = run.lexically_proximate(fs::current_path());
  return relative == "." || *relative.begin() == ".." ? run : relative;
}

std::string resume_command(const RunRequest& request) {
  std::string command = "heed train " + shell_word(request.config);
  for (const std::string& setting : request.set) command += " --set " + shell_word(setting);
  if (request.run) command += " --run " + shell_word(*request.run);
  if (request.device) command += " --device " + shell_word(*request.device);
  return command + " --resume";
}

// Points to the run that is there if `run` was meant to start at the current folder.
void refuse_other_folder(const RunConfig& config, const RunDirectory& folder) {
  if (look_at(folder).holds_run()) return;
  const fs::path written =
      fs::path(config.run).lexically_relative(config.folder.lexically_normal());
  const RunDirectory other((fs::current_path() / written).lexically_normal());
  if (!look_at(other).config) return;
  throw_error(ErrorKind::kUsage,
              "{}: holds no run to resume, but {} does; `run` is relative to the folder of the "
              "config: give --run {}",
              config.run, other.folder().string(), shell_word(written.string()));
}

}  // namespace

RunSpec find_run(const RunRequest& request) {
  RunConfig config = read_config(request);
  const RunDirectory folder(run_in_messages(config.run));
  const RunMode mode = mode_of(request, folder);
  if (mode == RunMode::kResume && !request.run) refuse_other_folder(config, folder);
  RunFiles files = find_run_files(config);
  return {.config = std::move(config),
          .folder = folder,
          .mode = mode,
          .files = std::move(files),
          .data_changed = request.data_changed,
          .resume_command = resume_command(request)};
}

}  // namespace heed
