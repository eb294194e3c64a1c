#include "data/side_text.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/descriptor.h"
#include "base/system/system.h"
#include "data/tmx_source.h"

namespace heed {

namespace {

namespace fs = std::filesystem;

constexpr size_t kBlockBytes = size_t{1} << 18;

// Creates a file without a name, which disappears when the process ends.
Descriptor temporary_file() {
  const char* set = std::getenv("TMPDIR");
  const fs::path folder = set && *set ? set : "/tmp";
  if (auto unnamed = Descriptor::open_unnamed(folder, folder)) return std::move(*unnamed);
  const fs::path name = temporary_sibling(folder / "heed");
  Descriptor file = Descriptor::open_to_write(name, O_RDWR | O_CREAT | O_EXCL, folder);
  ::unlink(name.c_str());
  return file;
}

// Unpacks the lines of a file that does not support random access.
Descriptor unpack(const fs::path& path, LineReader& reader) {
  Descriptor file = temporary_file();
  std::string block;
  const auto write = [&] {
    try {
      file.write(block);
    } catch (const IoError& error) {
      throw_io_error(path, "unpack it into a temporary file (set TMPDIR)", error.number());
    }
    block.clear();
  };
  for (std::string line; reader.next(line);) {
    block.append(line).push_back('\n');
    if (block.size() >= kBlockBytes) write();
  }
  write();
  return file;
}

Descriptor open_text(const TextFile& text, bool& unpacked) {
  const fs::path& path = text.path;
  LineReader reader = open_lines(text);
  unpacked = !is_plain_file(path) || !reader.is_plain();
  return unpacked ? unpack(path, reader) : Descriptor::open_regular(path);
}

std::string line_at(const Descriptor& file, uint64_t position) {
  constexpr size_t kFirstRead = 512;
  std::string line;
  for (size_t step = kFirstRead;; step = std::min(step * 2, kBlockBytes)) {
    const size_t known = line.size();
    line.resize(known + step);
    const size_t count = file.read_at(position, line.data() + known, step);
    line.resize(known + count);
    if (position == 0 && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
    position += count;
    const size_t end = line.find('\n', known);
    if (end != std::string::npos) {
      line.resize(end);
      if (line.ends_with('\r')) line.pop_back();
      return line;
    }
    if (count == 0) return line;
  }
}

}  // namespace

struct SideText::File {
  File(const fs::path& name, const TextView& form, DataCache& cache)
      : path(name), handle(open_text({name, form}, unpacked)) {
    std::string block(kBlockBytes, '\0');
    block.resize(handle.read_at(0, block.data(), block.size()));
    refuse_other_formats(path, block);
    const FileFacts facts = unpacked ? read_facts(handle) : cache.facts(path);
    size = facts.size;
    TextReader beginning({path, form}, readable());
    view = beginning.view();
    header = beginning.line_number();
    lines = facts.lines - header;
    std::string first;
    beginning.next(first);  // throws for markup
  }
  // Path under which the sequential reader finds the text.
  fs::path readable() const { return unpacked ? fs::path(descriptor_path(handle.number())) : path; }
  fs::path path;
  bool unpacked = false;
  Descriptor handle;
  LineView view;
  uint64_t size = 0, start = 0;   // start: offset of the file within the side
  int64_t header = 0, lines = 0;  // lines of a header, and of text behind it
};

SideText::SideText(const std::vector<fs::path>& files)
    : SideText({files}, *std::make_unique<DataCache>()) {}

SideText::SideText(const TextFiles& files, DataCache& cache) : view_(files.view) {
  constexpr uint64_t kLargest = uint64_t{1} << 40;
  uint64_t start = 0;
  files_.reserve(files.paths.size());
  for (const fs::path& path : files.paths) {
    File& file = files_.emplace_back(path, view_, cache);
    file.start = start;
    start += file.size;
  }
  if (start > kLargest) {
    throw_error(ErrorKind::kData,
                "{}: {} bytes are too large for one file of a corpus, at most {} are possible",
                files.paths.back().string(), start, kLargest);
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
  return view_.place(path(file), line + 1 + files_[file].header);
}

std::string SideText::line(uint64_t offset) const {
  const auto after = std::ranges::upper_bound(files_, offset, {}, &File::start);
  HEED_CHECK(after != files_.begin(), "offset {}", offset);
  const File& file = *std::prev(after);
  std::string line = line_at(file.handle, offset - file.start);
  file.view.show(line);
  return line;
}

bool SideText::Reader::next(std::string& line, uint64_t& offset) {
  for (; file_ < text_.files_.size(); ++file_, reader_.reset()) {
    const File& file = text_.files_[file_];
    if (!reader_)
      reader_ = std::make_unique<TextReader>(TextFile{file.path, text_.view_}, file.readable());
    offset = file.start + static_cast<uint64_t>(reader_->offset());
    if (reader_->next(line)) return true;
  }
  return false;
}

}  // namespace heed
