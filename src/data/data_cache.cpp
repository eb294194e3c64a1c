#include "data/data_cache.h"

#include <sys/stat.h>

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "base/compression/stored_text.h"
#include "base/descriptor.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/system/system.h"

namespace heed {

namespace {

using Json = nlohmann::json;

constexpr size_t kHashDigits = 32;
constexpr const char* kNotes = "txt";

// Identity of a file: it counts as unchanged as long as this text is the same.
std::string identity_of(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) < 0) throw_io_error(file, "open");
  constexpr int64_t kSecond = 1'000'000'000;
  const int64_t time = modification_nanoseconds(status);
  return fmt::format("file {} of {} bytes, {}.{:09}",
                     fs::absolute(file).lexically_normal().string(), status.st_size, time / kSecond,
                     time % kSecond);
}

std::string head_of(const std::string& key) { return fmt::format("\n{}\n", key); }

std::string to_text(const FileFacts& facts) {
  return Json{{"size", facts.size}, {"lines", facts.lines}, {"hash", facts.hash}}.dump();
}

FileFacts facts_of(const Json& json) {
  const FileFacts facts{
      .size = json.at("size"), .lines = json.at("lines"), .hash = json.at("hash")};
  if (facts.lines < 0) throw std::out_of_range("lines");
  return facts;
}

}  // namespace

FileFacts read_facts(const Descriptor& file) {
  constexpr size_t kBlock = size_t{1} << 18;
  FileFacts facts;
  ContentHash hash;
  std::vector<char> block(kBlock);
  char last = '\n';
  while (const size_t count = file.read_at(facts.size, block.data(), block.size())) {
    hash.add({block.data(), count});
    facts.lines += std::count(block.begin(), block.begin() + static_cast<int64_t>(count), '\n');
    facts.size += count;
    last = block[count - 1];
  }
  facts.lines += last != '\n';
  facts.hash = hash.digest();
  return facts;
}

DataCache::DataCache(std::optional<fs::path> folder) : folder_(std::move(folder)) {
  if (folder_) make_folders(*folder_);
}

FileFacts DataCache::facts(const fs::path& path) {
  const auto& [file, member] = find_stored(path);
  if (!member.empty()) {
    FileFacts facts = this->facts(file);
    facts.hash = hash_bytes(facts.hash + "/" + member);
    return facts;
  }
  const std::string key = identity_of(file);
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
  }
  auto facts = find_facts(key);
  if (!facts) {
    facts = read_facts(Descriptor::open_regular(file));
    if (identity_of(file) != key) return *facts;  // it is being written
    keep(key, to_text(*facts));
  }
  const std::lock_guard lock(mutex_);
  return known_[key] = *facts;
}

std::optional<FileFacts> DataCache::find_facts(const std::string& key) const {
  const auto text = find(key);
  if (!text) return std::nullopt;
  try {
    return facts_of(Json::parse(*text));
  } catch (const std::bad_alloc&) {  // no fault of the file
    throw;
  } catch (const std::exception&) {  // of JSON
    warn_of_damage(key);
    return std::nullopt;
  }
}

fs::path DataCache::file(const std::string& key, const std::string& ending) const {
  return folder_.value() / fmt::format("{}.{}", hash_bytes(key), ending);
}

// Format of a note: hash of the rest, a line with the key, the text.
std::optional<std::string> DataCache::find(const std::string& key) const {
  if (!folder_ || !is_there(file(key, kNotes))) return std::nullopt;
  const std::string note = read_file(file(key, kNotes)), head = head_of(key);
  const std::string body = note.substr(std::min(note.size(), kHashDigits));
  if (note.starts_with(hash_bytes(body)) && body.starts_with(head)) return body.substr(head.size());
  warn_of_damage(key);
  return std::nullopt;
}

void DataCache::warn_of_damage(const std::string& key) const {
  spdlog::warn("{}: is damaged; what it held is found out again", file(key, kNotes).string());
}

void DataCache::keep(const std::string& key, const std::string& text) const {
  if (!folder_) return;
  const std::string body = head_of(key) + text;
  write_file(file(key, kNotes), hash_bytes(body) + body);
}

}  // namespace heed
