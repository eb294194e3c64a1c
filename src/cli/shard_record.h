// What is known of a shard that is translated, beside its output as OUT.I-of-N.json: what it is made
// of, so that nothing else is joined with it or continues it, and how far it is.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/part_file.h"
#include "cli/shard_range.h"

namespace heed {

// A file that is read: the same as long as size and time of modification are.
struct ShardInput {
  std::string option, path;  // path: for messages, as a copy elsewhere is the same file
  int64_t bytes = 0;
  int64_t modified = 0;  // nanoseconds since 1970
};
ShardInput shard_input(const std::string& option, const std::string& path);

struct ShardOutput {
  std::string path;     // of the whole, relative to the folder of the record
  PartContent content;  // written of the shard
};

struct ShardRecord {
  LineShard shard;
  std::map<std::string, std::string> settings;  // all that the text depends on
  std::vector<ShardInput> inputs;
  ShardRange range;
  std::vector<ShardOutput> outputs;
  int64_t lines = 0;             // done
  std::vector<int64_t> offsets;  // of the next line in each of the files read side by side
  bool is_complete = false;
  std::string writer;  // process and host, for messages
};

// OUT.2-of-4.json
fs::path record_path(const fs::path& output, const LineShard& shard);
// nullopt if there is none. A record holds its own hash. Throws Error(kData) for a changed one, and
// for a file that is no such record.
std::optional<ShardRecord> read_shard_record(const fs::path& path);
void write_shard_record(const fs::path& path, const ShardRecord& record);
std::string record_text(const ShardRecord& record);  // of the file

// What one shard is made of and another is not: "search.beam 5, not 1".
std::vector<std::string> differences(const ShardRecord& one, const ShardRecord& other);

}  // namespace heed
