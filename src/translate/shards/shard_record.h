// Record of a shard that is translated, written beside its output as OUT.I-of-N.json. It has the
// inputs and settings of the shard, so that only matching shards are joined or continued, and its
// progress.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "translate/shards/part_file.h"
#include "translate/shards/shard_range.h"

namespace heed {

// An input file; it counts as unchanged while its size and time of modification are the same.
struct ShardInput {
  std::string option, path;  // path: only for messages, as a copy elsewhere is the same file
  int64_t bytes = 0;
  int64_t modified = 0;  // nanoseconds since 1970
};
ShardInput shard_input(const std::string& option, const std::string& path);

struct ShardOutput {
  std::string path;     // of the joined file, relative to the folder of the record
  PartContent content;  // output of the shard
};

struct ShardRecord {
  LineShard shard;
  std::map<std::string, std::string> settings;  // all that the output depends on
  std::vector<ShardInput> inputs;
  ShardRange range;
  std::vector<ShardOutput> outputs;
  int64_t lines = 0;             // translated so far
  std::vector<int64_t> offsets;  // of the next line in each of the files read side by side
  bool is_complete = false;
  std::string writer;  // process and host, for messages
};

// OUT.2-of-4.json
fs::path record_path(const fs::path& output, const LineShard& shard);
// nullopt if the file does not exist. A record contains a hash of itself. Throws Error(kData) for a
// changed record and for any other kind of file.
std::optional<ShardRecord> read_shard_record(const fs::path& path);
void write_shard_record(const fs::path& path, const ShardRecord& record);
std::string record_text(const ShardRecord& record);  // of the file

// Differences in settings, inputs and outputs of two shards: "search.beam 5, not 1".
std::vector<std::string> differences(const ShardRecord& one, const ShardRecord& other);

}  // namespace heed
