#include <map>
#include <new>
#include <nlohmann/json.hpp>

#include "base/descriptor.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/model_folder.h"
#include "base/packed_file.h"
#include "base/sealed_json.h"
#include "base/small_file.h"

namespace heed {

namespace {

using Json = nlohmann::json;

constexpr const char* kAdvice = "copy or train the model again";

struct FileRecord {
  uint64_t size;
  std::string hash;
};

template <class... Args>
[[noreturn]] void refuse(const fs::path& path, fmt::format_string<Args...> format, Args&&... args) {
  throw_error(ErrorKind::kModel, "{}: {}; {}", path.string(),
              fmt::format(format, std::forward<Args>(args)...), kAdvice);
}

// True for files that file managers and synchronisation tools create in every folder they show.
bool is_dropped(const std::string& name) {
  const std::string file = fs::path(name).filename().string();
  return file.starts_with('.') || file == "Thumbs.db" || file == "desktop.ini";
}

// Every file below the folder except its own manifest: relative path → size.
std::map<std::string, uint64_t> sizes_of_files(const fs::path& folder, ErrorKind kind) try {
  std::map<std::string, uint64_t> sizes;
  for (const fs::path& file : list_files(folder)) {
    std::error_code ignored;
    const std::string name = file.lexically_relative(folder).generic_string();
    if (is_dropped(name)) continue;
    // Pipes and devices are refused before anything is opened: reading them could wait or never
    // end.
    if (!fs::is_regular_file(file, ignored))
      throw_error(kind, "{}: is not a regular file; remove it", file.string());
    if (name != kManifest) sizes[name] = fs::file_size(file, ignored);
  }
  return sizes;
} catch (const IoError& error) {
  if (!error.is_about_the_file()) throw;
  throw Error(kind, error.what());
}

Json parse_manifest(const fs::path& path) {
  std::string text;
  try {
    text = read_file(path, kLargestJsonFile);
  } catch (const IoError& error) {
    if (!error.is_about_the_file()) throw;
    throw_error(ErrorKind::kModel, "{}; a complete model or checkpoint has this file",
                error.what());
  }
  if (!has_seal(text)) refuse(path, "is damaged: its own hash does not match");
  constexpr int kDeepest = 64;
  const auto bounded = [](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepest) throw std::runtime_error("nested too deeply");
    return true;
  };
  return Json::parse(text, bounded);
}

// The format of models and checkpoints. A version of heed reads every format from 1 to this one.
constexpr int64_t kFormat = 2;

void check_format(const Json& manifest, const fs::path& path) {
  const auto found = manifest.find("format");
  if (found == manifest.end())
    throw_error(ErrorKind::kModel,
                "{}: has no format number, so heed wrote it before its format was fixed; train or "
                "import the model again",
                path.string());
  const auto format = found->get<int64_t>();
  if (format < 1 || format > kFormat)
    throw_error(ErrorKind::kModel,
                "{}: is of format {}, and this version of heed reads 1 to {}; use a newer version",
                path.string(), format, kFormat);
}

std::map<std::string, FileRecord> read_records(const Json& manifest) {
  std::map<std::string, FileRecord> records;
  for (const auto& [name, record] : manifest.at("files").items()) {
    records[name] = {record.at("size").get<uint64_t>(), record.at("hash").get<std::string>()};
  }
  return records;
}

// A changed config is one that somebody has edited.
[[noreturn]] void refuse_changed(const fs::path& path, const std::string& what) {
  if (path.filename() != kModelConfig) refuse(path, "is damaged: {}", what);
  refuse(
      path,
      "is damaged or was edited: {}; a model is used as it was saved, and other settings of search "
      "are options of a command, such as --set search.beam=8, or of a call",
      what);
}

void compare(const fs::path& folder, const std::map<std::string, uint64_t>& files,
             const std::map<std::string, FileRecord>& records) {
  for (const auto& [name, record] : records) {
    const auto found = files.find(name);
    if (found == files.end()) refuse(folder / name, "is missing, but {} lists it", kManifest);
    if (found->second != record.size)
      refuse_changed(folder / name,
                     fmt::format("it has {} bytes, expected {}", found->second, record.size));
  }
  for (const auto& [name, record] : records) {
    if (hash_file(folder / name) != record.hash)
      refuse_changed(folder / name, "its hash does not match");
  }
  for (const auto& [name, unused] : files) {
    if (!records.contains(name)) {
      throw ForeignFile(fmt::format("{}: does not belong here, {} does not list it; remove it",
                                    (folder / name).string(), kManifest));
    }
  }
}

}  // namespace

void write_manifest(const fs::path& folder, const std::string& extra_json) {
  Json files = Json::object();
  for (const auto& [name, size] : sizes_of_files(folder, ErrorKind::kIo)) {
    files[name] = {{"size", size}, {"hash", hash_file(folder / name)}};
  }
  write_file(folder / kManifest,
             seal_json(fmt::format("\"format\":{},\n\"extra\":{},\n\"files\":{}", kFormat,
                                   Json::parse(extra_json).dump(), files.dump(2))));
}

int64_t manifest_format(const fs::path& folder) {
  const fs::path path = folder / kManifest;
  const Json manifest = parse_manifest(path);
  check_format(manifest, path);
  return manifest.at("format").get<int64_t>();
}

namespace {

// Calls back with a manifest, and returns its "extra" object.
template <class Records>
std::string read_manifest(const fs::path& path, const Records& take_records) {
  try {
    const Json manifest = parse_manifest(path);
    check_format(manifest, path);
    take_records(manifest);
    return manifest.at("extra").dump();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {  // no fault of the file
    throw;
  } catch (const std::exception& error) {
    refuse(path, "is not a manifest ({})", error.what());
  }
}

}  // namespace

std::string check_manifest(const fs::path& folder) {
  std::error_code ignored;
  // A packed model compares the hash over all files when one of them is read.
  if (is_packed_file(folder)) return read_manifest(folder / kManifest, [](const Json&) {});
  if (!fs::is_directory(folder, ignored)) {
    throw_error(ErrorKind::kModel,
                "{}: there is no such folder; name a run, a checkpoint or a model",
                folder.string());
  }
  const auto files = sizes_of_files(folder, ErrorKind::kModel);
  const fs::path path = folder / kManifest;
  std::map<std::string, FileRecord> records;
  std::string extra =
      read_manifest(path, [&](const Json& manifest) { records = read_records(manifest); });
  compare(folder, files, records);
  return extra;
}

}  // namespace heed
