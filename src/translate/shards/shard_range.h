// Position of a shard's lines in its input files.
#pragma once

#include <cstdint>
#include <vector>

#include "translate/shards/line_file.h"
#include "translate/shards/shard.h"

namespace heed {

// Range of a shard in files that are read side by side.
struct ShardRange {
  int64_t begin = 0, end = 0;    // bytes of the first file: the lines that begin there
  bool is_counted = false;       // true if lines_before is known
  int64_t lines_before = 0;      // in the whole file; 0 if unknown
  std::vector<int64_t> offsets;  // of the first line in each file
};

// The N shards divide the bytes of the first file evenly; each has the lines that begin in its
// part. counted: counts the lines before the shard, which reads the first file from its beginning.
// Several files always need the count, and the others are read up to the shard as well. Throws
// Error(kUsage) if an input is not a plain file, Error(kData) if a file has fewer lines than the
// first has before the shard.
ShardRange find_shard(const LineShard& shard, const std::vector<LineFile>& files, bool counted);

}  // namespace heed
