#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"

namespace heed {

namespace {

using Json = nlohmann::json;

constexpr const char* kName = "MANIFEST.json";
constexpr const char* kAdvice = "copy or train the model again";
// The manifest begins with the hash of everything behind it, so it is checked before a byte of it
// is interpreted.
constexpr std::string_view kHead = "{\"hash\":\"";
constexpr size_t kHashDigits = 32;

struct FileRecord {
  uint64_t size;
  std::string hash;
};

template <class... Args>
[[noreturn]] void refuse(const fs::path& path, fmt::format_string<Args...> format, Args&&... args) {
  throw_error(ErrorKind::kModel, "{}: {}; {}", path.string(),
              fmt::format(format, std::forward<Args>(args)...), kAdvice);
}

// Every file below the folder but its own manifest: relative path → size.
std::map<std::string, uint64_t> list_files(const fs::path& folder, ErrorKind kind) try {
  std::map<std::string, uint64_t> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_directory()) continue;
    const std::string name = entry.path().lexically_relative(folder).generic_string();
    if (!entry.is_regular_file())
      throw_error(kind, "{}: is not a regular file; remove it", entry.path().string());
    if (name != kName) files[name] = entry.file_size();
  }
  return files;
} catch (const fs::filesystem_error& error) {
  throw_error(kind, "{}: cannot read this folder: {}", folder.string(), error.code().message());
}

Json parse_manifest(const fs::path& path) {
  std::string text;
  try {
    text = read_file(path);
  } catch (const Error& error) {
    throw_error(ErrorKind::kModel, "{}; a complete model or checkpoint has this file",
                error.what());
  }
  if (text.size() < kHead.size() + kHashDigits || !text.starts_with(kHead) ||
      hash_bytes(std::string_view(text).substr(kHead.size() + kHashDigits)) !=
          text.substr(kHead.size(), kHashDigits)) {
    refuse(path, "is damaged: its own hash does not match");
  }
  constexpr int kDeepest = 64;
  const auto bounded = [](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepest) throw std::runtime_error("nested too deeply");
    return true;
  };
  return Json::parse(text, bounded);
}

std::map<std::string, FileRecord> read_records(const Json& manifest) {
  std::map<std::string, FileRecord> records;
  for (const auto& [name, record] : manifest.at("files").items()) {
    records[name] = {record.at("size").get<uint64_t>(), record.at("hash").get<std::string>()};
  }
  return records;
}

void compare(const fs::path& folder, const std::map<std::string, FileRecord>& records) {
  const auto files = list_files(folder, ErrorKind::kModel);
  for (const auto& [name, record] : records) {
    const auto found = files.find(name);
    if (found == files.end()) refuse(folder / name, "is missing, but {} lists it", kName);
    if (found->second != record.size) {
      refuse(folder / name, "is damaged: it has {} bytes, expected {}", found->second, record.size);
    }
  }
  for (const auto& [name, unused] : files) {
    if (!records.contains(name)) {
      throw_error(ErrorKind::kModel, "{}: does not belong here, {} does not list it; remove it",
                  (folder / name).string(), kName);
    }
  }
  for (const auto& [name, record] : records) {
    if (hash_file(folder / name) != record.hash)
      refuse(folder / name, "is damaged: its hash does not match");
  }
}

}  // namespace

void write_manifest(const fs::path& folder, const std::string& extra_json) {
  Json files = Json::object();
  for (const auto& [name, size] : list_files(folder, ErrorKind::kIo)) {
    files[name] = {{"size", size}, {"hash", hash_file(folder / name)}};
  }
  const std::string tail = fmt::format("\",\n\"extra\":{},\n\"files\":{}}}\n",
                                       Json::parse(extra_json).dump(), files.dump(2));
  write_file(folder / kName, fmt::format("{}{}{}", kHead, hash_bytes(tail), tail));
}

std::string check_manifest(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    throw_error(ErrorKind::kModel,
                "{}: there is no such folder; name a run, a checkpoint or a model",
                folder.string());
  }
  const fs::path path = folder / kName;
  std::string extra;
  std::map<std::string, FileRecord> records;
  try {
    const Json manifest = parse_manifest(path);
    records = read_records(manifest);
    extra = manifest.at("extra").dump();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    refuse(path, "is not a manifest ({})", error.what());
  }
  compare(folder, records);
  return extra;
}

}  // namespace heed
