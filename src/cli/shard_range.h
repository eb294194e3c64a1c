// Where the lines of a shard are.
#pragma once

#include <cstdint>
#include <vector>

#include "cli/line_file.h"
#include "cli/shard.h"

namespace heed {

// In files that are read side by side.
struct ShardRange {
  int64_t begin = 0, end = 0;    // bytes of the first file: the lines that begin there
  bool is_counted = false;       // whether lines_before is known
  int64_t lines_before = 0;      // in the whole file; 0 if it is not known
  std::vector<int64_t> offsets;  // of the first line in each file
};

// The N shards divide the bytes of the first file evenly, and each has the lines that begin in its
// own. counted: whether the lines before are counted, which reads the first file from its beginning;
// needed with several files, of which the others are read so far as well. Throws Error(kUsage) for
// what is not a plain file, Error(kData) for a file with fewer lines than the first has before the
// shard.
ShardRange find_shard(const LineShard& shard, const std::vector<LineFile>& files, bool counted);

}  // namespace heed
