// An index of the data cache with the right hashes: the JSON of its header, and behind a zero byte its
// columns. What is read of it stays within it.
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "data/index_file.h"
#include "fuzz/fuzzing.h"
#include "fuzz/memory_file.h"

namespace heed {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kKey = "key";
constexpr size_t kHeaderAt = 56, kAlignment = 64;

size_t aligned(size_t at) { return (at + kAlignment - 1) / kAlignment * kAlignment; }

// With the hashes of the columns, as far as they lie within the file.
void set_hashes(Json& header, std::string_view data) {
  const auto columns = header.find("columns");
  if (columns == header.end() || !columns->is_array()) return;
  size_t at = 0;
  for (Json& column : *columns) {
    const size_t size =
        column.is_object() && column.contains("bytes") && column["bytes"].is_number_unsigned()
            ? column["bytes"].get<size_t>()
            : data.size();
    if (at > data.size() || size > data.size() - at) return;
    column["hash"] = hash_bytes(data.substr(at, size));
    at = aligned(at + size);
  }
}

// The hashes have the length that they had before, so that the columns stay where they are.
std::string index_of(Json header, std::string_view data) {
  set_hashes(header, data);
  std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize(aligned(kHeaderAt + text.size()) - kHeaderAt, ' ');
  const uint64_t length = text.size();
  std::string bytes = "heed pair index\n";
  bytes.append(reinterpret_cast<const char*>(&length), sizeof(length));
  return bytes + hash_bytes(text) + text + std::string(data);
}

void read_all(const CorpusIndex& index, const TrainingText& text) {
  for (PairId pair = 0; pair < index.pairs.size(); ++pair) {
    index.pairs.row_length(pair);
    const TextPart& part = text.parts()[index.pairs.part_of(pair)];
    for (size_t side = 0; side < index.pairs.sides(); ++side) {
      part.sides[side].line(index.pairs.offset(pair, side));
      if (!index.ids.complete()) continue;
      for (const int32_t id : index.ids.ids(pair, side)) HEED_CHECK(id >= 0 && id < 10);
    }
  }
}

}  // namespace

void try_input(std::string_view bytes) {
  static const MemoryFile source("a b\nc\n"), target("a\nb c\n");
  static const TrainingText text({CorpusFiles{
      .name = "corpus", .sides = {{.paths = {source.path()}}, {.paths = {target.path()}}}}});
  constexpr int kDeepest = 20;
  const std::string head = take_until(bytes, '\0');
  const auto bounded = [](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepest) throw Error(ErrorKind::kData, "too deep");
    return true;
  };
  Json header = Json::parse(head, bounded, false);
  if (!header.is_object()) return;
  header["key"] = kKey;
  const MemoryFile file(index_of(std::move(header), bytes));
  if (const auto index = find_index(file.path(), std::string(kKey), text, {10, 10}))
    read_all(*index, text);
}

}  // namespace heed
