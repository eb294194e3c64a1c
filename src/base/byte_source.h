// The bytes of a text, which may be compressed by gzip, xz or zstd or be a member of a zip archive, as
// its first bytes show, or of standard input. They come as they arrive, so that a line typed at a
// terminal is there when it is typed (zlib's own gzread waits until its buffer is full).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/compression/codec.h"
#include "base/compression/stored_text.h"
#include "base/descriptor.h"

namespace heed {

class ZipMember;

class ByteSource {
 public:
  explicit ByteSource(const std::filesystem::path& path);
  virtual ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  // True if the bytes are those of the file, so that seek() is possible unless it is a pipe.
  virtual bool is_plain() const { return !decoder_ && !member_; }
  // At most `size` bytes; 0 only at the end. Error(kIo) if the compressed data are damaged or end
  // early.
  virtual size_t read(char* bytes, size_t size);
  void seek(int64_t offset);  // only if is_plain()

 private:
  bool fill();  // more bytes of the file; false at the end
  void open_format();
  void open_member();
  size_t decode(char* bytes, size_t size);
  [[noreturn]] void refuse(const CompressionFault& fault) const;

  std::filesystem::path path_;
  StoredText text_;
  Descriptor file_;
  std::vector<char> buffer_;  // of what was read and not yet handed on: [begin_, end_)
  size_t begin_ = 0, end_ = 0;
  std::unique_ptr<StreamDecoder> decoder_;
  bool may_hold_text_ = false;  // whether the decoder may have text without further bytes
  std::unique_ptr<ZipMember> member_;
};

}  // namespace heed
