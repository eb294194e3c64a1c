#include "run/data_record.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/compression/stored_text.h"
#include "base/error.h"
#include "base/log.h"

namespace heed {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

void record_files(const std::vector<fs::path>& files, DataCache& cache, DataRecord& record) {
  for (const fs::path& file : files) {
    if (!is_stored_text(file)) continue;
    const FileFacts facts = cache.facts(file);
    record[file.string()] = {.size = facts.size, .hash = facts.hash};
  }
}

std::string bytes(const DataFile& file) {
  return format_count(static_cast<int64_t>(file.size)) + " bytes";
}

std::string difference(const DataFile& before, const DataFile& now) {
  if (before.size == now.size) return "other content";
  return fmt::format("{}, was {}", bytes(now), bytes(before));
}

// Takes files out of both that have the same name and content in another folder.
void leave_out_moved(DataRecord& before, DataRecord& now) {
  std::erase_if(before, [&](const auto& old) {
    const fs::path path = old.first;
    if (now.contains(old.first)) return false;
    const auto moved = std::ranges::find_if(now, [&](const auto& other) {
      return other.second == old.second && !before.contains(other.first) &&
             fs::path(other.first).filename() == path.filename();
    });
    if (moved == now.end()) return false;
    now.erase(moved);
    return true;
  });
}

void leave_out_unrecorded(const std::vector<fs::path>& text, const DataRecord& before,
                          DataRecord& now) {
  for (const fs::path& file : text) {
    const bool is_recorded = std::ranges::any_of(
        before, [&](const auto& old) { return fs::path(old.first).filename() == file.filename(); });
    if (!is_recorded) now.erase(file.string());
  }
}

// A file that is gone may have been moved when it was changed.
bool is_of_text(const fs::path& path, bool is_gone, const std::vector<fs::path>& text) {
  return std::ranges::any_of(text, [&](const fs::path& file) {
    return file == path || (is_gone && file.filename() == path.filename());
  });
}

}  // namespace

DataRecord record_data(const std::vector<CorpusFiles>& corpora, const std::vector<fs::path>& text,
                       DataCache& cache) {
  DataRecord record;
  for (const CorpusFiles& corpus : corpora) {
    for (const auto& side : corpus.sides) record_files(side.paths, cache, record);
    record_files(corpus.edges.paths, cache, record);
    record_files(corpus.alignment.paths, cache, record);
    record_files(corpus.supporting_facts.paths, cache, record);
    for (const auto& factor : corpus.factors) record_files(factor.paths, cache, record);
  }
  record_files(text, cache, record);
  return record;
}

std::vector<std::string> DataChanges::all() const {
  std::vector<std::string> all = data;
  all.insert(all.end(), text.begin(), text.end());
  return all;
}

DataChanges changed_data(DataRecord before, DataRecord now, const std::vector<fs::path>& text) {
  leave_out_unrecorded(text, before, now);
  leave_out_moved(before, now);
  std::set<std::string> paths;
  for (const auto& [path, unused] : before) paths.insert(path);
  for (const auto& [path, unused] : now) paths.insert(path);
  DataChanges changes;
  for (const std::string& path : paths) {
    const auto old = before.find(path), found = now.find(path);
    const bool is_gone = found == now.end();
    std::vector<std::string>& list = is_of_text(path, is_gone, text) ? changes.text : changes.data;
    if (old == before.end()) {
      list.push_back(path + " (new)");
    } else if (is_gone) {
      list.push_back(path + " (gone)");
    } else if (old->second != found->second) {
      list.push_back(fmt::format("{} ({})", path, difference(old->second, found->second)));
    }
  }
  return changes;
}

std::string to_json(const DataRecord& record) {
  Json json = Json::object();
  for (const auto& [path, file] : record) json[path] = {{"size", file.size}, {"hash", file.hash}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

DataRecord data_record_from_json(const std::string& text, const std::string& where) try {
  DataRecord record;
  const Json json = Json::parse(text);
  for (const auto& [path, file] : json.items())
    record[path] = {.size = file.at("size"), .hash = file.at("hash")};
  return record;
} catch (const Json::exception& error) {
  throw_error(ErrorKind::kModel, "{}: not a record of data: {}", where, error.what());
}

}  // namespace heed
