// The text of the source or target side of a corpus: one or more files, read by line and by
// position.
//
// A position is a byte offset into all files of the side laid end to end, so that it fits in 40
// bits up to 1 TB. What cannot be read from the middle (a compressed file, TMX, a pipe) is first unpacked into a
// temporary file without a name, in $TMPDIR or /tmp; it is gone when the process is, however that
// ends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "data/data_cache.h"
#include "data/text_reader.h"

namespace heed {

class SideText {
 public:
  // Opens every file and counts its lines, which the cache may know. Throws Error(kIo) and what
  // TextReader throws.
  SideText(const TextFiles& files, DataCache& cache);
  explicit SideText(const std::vector<std::filesystem::path>& files);
  SideText(SideText&&) noexcept;
  ~SideText();

  const TextView& view() const { return view_; }
  size_t files() const;
  const std::filesystem::path& path(size_t file) const;
  int64_t lines(size_t file) const;
  int64_t lines() const;

  // "train.en:17": file and number of the line with this number, from 0, over all files.
  std::string place(int64_t line) const;

  // The text of the line that begins at this offset, without the line's end (LF, CR LF). From any
  // thread.
  std::string line(uint64_t offset) const;

  // Reads all lines in their order.
  class Reader {
   public:
    explicit Reader(const SideText& text) : text_(text) {}
    // False at the end. The file's path and line number are those of the line read last.
    bool next(std::string& line, uint64_t& offset);
    std::string place() const { return reader_->place(); }  // "train.en:17"
    const LineNotes& notes() const { return reader_->notes(); }
    size_t file() const { return file_; }  // of the line read last

   private:
    const SideText& text_;
    size_t file_ = 0;
    std::unique_ptr<TextReader> reader_;
  };

 private:
  struct File;
  TextView view_;
  std::vector<File> files_;
};

}  // namespace heed
