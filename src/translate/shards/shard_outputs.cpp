#include "translate/shards/shard_outputs.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>

#include "base/host.h"
#include "base/log.h"

namespace heed {

namespace {

constexpr const char* kAnew = "remove it, and the shard is translated from its beginning";

std::string this_process() {
  return fmt::format("process {} on {}", getpid(), host_name().value_or("an unknown host"));
}

void rename_file(const fs::path& from, const fs::path& to) {
  if (retried([&] { return ::rename(from.c_str(), to.c_str()); }) < 0) throw_io_error(to, "write");
}

std::vector<ShardInput> inputs_of(const ShardJob& job) {
  std::vector<ShardInput> inputs;
  for (const LineFile& file : job.lines) inputs.push_back(shard_input(file.option, file.path));
  for (const NamedFile& file : job.others)
    inputs.push_back(shard_input(file.option, file.path.string()));
  return inputs;
}

// Path of an output relative to the folder of the record, so that both can be moved together.
std::string name_beside(const fs::path& path, const fs::path& record) {
  const fs::path folder = fs::absolute(record).lexically_normal().parent_path();
  return fs::absolute(path).lexically_normal().lexically_proximate(folder).string();
}

// Refuses an output path that a shard, or the joined shards, cannot be written to.
void check_output(const NamedFile& output, const LineShard& shard) {
  check_output_path(output.path);
  check_output_path(shard.file(output.path));
  std::error_code ignored;
  if (fs::exists(output.path, ignored) && !fs::is_regular_file(output.path, ignored))
    throw_error(ErrorKind::kUsage, "{} {}: is not a regular file, and shards are joined to one",
                output.option, output.path.string());
}

}  // namespace

ShardOutputs::ShardOutputs(ShardJob job)
    : job_(std::move(job)), path_(record_path(job_.outputs.front().path, job_.shard)) {
  for (const NamedFile& output : job_.outputs) check_output(output, job_.shard);
  record_ = new_record();
  if (load() && is_published()) return;
  lock();
  const bool is_begun = load();  // another process may have changed it in the meantime
  !is_begun ? begin() : record_.is_complete ? publish() : go_on();
}

fs::path ShardOutputs::final_path(size_t output) const {
  return job_.shard.file(job_.outputs[output].path);
}

fs::path ShardOutputs::part_path(size_t output) const {
  return final_path(output).string() + ".part";
}

ShardRecord ShardOutputs::new_record() const {
  ShardRecord record{.shard = job_.shard,
                     .settings = job_.settings,
                     .inputs = inputs_of(job_),
                     .range = {},
                     .outputs = {},
                     .offsets = {},
                     .writer = this_process()};
  for (const NamedFile& output : job_.outputs)
    record.outputs.push_back({.path = name_beside(output.path, path_), .content = {}});
  return record;
}

bool ShardOutputs::load() {
  auto before = read_shard_record(path_);
  if (!before) return false;
  const std::vector<std::string> found = differences(*before, record_);
  if (!found.empty())
    throw_error(ErrorKind::kUsage,
                "{}: this shard was begun with {}; continue it with the same, or {}",
                path_.string(), fmt::join(found, "; "), kAnew);
  before->writer = record_.writer;
  record_ = std::move(*before);
  return true;
}

void ShardOutputs::lock() {
  const auto open = [this] {
    parts_.clear();
    for (size_t i = 0; i < job_.outputs.size(); ++i)
      parts_.push_back(std::make_unique<PartFile>(part_path(i), final_path(i)));
  };
  // Between opening and locking, another process may have completed the shard.
  while (true) {
    open();
    const Descriptor& file = parts_.front()->file();
    const bool locked = file.try_lock();
    const int error = locked ? 0 : errno;
    if (error == EWOULDBLOCK) break;
    if (!locked)
      spdlog::warn("{}: cannot be locked ({}): see that no other process translates this shard",
                   part_path(0).string(), std::strerror(error));
    if (!locked || file.is_at(part_path(0))) return;
  }
  const auto record = read_shard_record(path_);
  throw_error(ErrorKind::kIo, "{}: {} is translating this shard; wait until it ends or stop it",
              final_path(0).string(), record ? record->writer : "another process");
}

void ShardOutputs::begin() {
  record_.range = find_shard(job_.shard, job_.lines, job_.counted);
  record_.offsets = record_.range.offsets;
  for (size_t i = 0; i < parts_.size(); ++i) {
    parts_[i]->continue_behind({});
    remove_tree(final_path(i));  // left by an earlier shard whose record was removed
  }
  for (size_t i = 0; i < job_.lines.size(); ++i)
    job_.lines[i].reader->seek(record_.offsets[i], record_.range.lines_before);
  save(false);
  spdlog::info("shard {} of {}: bytes {} to {} of {}; lines are numbered from {}",
               job_.shard.number, job_.shard.count, format_count(record_.range.begin),
               format_count(record_.range.end), job_.lines.front().path,
               record_.range.is_counted ? "the beginning of the file" : "the first of these");
}

void ShardOutputs::go_on() {
  if (record_.offsets.size() != job_.lines.size() || record_.outputs.size() != parts_.size())
    throw_error(ErrorKind::kData, "{}: names other files; {}", path_.string(), kAnew);
  for (size_t i = 0; i < parts_.size(); ++i) parts_[i]->continue_behind(record_.outputs[i].content);
  for (size_t i = 0; i < job_.lines.size(); ++i)
    job_.lines[i].reader->seek(record_.offsets[i], next_line() - 1);
  save(false);  // with the new writer
  spdlog::info("shard {} of {}: continues behind {} lines", job_.shard.number, job_.shard.count,
               format_count(record_.lines));
}

std::optional<int64_t> ShardOutputs::end() const {
  return job_.shard.is_last() ? std::nullopt : std::optional(record_.range.end);
}

void ShardOutputs::write(const std::vector<std::string>& texts) {
  for (size_t i = 0; i < parts_.size(); ++i) parts_[i]->write(texts.at(i));
  ++record_.lines;
  // Only at the end of a window have the readers read exactly these lines.
  if (++written_ % job_.window == 0) save(false);
}

void ShardOutputs::save(bool complete) {
  for (size_t i = 0; i < parts_.size(); ++i) record_.outputs[i].content = parts_[i]->sync();
  for (size_t i = 0; i < job_.lines.size(); ++i)
    record_.offsets[i] = job_.lines[i].reader->offset();
  record_.is_complete = complete;
  write_shard_record(path_, record_);
}

void ShardOutputs::commit() {
  ShardRecord now = record_;
  now.inputs = inputs_of(job_);
  const std::vector<std::string> changed = differences(now, record_);
  if (!changed.empty())
    throw_error(ErrorKind::kData, "{}: has changed while it was translated: {}; {}: {}",
                job_.lines.front().path, fmt::join(changed, "; "), path_.string(), kAnew);
  save(true);
  publish();
  spdlog::info("{}: {} lines; `heed join {}` joins all shards", final_path(0).string(),
               format_count(record_.lines), job_.outputs.front().path.string());
}

bool ShardOutputs::is_published() const {
  for (size_t i = 0; i < job_.outputs.size(); ++i) {
    if (!has_content(final_path(i), record_.outputs.at(i).content)) return false;
  }
  return record_.is_complete;
}

// Also completes the work of a process that was killed after it had completed the record.
void ShardOutputs::publish() const {
  for (size_t i = 0; i < job_.outputs.size(); ++i) {
    const PartContent& content = record_.outputs.at(i).content;
    if (has_content(final_path(i), content)) {
      remove_tree(part_path(i));
    } else if (has_content(part_path(i), content)) {
      rename_file(part_path(i), final_path(i));
    } else {
      throw_error(ErrorKind::kIo, "{}: is missing or has not the {} bytes that {} says; {}",
                  final_path(i).string(), content.bytes, path_.string(), kAnew);
    }
  }
  sync_folder(folder_of(path_));
}

}  // namespace heed
