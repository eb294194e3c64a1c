#include "nn/attention/key_value_memory_config.h"

#include "base/error.h"
#include "config/sizes.h"
#include "nn/attention/multi_source_config.h"

namespace heed {

void KeyValueMemoryConfig::fields(Fields& f) {
  f.field("keys", keys, "name of the source with the keys");
  f.field("values", values, "name of the source with the values, one for each key");
  f.field("hops", hops, kRounds, "hops, each of which reads once");
}

void KeyValueMemoryConfig::check(const AttentionDims& dims, Problems& problems) const {
  bool found = true;
  for (const auto& [key, name] : {std::pair{"keys", keys}, {"values", values}}) {
    if (dims.sources.contains(name)) continue;
    problems.add(key, no_such_source(dims, name));
    found = false;
  }
  if (!found) return;
  if (keys == values)
    problems.add("values", "is the source with the keys: name another, or use memory_network");
  const int64_t key = dims.sources.at(keys).key, value = dims.sources.at(values).value;
  if (key == dims.query && value == dims.query) return;
  problems.add("", fmt::format("the query is multiplied with the keys and added to the values, but "
                               "it has width {}, {} has {} and {} has {}: make them equal",
                               dims.query, keys, key, values, value));
}

namespace kinds {
Kind<AttentionConfig> key_value_memory() {
  return kind<KeyValueMemoryConfig, AttentionConfig>(
      "key_value_memory", "hops over a memory whose keys and values are two sources (Miller 2016)");
}
}  // namespace kinds

}  // namespace heed
