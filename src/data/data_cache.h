// What was found out about training data by reading them, for later starts and for other processes:
// the key `data.cache`. Without a folder it is known to this process alone.
//
// A file of the folder is named by the hash of all that its content depends on, and appears whole or
// not at all; so any number of processes may use the folder, and each file may be removed at any
// time. A text file counts as unchanged while its path, size and time of modification are.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace heed {

// Of a text file as it lies there, compressed or not.
struct FileFacts {
  uint64_t size = 0;   // bytes
  int64_t lines = 0;   // ended by LF; and a last one without
  std::string hash{};  // hash_file()
};

class Descriptor;
// By reading the file from its beginning to its end.
FileFacts read_facts(const Descriptor& file);

// From any thread. Everything throws Error(kIo) if the folder cannot be written.
class DataCache {
 public:
  // Makes the folder.
  explicit DataCache(std::optional<std::filesystem::path> folder = {});

  bool has_folder() const { return folder_.has_value(); }
  // Of a regular file. Reads it where it is not known. Throws Error(kIo).
  FileFacts facts(const std::filesystem::path& file);

  // Text that depends on what `key` says; what is damaged is not found, after a warning. Nothing is
  // found or kept without a folder.
  std::optional<std::string> find(const std::string& key) const;
  void keep(const std::string& key, const std::string& text) const;
  // Warns that the text of `find` is damaged, and is found out again.
  void warn_of_damage(const std::string& key) const;

  // A file for what `key` says: "DIR/<hash>.index". Needs a folder.
  std::filesystem::path file(const std::string& key, const std::string& ending) const;

 private:
  std::optional<FileFacts> find_facts(const std::string& key) const;
  std::optional<std::filesystem::path> folder_;
  std::mutex mutex_;
  std::map<std::string, FileFacts> known_;  // by path, size and time
};

}  // namespace heed
