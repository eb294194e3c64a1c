// Records of shards, with the right hash; each that is read is written and read again.
#include "translate/shards/shard_record.h"

#include "base/sealed_json.h"
#include "fuzz/fuzzing.h"
#include "fuzz/memory_file.h"

namespace heed {

void try_input(std::string_view bytes) {
  const MemoryFile file(seal_json(bytes));
  const auto record = read_shard_record(file.path());
  HEED_CHECK(record && differences(*record, *record).empty());
  const MemoryFile again(record_text(*record));
  HEED_CHECK(record_text(*read_shard_record(again.path())) == record_text(*record));
}

}  // namespace heed
