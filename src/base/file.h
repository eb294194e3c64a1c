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

// Reads lines of a plain or gzip file (told apart by content, not by name) or of standard input
// ("-"), which gives a line as soon as it has come. LF ends a line, a CR before it is taken off; a
// last line without LF counts. A line may be of any length and hold any byte. Compressed data that
// are damaged or end early are an Error(kIo), text in UTF-16 is an Error(kData).
class LineReader {
 public:
  explicit LineReader(const fs::path& path);
  ~LineReader();
  bool next(std::string& line);  // false at the end
  int64_t line_number() const;   // of the last one read, from 1
  // An uncompressed byte offset of the next line; for plain files only, seek() goes back to one.
  int64_t offset() const;
  void seek(int64_t offset);
  bool is_compressed() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Throws Error(kData) if text of this file that begins so is UTF-16, which LineReader refuses.
void refuse_utf16(const fs::path& path, std::string_view beginning);

// Writes to a sibling `.NAME.XXXXXX.tmp`; commit() flushes, fsyncs, renames and fsyncs the folder.
// Without commit the temporary file is removed. "-" (standard output), pipes and devices are
// written through; behind a link, the file that it names is replaced.
class AtomicFile {
 public:
  explicit AtomicFile(const fs::path& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  void write(std::string_view bytes);
  void flush();  // for "-": what was written is visible now
  void commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};
void write_file(const fs::path& path, std::string_view bytes);

// A folder that appears whole or not at all: fill temporary(), then commit() fsyncs every file in
// it and renames. A folder of that name that already holds something is left as it is, and commit()
// throws.
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

// Removes what killed writers left in a folder: `.NAME.XXXXXX.tmp`, files and folders.
void remove_temporaries(const fs::path& folder);

// Makes `link` point to `target` (relative) by rename, so that it always points somewhere.
void replace_link(const fs::path& link, const fs::path& target);

// Bytes that hold for ever: sizes and hashes of the files below a folder (in folders of it as
// well), written as MANIFEST.json and checked before any is used.
void write_manifest(const fs::path& folder, const std::string& extra_json = "{}");
// Throws Error(kModel) naming the file: missing, other size, other hash, not in the manifest.
// Returns the "extra" object as JSON text. The manifest holds its own hash too, so a flipped bit in
// it is found before it is interpreted.
std::string check_manifest(const fs::path& folder);

}  // namespace heed
