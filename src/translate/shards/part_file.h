// A file that is written to from where an earlier process has stopped.
#pragma once

#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/file.h"
#include "base/hash.h"

namespace heed {

// The content of a file, without its bytes.
struct PartContent {
  int64_t bytes = 0;
  int64_t lines = 0;   // ended by LF
  std::string hash{};  // hash_file()
  bool operator==(const PartContent&) const = default;
};

// The content of bytes that come one after the other.
class PartCount {
 public:
  void add(std::string_view bytes);
  PartContent content() const { return {bytes_, lines_, hash_.digest()}; }

 private:
  int64_t bytes_ = 0, lines_ = 0;
  ContentHash hash_;
};

// True if there is a regular file with this content. Reads it if it has this size.
bool has_content(const fs::path& path, const PartContent& content);

class PartFile {
 public:
  // Makes it if there is none. Messages name final_path, which it gets in the end.
  PartFile(const fs::path& path, const fs::path& final_path);
  // Cuts off what is behind this content. Throws Error(kIo) if it has fewer bytes or others.
  void continue_behind(const PartContent& content);
  void write(std::string_view bytes);
  // All of it is on the disk. Returns what there is.
  PartContent sync();
  const Descriptor& file() const { return file_; }

 private:
  fs::path path_;
  Descriptor file_;
  std::string buffer_;
  PartCount count_;
};

}  // namespace heed
