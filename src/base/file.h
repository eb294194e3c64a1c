// Whole files, streams of lines, and writing that leaves nothing half done under a final name.
// Everything that fails throws Error(kIo), with the path and the system's message.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/folder.h"

#include "base/error.h"

namespace heed {

namespace fs = std::filesystem;

// A regular file of at most 256 MiB (base/small_file.h); a pipe, device or folder is an error.
std::string read_file(const fs::path& path);

// The longest line that is read, in bytes: a hundred times the longest documents, and little enough
// that an endless file or a compressed one that unpacks to gigabytes is found out in a second.
inline constexpr size_t kLongestLine = size_t{16} << 20;

// Reads lines of a plain or gzip file (detected by content, not by name) or of standard input
// ("-"), which gives a line as soon as it has come. LF ends a line, a CR before it is taken off; a
// last line without LF counts. A line may hold any byte; one longer than kLongestLine is an
// Error(kData), as is text in UTF-16. Compressed data that are damaged or end early are an
// Error(kIo). Warnings tell of a byte-order mark, and of CR inside a line, once for each file.
class LineReader {
 public:
  explicit LineReader(const fs::path& path);
  ~LineReader();
  bool next(std::string& line);  // false at the end
  int64_t line_number() const;   // of the last one read, from 1
  // An uncompressed byte offset of the next line; for plain files only, seek() goes to one, before
  // which there are so many lines.
  int64_t offset() const;
  void seek(int64_t offset, int64_t lines);
  bool is_compressed() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Left out at the beginning of a text.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Throws Error(kData) if a file of text that begins so is UTF-16, compressed by another program than
// gzip, or no text at all, such as Parquet: what LineReader refuses.
void refuse_other_formats(const fs::path& path, std::string_view beginning);

// Throws Error(kIo) where no file can be written because the path is a folder or lies in none, and
// Error(kUsage) for a name that ends in .gz, as LineReader would take the file for compressed.
void check_output_path(const fs::path& path);

// Writes to a file without a name in the same folder, which is gone however the process ends; where
// the file system has none, to a sibling `.NAME.XXXXXX.tmp`, which the next writer of NAME removes
// if its own was killed. commit() flushes, fsyncs, renames and fsyncs the folder. The new file has
// the mode and, where that is allowed, the owner of the one it replaces. "-" (standard output),
// pipes and devices are written through; behind a link, the file that it names is replaced.
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
  friend void commit_all(const std::vector<AtomicFile*>& files);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};
// The files appear together: if one of them cannot, all are as they were before.
void commit_all(const std::vector<AtomicFile*>& files);
void write_file(const fs::path& path, std::string_view bytes);

// A folder that appears whole or not at all: fill temporary(), then commit() fsyncs every file in
// it and renames. A folder of that name that already holds something is left as it is, and commit()
// throws. The next writer of a name removes what a killed one of that name has left.
class AtomicDirectory {
 public:
  explicit AtomicDirectory(const fs::path& path);
  ~AtomicDirectory();
  AtomicDirectory(const AtomicDirectory&) = delete;
  AtomicDirectory& operator=(const AtomicDirectory&) = delete;
  const fs::path& temporary() const;
  void commit();
  // commit() that takes the place of a folder of that name, atomically where the file system can
  // exchange two folders.
  void replace();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Bytes that hold for ever: sizes and hashes of the files below a folder (in folders of it as
// well), written as MANIFEST.json and checked before any is used.
inline constexpr const char* kManifest = "MANIFEST.json";
void write_manifest(const fs::path& folder, const std::string& extra_json = "{}");
// A file that is not in the manifest, where all that are in it are whole. Hidden files and those
// that file managers leave everywhere do not count.
class ForeignFile : public Error {
 public:
  explicit ForeignFile(const std::string& message) : Error(ErrorKind::kModel, message) {}
};
// Throws Error(kModel) naming the file: missing, other size, other hash; ForeignFile.
// Returns the "extra" object as JSON text. The manifest holds its own hash too, so a flipped bit in
// it is found before it is interpreted.
std::string check_manifest(const fs::path& folder);

}  // namespace heed
