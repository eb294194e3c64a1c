#include "base/byte_source.h"

#include <algorithm>
#include <cstring>

namespace heed {

namespace {

constexpr size_t kReadSize = 1 << 16;
constexpr int kGzipOnly = 15 + 16;  // zlib's code for: window of 32 KiB, gzip header
constexpr unsigned char kMagic[2] = {0x1f, 0x8b};

}  // namespace

ByteSource::ByteSource(const std::filesystem::path& path)
    : path_(path), file_(Descriptor::open_to_read(path)), buffer_(kReadSize) {
  fill();
  const auto begins_like_magic = [this] {
    return std::memcmp(buffer_.data(), kMagic, std::min(end_, sizeof(kMagic))) == 0;
  };
  while (end_ > 0 && end_ < sizeof(kMagic) && begins_like_magic() && fill()) {
  }
  compressed_ = end_ >= sizeof(kMagic) && begins_like_magic();
  if (compressed_) {
    inside_member_ = true;
    HEED_CHECK(inflateInit2(&stream_, kGzipOnly) == Z_OK);
  }
}

ByteSource::~ByteSource() {
  if (compressed_) inflateEnd(&stream_);
}

bool ByteSource::fill() {
  if (begin_ == end_) begin_ = end_ = 0;
  const size_t count = file_.read(buffer_.data() + end_, buffer_.size() - end_);
  end_ += count;
  return count > 0;
}

size_t ByteSource::read(char* bytes, size_t size) {
  if (compressed_) return inflate_some(bytes, size);
  if (begin_ == end_) return file_.read(bytes, size);
  const size_t count = std::min(size, end_ - begin_);
  std::memcpy(bytes, buffer_.data() + begin_, count);
  begin_ += count;
  return count;
}

size_t ByteSource::inflate_some(char* bytes, size_t size) {
  stream_.next_out = reinterpret_cast<Bytef*>(bytes);
  stream_.avail_out = static_cast<uInt>(size);
  while (stream_.avail_out == size) {
    if (begin_ == end_ && !fill()) {
      if (inside_member_) fail("the compressed data end too early; the file is truncated");
      return 0;
    }
    if (!inside_member_) {
      inflateReset(&stream_);
      inside_member_ = true;
    }
    stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data() + begin_);
    stream_.avail_in = static_cast<uInt>(end_ - begin_);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    begin_ = end_ - stream_.avail_in;
    if (result == Z_STREAM_END) {
      inside_member_ = false;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      fail(fmt::format("the compressed data are damaged ({})",
                       stream_.msg ? stream_.msg : "no reason given"));
    }
  }
  return size - stream_.avail_out;
}

void ByteSource::seek(int64_t offset) {
  HEED_CHECK(!compressed_, "{}", path_.string());
  file_.seek(offset);
  begin_ = end_ = 0;
}

void ByteSource::fail(std::string_view what) const {
  throw_error(ErrorKind::kIo, "{}: {}; create or download it again", input_name(path_), what);
}

}  // namespace heed
