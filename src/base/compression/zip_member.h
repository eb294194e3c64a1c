// The bytes of a text in a zip archive.
#pragma once

#include <cstddef>
#include <memory>

#include "base/compression/stored_text.h"
#include "base/descriptor.h"

namespace heed {

class ZipMember {
 public:
  // file: that of the text, a regular one; it is kept open by the caller. Without a member's name the
  // archive has one text, apart from hidden files and what macOS adds. Throws Error(kData) that lists
  // the texts of the archive, and for one that is encrypted, of another format or has a path that leads
  // out of the archive; Error(kIo) if the archive is damaged.
  ZipMember(const Descriptor& file, const StoredText& text);
  ~ZipMember();

  // At most `size` bytes; 0 only at the end. Throws Error(kIo) if they are damaged.
  size_t read(char* bytes, size_t size);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heed
