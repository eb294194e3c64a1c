#include "translate/shards/shard_record.h"

#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/descriptor.h"
#include "base/sealed_json.h"
#include "base/small_file.h"
#include "base/system/system.h"

namespace heed {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LineShard, number, count)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ShardRange, begin, end, is_counted, lines_before, offsets)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ShardInput, option, path, bytes, modified)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PartContent, bytes, lines, hash)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ShardOutput, path, content)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ShardRecord, shard, settings, inputs, range, outputs, lines,
                                   offsets, is_complete, writer)

namespace {

// True if the values of a record are possible. Guards indexing against an edited file or JSON of
// another kind.
bool is_possible(const ShardRecord& record) {
  const ShardRange& range = record.range;
  const LineShard& shard = record.shard;
  const auto is_count = [](int64_t number) { return number >= 0; };
  return std::ranges::all_of(record.offsets, is_count) &&
         std::ranges::all_of(range.offsets, is_count) && is_count(record.lines) &&
         is_count(range.lines_before) &&
         std::ranges::all_of(record.outputs,
                             [&](const auto& output) { return is_count(output.content.bytes); }) &&
         shard.number >= 1 && shard.number <= shard.count && !record.inputs.empty() &&
         !record.outputs.empty() && record.offsets.size() == range.offsets.size() &&
         !range.offsets.empty() && range.begin >= 0 && range.begin <= range.end;
}

// nullopt: the text has another form.
std::optional<ShardRecord> parse_record(const std::string& text) try {
  const auto record = nlohmann::json::parse(text).at("record").get<ShardRecord>();
  return is_possible(record) ? std::optional(record) : std::nullopt;
} catch (const nlohmann::json::exception&) {
  return std::nullopt;
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
  return {option, path, status.st_size, modification_nanoseconds(status)};
}

fs::path record_path(const fs::path& output, const LineShard& shard) {
  return shard.file(output).string() + ".json";
}

std::optional<ShardRecord> read_shard_record(const fs::path& path) {
  if (!is_there(path)) return std::nullopt;
  const std::string text = read_file(path, kLargestJsonFile);
  if (text.starts_with("{\"hash\"") && !has_seal(text))
    throw_error(ErrorKind::kData,
                "{}: is damaged: its own hash does not match; remove it, and the shard is "
                "translated from its beginning",
                path.string());
  if (const auto record = has_seal(text) ? parse_record(text) : std::nullopt) return record;
  throw_error(ErrorKind::kData,
              "{}: is not a record of a shard of this version of heed; remove it, and the shard is "
              "translated from its beginning",
              path.string());
}

std::string record_text(const ShardRecord& record) {
  constexpr int kIndent = 2;
  const nlohmann::json json = record;
  return seal_json("\"record\":" +
                   json.dump(kIndent, ' ', false, nlohmann::json::error_handler_t::replace));
}

void write_shard_record(const fs::path& path, const ShardRecord& record) {
  write_file(path, record_text(record));
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
