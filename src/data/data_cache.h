// Cache of facts about training data that take a full read to find, for later starts and for other
// processes: the key `data.cache`. Without a folder the facts are known to this process only.
//
// The name of a file in the folder is the hash of everything that its content depends on, and a
// file appears whole or not at all. So any number of processes may use the folder, and each file
// may be removed at any time. A text file counts as unchanged as long as its path, size and
// modification time are the same.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace heed {

// Facts about a text file as it is stored, compressed or not.
struct FileFacts {
  uint64_t size = 0;   // bytes
  int64_t lines = 0;   // with LF, and a last one without
  std::string hash{};  // hash_file()
};

class Descriptor;
// Reads the file from beginning to end.
FileFacts read_facts(const Descriptor& file);

// Thread-safe. All functions throw Error(kIo) if the folder cannot be written.
class DataCache {
 public:
  // Creates the folder.
  explicit DataCache(std::optional<std::filesystem::path> folder = {});

  bool has_folder() const { return folder_.has_value(); }
  // Facts about a regular file. Reads the file if they are unknown. The hash of a member of an archive
  // depends on its name; the other facts are those of the archive. Throws Error(kIo).
  FileFacts facts(const std::filesystem::path& path);

  // Finds or saves text that depends on `key`. Damaged text is not found; a warning is logged.
  // Without a folder nothing is found or saved.
  std::optional<std::string> find(const std::string& key) const;
  void keep(const std::string& key, const std::string& text) const;
  // Warns that the text of `find` is damaged and is computed again.
  void warn_of_damage(const std::string& key) const;

  // Path of the file for `key`: "DIR/<hash>.index". Needs a folder.
  std::filesystem::path file(const std::string& key, const std::string& ending) const;

 private:
  std::optional<FileFacts> find_facts(const std::string& key) const;
  std::optional<std::filesystem::path> folder_;
  std::mutex mutex_;
  std::map<std::string, FileFacts> known_;  // by path, size and time
};

}  // namespace heed
