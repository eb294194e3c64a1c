#include "cli/part_file.h"

#include <fcntl.h>

namespace heed {

PartFile::PartFile(const fs::path& path, const fs::path& final_path)
    : path_(path), file_(Descriptor::open_to_write(path, O_CREAT | O_APPEND, final_path)) {}

void PartFile::continue_behind(int64_t bytes) {
  const uint64_t found = file_.size();
  if (found < static_cast<uint64_t>(bytes))
    throw_error(ErrorKind::kIo, "{}: has {} bytes, expected {}, which the record beside it says",
                path_.string(), found, bytes);
  file_.truncate(static_cast<uint64_t>(bytes));
  bytes_ = bytes;
}

void PartFile::write(std::string_view bytes) {
  buffer_ += bytes;
  bytes_ += static_cast<int64_t>(bytes.size());
}

int64_t PartFile::sync() {
  file_.write(buffer_);
  buffer_.clear();
  file_.sync();
  return bytes_;
}

}  // namespace heed
