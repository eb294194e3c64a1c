#include "data/source_entries.h"

#include <algorithm>

#include "base/error.h"

namespace heed {

namespace {

int64_t count_of(const EntrySource& source, const std::vector<Ids>& sources) {
  const Ids& ids = sources.at(source.number);
  if (!source.marker) return std::ssize(ids);
  return ids.empty() ? 0 : 1 + std::ranges::count(ids, *source.marker);
}

std::string counted(const EntrySource& source, int64_t count) {
  return fmt::format("{} has {} {}{}", source.name, count, source.marker ? "sentence" : "token",
                     count == 1 ? "" : "s");
}

}  // namespace

void check_entries(const std::vector<SourceEntries>& entries, const std::vector<Ids>& sources,
                   const std::string& place) {
  for (const auto& [keys, values] : entries) {
    const int64_t key_count = count_of(keys, sources), value_count = count_of(values, sources);
    if (key_count == value_count) continue;
    throw_error(ErrorKind::kData, "{}: {}, but {}; give one value for each key", place,
                counted(keys, key_count), counted(values, value_count));
  }
}

}  // namespace heed
