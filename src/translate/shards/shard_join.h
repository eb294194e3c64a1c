// `heed join`: the output of all shards as one file.
#pragma once

#include <filesystem>

namespace heed {

// Writes OUT from the files OUT.1-of-N to OUT.N-of-N, and in the same way what else the shards have
// written (alignments, attention weights), all or nothing. Returns the number of lines that were
// translated. Throws Error(kData) that names the shards that are missing, not complete, of another
// model, input or other settings.
int64_t join_shards(const std::filesystem::path& out);

}  // namespace heed
