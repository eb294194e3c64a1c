#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <set>

#include "base/byte_source.h"
#include "base/descriptor.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/system/system.h"
#include "base/utf8.h"

namespace heed {

namespace {

// A command may read a file several times; what it has unpacked (data/side_text.h) it has read by its
// own name.
bool is_first_warning(const std::string& what, const fs::path& path) {
  if (is_descriptor_path(path)) return false;
  static std::mutex mutex;
  static std::set<std::string> given;
  const std::lock_guard lock(mutex);
  return given.insert(what + path.string()).second;
}

void warn_of_mark(const fs::path& path) {
  if (!is_first_warning("mark ", path)) return;
  spdlog::warn(
      "{}: begins with a byte-order mark (U+FEFF), which is left out; sacreBLEU and other programs "
      "take it for a character of the first line",
      input_name(path));
}

void warn_of_returns(const fs::path& path, int64_t number, std::string_view line) {
  if (!is_first_warning("return ", path)) return;
  spdlog::warn(
      "{}:{}: has {} CR (carriage return) inside the line; LF or CRLF ends a line, CR does not: if "
      "these are line ends, convert the file: tr '\\r' '\\n' < {} > NEW",
      input_name(path), number, format_count(std::ranges::count(line, '\r')),
      path == "-" ? "FILE" : path.string());
}

// Before anything is waited for.
const fs::path& announced(const fs::path& path) {
  if (path == "-" && isatty(STDIN_FILENO) == 1)
    spdlog::info("standard input is the terminal: type a sentence per line; Ctrl-D ends");
  return path;
}

}  // namespace

struct LineReader::Impl {
  Impl(const fs::path& path, std::unique_ptr<ByteSource> source)
      : path(path), source(std::move(source)), buffer(1 << 16) {}
  [[noreturn]] void refuse_line() const {
    throw_error(ErrorKind::kData,
                "{}:{}: this line has more than {} MiB; is this a text? A line is a sentence or a "
                "document: break it up",
                input_name(path), line_number + 1, kLongestLine >> 20);
  }
  bool fill() {
    begin = 0;
    end = source->read(buffer.data(), buffer.size());
    if (offset > 0) return end > 0;
    const std::string_view beginning(buffer.data(), end);
    refuse_other_formats(path, beginning);
    if (beginning.starts_with(kByteOrderMark)) {
      begin = kByteOrderMark.size();
      warn_of_mark(path);
    }
    offset = static_cast<int64_t>(begin);
    return end > 0;
  }
  const fs::path path;
  const std::unique_ptr<ByteSource> source;
  std::vector<char> buffer;
  size_t begin = 0, end = 0;
  int64_t line_number = 0;
  int64_t offset = 0;
  bool has_returns = false;  // whether a line had a CR inside
};

LineReader::LineReader(const fs::path& path)
    : LineReader(path, std::make_unique<ByteSource>(announced(path))) {}

LineReader::LineReader(const fs::path& path, std::unique_ptr<ByteSource> source)
    : impl_(std::make_unique<Impl>(path, std::move(source))) {}

LineReader::~LineReader() = default;

bool LineReader::next(std::string& line) {
  line.clear();
  bool ended = false, any = false;
  while (!ended && (impl_->begin < impl_->end || impl_->fill())) {
    any = true;
    const char* start = impl_->buffer.data() + impl_->begin;
    const size_t rest = impl_->end - impl_->begin;
    const auto* feed = static_cast<const char*>(std::memchr(start, '\n', rest));
    const size_t length = feed ? static_cast<size_t>(feed - start) : rest;
    if (line.size() + length > kLongestLine) impl_->refuse_line();
    line.append(start, length);
    ended = feed != nullptr;
    const size_t taken = length + ended;
    impl_->begin += taken;
    impl_->offset += static_cast<int64_t>(taken);
  }
  if (!any) return false;
  if (ended && !line.empty() && line.back() == '\r') line.pop_back();
  ++impl_->line_number;
  if (!impl_->has_returns && line.find('\r') != std::string::npos) {
    impl_->has_returns = true;
    warn_of_returns(impl_->path, impl_->line_number, line);
  }
  return true;
}

int64_t LineReader::line_number() const { return impl_->line_number; }

int64_t LineReader::offset() const { return impl_->offset; }

void LineReader::seek(int64_t offset, int64_t lines) {
  impl_->source->seek(offset);
  impl_->begin = impl_->end = 0;
  impl_->offset = offset;
  impl_->line_number = lines;
}

bool LineReader::is_plain() const { return impl_->source->is_plain(); }

}  // namespace heed
