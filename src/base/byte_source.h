// The bytes of a plain or gzip file, distinguished by its first two bytes, or of standard input; as
// they come, so that a line typed at a terminal is there when it is typed (zlib's own gzread waits
// until its buffer is full).
#pragma once

#include <zlib.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/descriptor.h"

namespace heed {

class ByteSource {
 public:
  explicit ByteSource(const std::filesystem::path& path);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  bool is_compressed() const { return compressed_; }
  // At most `size` uncompressed bytes; 0 only at the end. Error(kIo) if the compressed data are
  // damaged or end early.
  size_t read(char* bytes, size_t size);
  void seek(int64_t offset);  // plain files only

 private:
  bool fill();  // more compressed or peeked bytes; false at the end
  size_t inflate_some(char* bytes, size_t size);
  [[noreturn]] void fail(std::string_view what) const;

  std::filesystem::path path_;
  Descriptor file_;
  std::vector<char> buffer_;  // of what was read and not yet handed on: [begin_, end_)
  size_t begin_ = 0, end_ = 0;
  bool compressed_ = false;
  bool inside_member_ = false;  // a gzip file is one or more members one after the other
  z_stream stream_{};
};

}  // namespace heed
