#include "translate/shards/part_file.h"

#include <fcntl.h>

#include <algorithm>

namespace heed {

void PartCount::add(std::string_view bytes) {
  bytes_ += std::ssize(bytes);
  lines_ += std::ranges::count(bytes, '\n');
  hash_.add(bytes);
}

bool has_content(const fs::path& path, const PartContent& content) {
  if (!is_plain_file(path)) return false;
  if (Descriptor::open_regular(path).size() != static_cast<uint64_t>(content.bytes)) return false;
  return hash_file(path) == content.hash;
}

PartFile::PartFile(const fs::path& path, const fs::path& final_path)
    : path_(path),
      file_(Descriptor::open_to_write(path, O_RDWR | O_CREAT | O_APPEND, final_path)) {}

void PartFile::continue_behind(const PartContent& content) {
  constexpr size_t kStep = size_t{1} << 20;
  const auto expected = static_cast<size_t>(content.bytes);
  std::string block(std::min(kStep, expected), '\0');
  for (size_t done = 0; done < expected;) {
    const size_t count = file_.read_at(done, block.data(), std::min(block.size(), expected - done));
    if (count == 0)
      throw_error(ErrorKind::kIo, "{}: has {} bytes, expected {}, which the record beside it says",
                  path_.string(), done, expected);
    count_.add(std::string_view(block).substr(0, count));
    done += count;
  }
  if (expected > 0 && count_.content() != content)
    throw_error(
        ErrorKind::kIo,
        "{}: is damaged: the hash of its first {} bytes is not that of the record beside it; "
        "remove both, and the shard is translated from its beginning",
        path_.string(), expected);
  file_.truncate(expected);
}

void PartFile::write(std::string_view bytes) {
  buffer_ += bytes;
  count_.add(bytes);
}

PartContent PartFile::sync() {
  file_.write(buffer_);
  buffer_.clear();
  file_.sync();
  return count_.content();
}

}  // namespace heed
