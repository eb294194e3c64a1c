#include "distill/stage.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/descriptor.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/json_text.h"
#include "base/log.h"
#include "base/model_folder.h"
#include "base/sealed_json.h"
#include "config/mistakes.h"
#include "sweep/child_command.h"

namespace heed {

namespace {

using Clock = std::chrono::steady_clock;

std::optional<StageRecord> read_record(const fs::path& file) {
  if (!is_plain_file(file)) return std::nullopt;
  const std::string text = read_file(file);
  if (!has_seal(text)) return std::nullopt;
  const auto json = nlohmann::json::parse(text);
  return StageRecord{.identity = json.at("identity"),
                     .outputs = json.at("outputs"),
                     .seconds = json.at("seconds"),
                     .settings = json.value("settings", FlatConfig()),
                     .inputs = json.value("inputs", FlatConfig())};
}

void write_record(const fs::path& file, const StageRecord& record) {
  write_file(file,
             seal_json(fmt::format(
                 R"("identity":"{}","outputs":"{}","seconds":{:.3f},"settings":{},"inputs":{})",
                 record.identity, record.outputs, record.seconds,
                 json_text(nlohmann::ordered_json(record.settings)),
                 json_text(nlohmann::ordered_json(record.inputs)))));
}

// The last line of the output of a command; "" if there is none.
std::string last_line(const fs::path& output) try {
  std::string last, line;
  for (LineReader reader(output); reader.next(line);) {
    if (!line.empty()) last = line;
  }
  return last;
} catch (const Error&) {
  return "";
}

// Waits until the command of a process that was killed has ended: it still writes its files.
void wait_for_earlier(const std::string& stage, const fs::path& output) {
  constexpr useconds_t kMoment = 20'000;
  bool was_said = false;
  while (is_plain_file(output) && Descriptor::open_regular(output).is_locked()) {
    if (caught_signal() != 0) throw Interrupted();
    if (!was_said) spdlog::info("{}: waits for the end of a command that was begun before", stage);
    was_said = true;
    usleep(kMoment);
  }
}

// Runs the command, and shows from time to time what it has said last.
void run_part(const StagePart& part, const std::string& stage, const fs::path& output) try {
  wait_for_earlier(stage, output);
  Clock::time_point shown = Clock::now();
  std::string before;
  run_command({.arguments = part.arguments, .output = output, .cores = part.cores}, [&] {
    constexpr std::chrono::seconds kBetween{60};
    if (Clock::now() - shown < kBetween) return;
    shown = Clock::now();
    std::string line = last_line(output);
    if (line != before) spdlog::info("{}: {}", stage, line);
    before = std::move(line);
  });
} catch (const Error& error) {
  throw_error(error.kind(), "{}: {}", stage, error.what());
}

// The record of a stage that has just begun.
StageRecord new_record(const Stage& stage) {
  StageRecord record{.settings = stage.named_settings};
  std::string text = stage.settings + "\n";
  for (const fs::path& input : stage.inputs) {
    const std::string hash = hash_of_input(input);
    text += fmt::format("{} {}\n", input.filename().string(), hash);
    record.inputs[input.string()] = hash;
  }
  record.identity = hash_bytes(text);
  return record;
}

// "seed: was 1, is 2; filter/source has changed"; "" if the records do not say it.
std::string changes_between(const StageRecord& before, const StageRecord& now) {
  constexpr size_t kMost = 12;
  std::vector<std::string> changes;
  if (before.settings.empty() && before.inputs.empty()) return "";
  for (const ChangedSetting& change : changed_settings(before.settings, now.settings))
    changes.push_back(changes_text({change}));
  for (const ChangedSetting& input : changed_settings(before.inputs, now.inputs))
    changes.push_back(fmt::format("{} {}", input.key,
                                  input.before == kNotSet ? "is new"
                                  : input.now == kNotSet  ? "is not used any more"
                                                          : "has changed"));
  const size_t count = changes.size();
  changes.resize(std::min(count, kMost));
  return fmt::format("{}{}", fmt::join(changes, "; "),
                     count > kMost ? fmt::format("; and {} more", count - kMost) : "");
}

// "" if one is missing, or is a run without a model.
std::string hash_of_outputs(const Stage& stage) try {
  std::string text;
  for (const fs::path& output : stage.outputs) {
    if (!is_there(output)) return "";
    if (stage.trains || is_plain_file(output)) {
      text += hash_of_input(output) + "\n";
      continue;
    }
    for (const fs::path& file : list_files(output))
      text += fmt::format("{} {}\n", file.filename().string(), hash_file(file));
  }
  return hash_bytes(text);
} catch (const Error&) {
  return "";
}

}  // namespace

std::string hash_of_input(const fs::path& path) {
  if (is_plain_file(path)) return hash_file(path);
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) Descriptor::open_regular(path);  // says what is wrong
  return hash_file(find_model(path) / kManifest);
}

