#include "base/byte_source.h"

#include <algorithm>
#include <cstring>

#include "base/compression/zip_member.h"
#include "base/file.h"
#include "base/shell.h"

namespace heed {

namespace {

constexpr size_t kReadSize = 1 << 16;

}  // namespace

ByteSource::ByteSource(const std::filesystem::path& path)
    : path_(path),
      text_(path == "-" ? StoredText{path} : find_stored(path)),
      file_(Descriptor::open_to_read(text_.file)),
      buffer_(kReadSize) {
  fill();
  while (may_begin_format({buffer_.data(), end_}) && fill()) {
  }
  open_format();
}

ByteSource::~ByteSource() = default;

void ByteSource::open_format() try {
  const CompressionFormat* format = format_of_bytes({buffer_.data(), end_});
  if (format != nullptr && format->compression == Compression::kZip) return open_member();
  if (!text_.member.empty())
    throw_error(ErrorKind::kIo,
                "{}: there is no such file; {} is neither a folder nor a zip archive",
                path_.string(), text_.file.string());
  if (format != nullptr) decoder_ = make_decoder(format->compression);
} catch (const CompressionFault& fault) {
  refuse(fault);
}

void ByteSource::open_member() {
  refuse_office_file(path_, {buffer_.data(), end_});
  if (!is_plain_file(text_.file))
    throw_error(
        ErrorKind::kData,
        "{}: a zip archive, which is read from its end, expected a file, not a pipe; unpack "
        "it: unzip -p FILE",
        input_name(path_));
  member_ = std::make_unique<ZipMember>(file_, text_);
}

bool ByteSource::fill() {
  if (begin_ == end_) begin_ = end_ = 0;
  const size_t count = file_.read(buffer_.data() + end_, buffer_.size() - end_);
  end_ += count;
  return count > 0;
}

size_t ByteSource::read(char* bytes, size_t size) {
  if (decoder_) return decode(bytes, size);
  if (member_) return member_->read(bytes, size);
  if (begin_ == end_) return file_.read(bytes, size);
  const size_t count = std::min(size, end_ - begin_);
  std::memcpy(bytes, buffer_.data() + begin_, count);
  begin_ += count;
  return count;
}

size_t ByteSource::decode(char* bytes, size_t size) try {
  std::span<char> rest(bytes, size);
  while (true) {
    const bool at_end = begin_ == end_ && !may_hold_text_ && !fill();
    std::string_view from(buffer_.data() + begin_, end_ - begin_);
    decoder_->decode(from, rest, at_end);
    begin_ = end_ - from.size();
    may_hold_text_ = rest.empty();
    if (rest.size() < size) return size - rest.size();
    if (!at_end) continue;
    if (!decoder_->is_complete())
      throw CompressionFault("the compressed data end too early; the file is truncated", true);
    return 0;
  }
} catch (const CompressionFault& fault) {
  refuse(fault);
}

void ByteSource::seek(int64_t offset) {
  HEED_CHECK(is_plain(), "{}", path_.string());
  file_.seek(offset);
  begin_ = end_ = 0;
}

void ByteSource::refuse(const CompressionFault& fault) const {
  if (fault.is_damage)
    throw_error(ErrorKind::kIo, "{}: {}; create or download it again", input_name(path_),
                fault.what());
  throw_error(ErrorKind::kData, "{}: {}; decompress it by its own program, or compress it anew",
              input_name(path_), fault.what());
}

}  // namespace heed
