#include "data/side_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace heed {

namespace {

namespace fs = std::filesystem;

constexpr size_t kBlock = size_t{1} << 18;

[[noreturn]] void fail(const fs::path& path, std::string_view action) {
  const std::string why = std::generic_category().message(errno);
  throw_error(ErrorKind::kIo, "{}: cannot {}: {}", path.string(), action, why);
}

// A file descriptor that closes itself.
class Handle {
 public:
  explicit Handle(int number) : number_(number) {}
  Handle(Handle&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

Handle open_to_read(const fs::path& path) {
  Handle handle(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (handle.number() < 0) fail(path, "open");
  return handle;
}

size_t read_at(const Handle& handle, const fs::path& path, uint64_t offset, char* bytes,
               size_t size) {
  while (true) {
    const ssize_t count = ::pread(handle.number(), bytes, size, static_cast<off_t>(offset));
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EINTR) fail(path, "read");
  }
}

void write_all(const Handle& handle, const fs::path& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(handle.number(), bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) fail(path, "unpack it into a temporary file (set TMPDIR)");
    if (count > 0) bytes.remove_prefix(static_cast<size_t>(count));
  }
}

Handle temporary_file() {
  const char* folder = std::getenv("TMPDIR");
  std::string name = (fs::path(folder && *folder ? folder : "/tmp") / "heed.XXXXXX").string();
  Handle handle(::mkostemp(name.data(), O_CLOEXEC));
  if (handle.number() < 0) fail(name, "create a temporary file");
  ::unlink(name.c_str());
  return handle;
}

// The lines of what cannot be read from the middle.
Handle unpack(const fs::path& path, LineReader& reader) {
  Handle handle = temporary_file();
  std::string block;
  for (std::string line; reader.next(line);) {
    block.append(line).push_back('\n');
    if (block.size() < kBlock) continue;
    write_all(handle, path, block);
    block.clear();
  }
  write_all(handle, path, block);
  return handle;
}

Handle open_text(const fs::path& path, bool& unpacked) {
  const bool regular = fs::is_regular_file(path);
  LineReader reader(path);
  unpacked = !regular || reader.is_compressed();
  return unpacked ? unpack(path, reader) : open_to_read(path);
}

}  // namespace

struct SideText::File {
  explicit File(const fs::path& name) : path(name), handle(open_text(name, unpacked)) {
    std::string block(kBlock, '\0');
    char last = '\n';
    while (const size_t count = read_at(handle, path, size, block.data(), block.size())) {
      lines += std::count(block.data(), block.data() + count, '\n');
      last = block[count - 1];
      size += count;
    }
    if (last != '\n') ++lines;
  }
  // The name under which the sequential reader finds the text.
  fs::path readable() const {
    return unpacked ? fs::path("/proc/self/fd/" + std::to_string(handle.number())) : path;
  }
  fs::path path;
  bool unpacked = false;
  Handle handle;
  uint64_t size = 0, start = 0;  // start: offset of the file within the side
  int64_t lines = 0;
};

SideText::SideText(const std::vector<fs::path>& files) {
  constexpr uint64_t kLargest = uint64_t{1} << 40;
  uint64_t start = 0;
  files_.reserve(files.size());
  for (const fs::path& path : files) {
    File& file = files_.emplace_back(path);
    file.start = start;
    start += file.size;
  }
  if (start > kLargest) {
    throw_error(ErrorKind::kData,
                "{}: {} bytes are too large for one file of a corpus, at most {} are possible",
                files.back().string(), start, kLargest);
  }
}

SideText::SideText(SideText&&) noexcept = default;

SideText::~SideText() = default;

size_t SideText::files() const { return files_.size(); }

const fs::path& SideText::path(size_t file) const { return files_.at(file).path; }

int64_t SideText::lines(size_t file) const { return files_.at(file).lines; }

int64_t SideText::lines() const {
  int64_t total = 0;
  for (const File& file : files_) total += file.lines;
  return total;
}

std::string SideText::place(int64_t line) const {
  size_t file = 0;
  while (file + 1 < files_.size() && line >= files_[file].lines) line -= files_[file++].lines;
  return fmt::format("{}:{}", path(file).string(), line + 1);
}

std::string SideText::line(uint64_t offset) const {
  constexpr size_t kFirstRead = 512;
  const auto after = std::ranges::upper_bound(files_, offset, {}, &File::start);
  HEED_CHECK(after != files_.begin(), "offset {}", offset);
  const File& file = *std::prev(after);
  std::string line;
  uint64_t place = offset - file.start;
  for (size_t step = kFirstRead;; step = std::min(step * 2, kBlock)) {
    const size_t known = line.size();
    line.resize(known + step);
    const size_t count = read_at(file.handle, file.path, place, line.data() + known, step);
    line.resize(known + count);
    place += count;
    const size_t end = line.find('\n', known);
    if (end != std::string::npos) {
      line.resize(end);
      if (line.ends_with('\r')) line.pop_back();
      return line;
    }
    if (count == 0) return line;
  }
}

bool SideText::Reader::next(std::string& line, uint64_t& offset) {
  for (; file_ < text_.files_.size(); ++file_, reader_.reset()) {
    const File& file = text_.files_[file_];
    if (!reader_) reader_ = std::make_unique<LineReader>(file.readable());
    offset = file.start + static_cast<uint64_t>(reader_->offset());
    if (reader_->next(line)) return true;
  }
  return false;
}

std::string SideText::Reader::place() const {
  return fmt::format("{}:{}", text_.path(file_).string(), reader_->line_number());
}

}  // namespace heed