StageRunner::StageRunner(fs::path folder, bool retrain)
    : folder_(std::move(folder)), retrain_(retrain) {
  make_folders(folder_ / "stages");
}

fs::path StageRunner::file(const std::string& name, const char* ending) const {
  return folder_ / "stages" / (name + ending);
}

double StageRunner::seconds(const std::string& name) const {
  const auto record = read_record(file(name, ".json"));
  return record ? record->seconds : 0;
}

void StageRunner::run(const Stage& stage) {
  if (caught_signal() != 0) throw Interrupted();
  const fs::path path = file(stage.name, ".json");
  StageRecord record = read_record(path).value_or(StageRecord{});
  const StageRecord now = new_record(stage);
  const bool fits = record.identity == now.identity;
  const bool was_done = !record.outputs.empty();
  if (fits && was_done && record.outputs == hash_of_outputs(stage)) {
    spdlog::info("{}: done before", stage.name);
    return;
  }
  if (!fits || was_done) {
    const std::string changes = changes_between(record, now);
    refuse_to_replace(stage, record, fits, changes);
    if (!changes.empty()) spdlog::info("{}: begins anew: {}", stage.name, changes);
    for (const fs::path& output : stage.outputs) remove_tree(output);
    record = now;
    write_record(path, record);
  }
  spdlog::info("{}: {}", stage.name, stage.title);
  const Clock::time_point begin = Clock::now();
  const auto stop = [&](const std::string& outputs) {
    record.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    record.outputs = outputs;
    write_record(path, record);
  };
  try {
    run_parts(stage);
  } catch (...) {
    stop("");
    throw;
  }
  stop(hash_of_outputs(stage));
  spdlog::info("{}: done in {}", stage.name, format_duration(record.seconds));
}

// Throws for outputs that the stage has not made, and for runs that are not to be trained anew. fits:
// settings and inputs are those of the record.
void StageRunner::refuse_to_replace(const Stage& stage, const StageRecord& record, bool fits,
                                    const std::string& changes) const {
  for (const fs::path& output : stage.outputs) {
    if (!is_there(output)) continue;
    if (record.identity.empty())
      throw_error(ErrorKind::kUsage,
                  "{}: is there already, and no record, {}, says what it was made from; remove it, "
                  "or give another folder (--run FOLDER)",
                  output.string(), file(stage.name, ".json").string());
    if (stage.trains && !retrain_)
      throw_error(ErrorKind::kUsage,
                  "{}: {}; give --retrain to train it anew, or another folder (--run FOLDER)",
                  output.string(),
                  fits ? "has changed since it was trained"
                       : "was trained with other settings or data" +
                             (changes.empty() ? "" : " (" + changes + ")"));
  }
}

void StageRunner::run_parts(const Stage& stage) {
  for (const fs::path& output : stage.outputs)
    make_folders(stage.fills ? output : output.parent_path());
  for (size_t i = 0; i < stage.parts.size(); ++i) {
    const StagePart& part = stage.parts[i];
    if (part.work) {
      part.work();
      continue;
    }
    const std::string number = stage.parts.size() > 1 ? fmt::format("-{}", i + 1) : "";
    run_part(part, stage.name, file(stage.name + number, ".log"));
  }
}

}  // namespace heed
