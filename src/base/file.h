// Reading of whole files and of lines, and writing that leaves no unfinished file under a final
// name. All failures throw Error(kIo) with the path and the system's message.
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

// Maximum length of a line in bytes: a hundred times the longest documents. An endless file, or a
// compressed one that unpacks to gigabytes, exceeds it within a second.
inline constexpr size_t kLongestLine = size_t{16} << 20;

class ByteSource;

// Reads lines of a text, plain or compressed (byte_source.h), or of standard input ("-"), which gives
// a line as soon as it has arrived. LF ends a line, and a CR before it is
// removed; a last line without LF counts. A line may hold any byte. Throws Error(kData) for a line
// longer than kLongestLine and for UTF-16, and Error(kIo) for compressed data that are damaged or
// truncated. Warns of a byte-order mark and of CR inside a line, once for each file.
class LineReader {
 public:
  explicit LineReader(const fs::path& path);
  LineReader(const fs::path& path, std::unique_ptr<ByteSource> source);
  ~LineReader();
  bool next(std::string& line);  // false at the end
  int64_t line_number() const;   // of the last line read, from 1
  // Byte offset of the next line in the text. seek() goes to such an offset, for plain files only;
  // `lines` is the number of lines before it.
  int64_t offset() const;
  void seek(int64_t offset, int64_t lines);
  // True if the text is that of the file: neither compressed nor made from another format.
  bool is_plain() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Skipped at the beginning of a text.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Throws Error(kData) if the beginning of a text shows a format that LineReader refuses: UTF-16,
// another compression or a second one, or data that are not text, such as Parquet.
void refuse_other_formats(const fs::path& path, std::string_view beginning);
// The same for a zip archive that is a file of a word processor, a spreadsheet or slides.
void refuse_office_file(const fs::path& path, std::string_view beginning);

// Throws Error(kIo) if the path cannot be written because it is a folder or its folder does not
// exist, and Error(kUsage) for a name that ends in .zip.
void check_output_path(const fs::path& path);

// Writes to a file without a name in the same folder, which disappears however the process ends. If
// the file system does not support this, it writes to a sibling `.NAME.XXXXXX.tmp`; the next writer
// of NAME removes it if its own writer was killed. commit() flushes, fsyncs, renames and fsyncs the
// folder. The new file gets the mode and, if allowed, the owner of the file that it replaces. "-"
// (standard output), pipes and devices are written directly; for a link, the file that it names is
// replaced. A name that ends in .gz, .xz or .zst makes a compressed file.
class AtomicFile {
 public:
  explicit AtomicFile(const fs::path& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  void write(std::string_view bytes);
  void flush();  // for "-": makes the written text visible
  void commit();

 private:
  friend void commit_all(const std::vector<AtomicFile*>& files);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};
// Commits all files together: if one fails, all are restored.
void commit_all(const std::vector<AtomicFile*>& files);
void write_file(const fs::path& path, std::string_view bytes);
// Writes the result of a command to standard output.
void print_result(std::string_view text);

// Writes a folder that appears whole or not at all: fill temporary(), then commit() fsyncs every
// file in it and renames it. commit() throws if a folder of that name already holds something,
// which is left unchanged. The next writer of a name removes the remains of a killed one.
class AtomicDirectory {
 public:
  explicit AtomicDirectory(const fs::path& path);
  ~AtomicDirectory();
  AtomicDirectory(const AtomicDirectory&) = delete;
  AtomicDirectory& operator=(const AtomicDirectory&) = delete;
  const fs::path& temporary() const;
  void commit();
  // Commits and replaces a folder of that name, atomically if the file system can exchange two
  // folders.
  void replace();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Contents that never change: sizes and hashes of the files below a folder (including its
// subfolders) are written to MANIFEST.json and checked before any file is used.
inline constexpr const char* kManifest = "MANIFEST.json";
void write_manifest(const fs::path& folder, const std::string& extra_json = "{}");
// Error for a file that the manifest does not list, if all listed files are intact. Hidden files
// and files that file managers create everywhere are ignored.
class ForeignFile : public Error {
 public:
  explicit ForeignFile(const std::string& message) : Error(ErrorKind::kModel, message) {}
};
// Checks the files of a folder, or a packed model, and returns the "extra" object as JSON text. Throws Error(kModel)
// that names a file that is missing or has another size or hash, and ForeignFile. The manifest also
// holds its own hash, so a flipped bit in it is found before it is interpreted.
std::string check_manifest(const fs::path& folder);
// Format number of such a folder: 1, or 2 since formulas of some mechanisms have changed.
int64_t manifest_format(const fs::path& folder);

}  // namespace heed
