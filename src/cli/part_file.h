// A file that is written to from where an earlier process has stopped.
#pragma once

#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/file.h"

namespace heed {

class PartFile {
 public:
  // Makes it if there is none. Messages name final_path, which it gets in the end.
  PartFile(const fs::path& path, const fs::path& final_path);
  // Cuts off what is behind the first `bytes`. Throws Error(kIo) if it has fewer.
  void continue_behind(int64_t bytes);
  void write(std::string_view bytes);
  // All of it is on the disk. Returns how many bytes there are.
  int64_t sync();
  const Descriptor& file() const { return file_; }

 private:
  fs::path path_;
  Descriptor file_;
  std::string buffer_;
  int64_t bytes_ = 0;
};

}  // namespace heed
