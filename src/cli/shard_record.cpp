#include "cli/shard_record.h"

#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/descriptor.h"

namespace heed {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LineShard, number, count)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ShardRange, begin, end, is_counted, lines_before, offsets)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ShardInput, option, path, bytes, modified)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ShardOutput, path, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ShardRecord, shard, settings, inputs, range, outputs, lines,
                                   offsets, is_complete, writer)

namespace {

// Of a record that was edited or is none, before anything is indexed by it.
bool is_possible(const ShardRecord& record) {
  const ShardRange& range = record.range;
  const LineShard& shard = record.shard;
  return shard.number >= 1 && shard.number <= shard.count && !record.inputs.empty() &&
         !record.outputs.empty() && record.offsets.size() == range.offsets.size() &&
         !range.offsets.empty() && range.begin >= 0 && range.begin <= range.end;
}

std::string value_in(const std::map<std::string, std::string>& settings, const std::string& name) {
  const auto found = settings.find(name);
  return found == settings.end() ? "none" : found->second;
}

std::string names_of(const std::vector<ShardOutput>& outputs) {
  std::vector<std::string> names;
  for (const ShardOutput& output : outputs) names.push_back(output.path);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string difference(const ShardInput& one, const ShardInput& other) {
  if (one.bytes != other.bytes)
    return fmt::format("{} {} of {} bytes, not {}", one.option, one.path, one.bytes, other.bytes);
  if (one.modified != other.modified)
    return fmt::format("{} {} of another time of modification (cp --preserve=timestamps keeps it)",
                       one.option, one.path);
  return "";
}

}  // namespace

ShardInput shard_input(const std::string& option, const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) < 0) throw_io_error(path, "open");
  constexpr int64_t kSecond = 1'000'000'000;
  return {option, path, status.st_size, status.st_mtim.tv_sec * kSecond + status.st_mtim.tv_nsec};
}

fs::path record_path(const fs::path& output, const LineShard& shard) {
  return shard.file(output).string() + ".json";
}

std::optional<ShardRecord> read_shard_record(const fs::path& path) {
  if (!is_there(path)) return std::nullopt;
  const auto json = nlohmann::json::parse(read_file(path), nullptr, false);
  try {
    auto record = json.get<ShardRecord>();
    if (is_possible(record)) return record;
  } catch (const nlohmann::json::exception&) {
    // As below.
  }
  throw_error(ErrorKind::kData,
              "{}: is no record of a shard of this version of heed; remove it, and the shard is "
              "translated from its beginning",
              path.string());
}

void write_shard_record(const fs::path& path, const ShardRecord& record) {
  constexpr int kIndent = 2;
  const nlohmann::json json = record;
  write_file(path, json.dump(kIndent, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

std::vector<std::string> differences(const ShardRecord& one, const ShardRecord& other) {
  std::vector<std::string> found;
  const auto note = [&](const std::string& name, const std::string& value,
                        const std::string& another) {
    if (value != another) found.push_back(fmt::format("{} {}, not {}", name, value, another));
  };
  std::set<std::string> names;
  for (const auto* settings : {&one.settings, &other.settings})
    for (const auto& [name, unused] : *settings) names.insert(name);
  for (const std::string& name : names)
    note(name, value_in(one.settings, name), value_in(other.settings, name));
  note("output files", names_of(one.outputs), names_of(other.outputs));
  note("input files", std::to_string(one.inputs.size()), std::to_string(other.inputs.size()));
  for (size_t i = 0; i < std::min(one.inputs.size(), other.inputs.size()); ++i) {
    const std::string of_input = difference(one.inputs[i], other.inputs[i]);
    if (!of_input.empty()) found.push_back(of_input);
  }
  return found;
}

}  // namespace heed
