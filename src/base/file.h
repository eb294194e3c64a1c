// Whole files, streams of lines, and writing that leaves nothing half done under a final name.
// Everything that fails throws Error(kIo), with the path and what the system said.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace heed {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path);

// Reads lines of a plain or gzip file (told apart by content, not by name) or of standard input ("-"). LF ends a line, a CR before it is
// taken off; a last line without LF counts. A line may be of any length and hold any byte.
class LineReader {
 public:
  explicit LineReader(const fs::path& path);
  ~LineReader();
  bool next(std::string& line);             // false at the end
  int64_t line_number() const;              // of the last one read, from 1
  // An uncompressed byte offset of the next line; for plain files only, seek() goes back to one.
  int64_t offset() const;
  void seek(int64_t offset);
  bool is_compressed() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Writes to a sibling `.NAME.XXXXXX.tmp`; commit() flushes, fsyncs, renames and fsyncs the folder. Without commit the
// temporary file is removed. "-" is standard output, written through.
class AtomicFile {
 public:
  explicit AtomicFile(const fs::path& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  void write(std::string_view bytes);
  void flush();                              // for "-": what was written is visible now
  void commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};
void write_file(const fs::path& path, std::string_view bytes);

// A folder that appears whole or not at all: fill temporary(), then commit() fsyncs every file in it and renames.
class AtomicDirectory {
 public:
  explicit AtomicDirectory(const fs::path& path);
  ~AtomicDirectory();
  AtomicDirectory(const AtomicDirectory&) = delete;
  AtomicDirectory& operator=(const AtomicDirectory&) = delete;
  const fs::path& temporary() const;
  void commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Makes `link` point to `target` (relative) by rename, so that it always points somewhere.
void replace_link(const fs::path& link, const fs::path& target);

// Bytes that hold for ever: sizes and hashes of the files below a folder, written as MANIFEST.json and checked before any is used.
void write_manifest(const fs::path& folder, const std::string& extra_json = "{}");
// Throws Error(kModel) naming the file: missing, other size, other hash, not in the manifest. Returns the "extra" object as JSON text.
std::string check_manifest(const fs::path& folder);

}  // namespace heed
