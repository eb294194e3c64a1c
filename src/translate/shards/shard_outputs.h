// The output of `heed translate --shard I/N`: files OUT.I-of-N.part, renamed to OUT.I-of-N when the
// shard is complete, and a record of the shard (shard_record.h). The record is written after each
// window of lines. A new process continues after the last recorded window and truncates the
// files there.
#pragma once

#include <optional>

#include "translate/shards/part_file.h"
#include "translate/shards/shard_record.h"
#include "translate/translation_outputs.h"

namespace heed {

struct ShardJob {
  LineShard shard;
  std::vector<NamedFile> outputs;
  std::map<std::string, std::string> settings;  // all that the output depends on
  std::vector<LineFile> lines;                  // the files that are read side by side
  std::vector<NamedFile> others;                // other files that the output depends on
  bool counted = false;                         // true: line numbers are those of the whole input
  // Lines between two writes of the record; equals Windows::first and ::most.
  int64_t window = 1;
};

class ShardOutputs final : public TranslationOutputs {
 public:
  // Begins the shard, or continues it at the position in the record. Throws Error(kUsage) if it was
  // begun with other settings, Error(kIo) if another process is translating it or a file named in
  // the record is missing.
  explicit ShardOutputs(ShardJob job);
  bool is_complete() const { return record_.is_complete; }
  // Number of the next line, from 1, in the whole input if its lines were counted, else in the
  // shard. Each ShardJob::lines[i].reader is at that line; not moved if the shard was complete.
  int64_t next_line() const { return record_.range.lines_before + record_.lines + 1; }
  // End of the shard in the first file, in bytes; nullopt: the end of the file.
  std::optional<int64_t> end() const;

  void write(const std::vector<std::string>& texts) override;
  // Throws Error(kData) if an input has changed in the meantime.
  void commit() override;

 private:
  ShardRecord new_record() const;
  bool load();  // the record; false if there is none
  void lock();
  void begin();
  void go_on();
  void save(bool complete);
  bool is_published() const;
  void publish() const;
  fs::path final_path(size_t output) const;
  fs::path part_path(size_t output) const;

  ShardJob job_;
  fs::path path_;  // of the record
  ShardRecord record_;
  std::vector<std::unique_ptr<PartFile>> parts_;
  int64_t written_ = 0;  // lines, by this process
};

}  // namespace heed
