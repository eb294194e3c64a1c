// The output of `heed translate --shard I/N`: files OUT.I-of-N.part, which get their names OUT.I-of-N
// when the shard is complete, and a record of it (shard_record.h). The record is written after every
// window of lines, so that a process that was killed is continued by the next one behind the last
// window; what the files have beyond it is cut off.
#pragma once

#include <optional>

#include "cli/part_file.h"
#include "cli/shard_record.h"
#include "cli/translation_outputs.h"

namespace heed {

struct ShardJob {
  LineShard shard;
  std::vector<NamedFile> outputs;
  std::map<std::string, std::string> settings;  // all that the text depends on
  std::vector<LineFile> lines;                  // the files that are read side by side
  std::vector<NamedFile> others;                // further files that the text depends on
  bool counted = false;                         // whether line numbers are those of the whole input
  int64_t window = 1;                           // lines
};

class ShardOutputs final : public TranslationOutputs {
 public:
  // Begins the shard, or continues it where the record says. Throws Error(kUsage) if it was begun
  // otherwise, Error(kIo) if another process is translating it or what the record names is missing.
  explicit ShardOutputs(ShardJob job);
  bool is_complete() const { return record_.is_complete; }
  // The number of the next line, from 1: of the whole input if its lines were counted, else of the
  // shard. The readers of the job stand before that line.
  int64_t next_line() const { return record_.range.lines_before + record_.lines + 1; }
  // Where the shard ends in the first file; nullopt: with the file.
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
