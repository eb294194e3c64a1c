#if !defined(__EMSCRIPTEN__)

#include "base/compression/zip_member.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <string_view>
#include <vector>

#include "base/compression/zip_entry.h"
#include "base/error.h"
#include "base/log.h"
#include "base/shell.h"
#include "base/suggest.h"

namespace heed {

// The archive as minizip reads it. An error of the system is kept, because it must not pass through C.
struct ZipArchiveFile {
  const Descriptor& file;
  uint64_t size = 0, position = 0;
  std::exception_ptr error{};
};

namespace {

ZipArchiveFile& archive_of(voidpf opaque) { return *static_cast<ZipArchiveFile*>(opaque); }

uLong read_archive(voidpf opaque, voidpf, void* bytes, uLong size) try {
  ZipArchiveFile& archive = archive_of(opaque);
  uLong total = 0;
  while (total < size) {
    const size_t count =
        archive.file.read_at(archive.position, static_cast<char*>(bytes) + total, size - total);
    if (count == 0) break;
    archive.position += count;
    total += count;
  }
  return total;
} catch (...) {
  archive_of(opaque).error = std::current_exception();
  return 0;
}

ZPOS64_T position_of(voidpf opaque, voidpf) { return archive_of(opaque).position; }

long seek_archive(voidpf opaque, voidpf, ZPOS64_T offset, int origin) {
  ZipArchiveFile& archive = archive_of(opaque);
  const uint64_t base = origin == ZLIB_FILEFUNC_SEEK_CUR   ? archive.position
                        : origin == ZLIB_FILEFUNC_SEEK_END ? archive.size
                                                           : 0;
  archive.position = base + offset;
  return 0;
}

zlib_filefunc64_def functions_for(ZipArchiveFile& archive) {
  return {.zopen64_file = [](voidpf opaque, const void*, int) { return opaque; },
          .zread_file = read_archive,
          .zwrite_file = nullptr,
          .ztell64_file = position_of,
          .zseek64_file = seek_archive,
          .zclose_file = [](voidpf, voidpf) { return 0; },
          .zerror_file = [](voidpf opaque, voidpf) { return archive_of(opaque).error ? 1 : 0; },
          .opaque = &archive};
}

// False for folders, hidden files and what macOS adds.
bool is_text(const std::filesystem::path& name) {
  return name.has_filename() && *name.begin() != "__MACOSX" &&
         !name.filename().string().starts_with('.');
}

std::string method_name(uLong method) {
  switch (method) {
    case 9:
      return "deflate64";
    case 12:
      return "bzip2";
    case 14:
      return "lzma";
    case 93:
      return "zstd";
    case 95:
      return "xz";
    default:
      return fmt::format("method {}", method);
  }
}

constexpr uLong kStored = 0, kDeflated = 8;

}  // namespace

struct ZipMember::Impl {
  Impl(const Descriptor& file, const StoredText& text)
      : archive_path(text.file), archive{file, file.size()} {
    if (bytes_at(0) == kZipDirectoryEnd)  // minizip takes it for a damaged one
      throw_error(ErrorKind::kData, "{}: the archive is empty", archive_path.string());
    zlib_filefunc64_def functions = functions_for(archive);
    zip = unzOpen2_64(text.file.c_str(), &functions);
    if (zip == nullptr) fail_archive();
  }
  ~Impl() {
    if (zip == nullptr) return;
    unzCloseCurrentFile(zip);
    unzClose(zip);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  [[noreturn]] void fail_archive() const {
    fail("the archive is damaged or truncated", archive_path);
  }
  [[noreturn]] void fail(std::string_view what, const std::filesystem::path& place) const {
    if (archive.error) std::rethrow_exception(archive.error);
    throw_error(ErrorKind::kIo, "{}: {}; create or download it again", place.string(), what);
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw_error(
        ErrorKind::kData, "{}: {}, expected text, plain or compressed by deflate; unpack it: {}",
        (archive_path / entry.name).string(), what,
        fmt::format("unzip {} {}", shell_word(archive_path.string()), shell_word(entry.name)));
  }

  std::string bytes_at(uint64_t position) const {
    std::string bytes(kZipDirectoryEnd.size(), '\0');
    bytes.resize(archive.file.read_at(position, bytes.data(), bytes.size()));
    return bytes;
  }

  // The archive ends with its directory and a comment.
  void check_end() const {
    if (!has_zip_end(zip, archive.file))
      fail("the archive is truncated, or other data follow it", archive_path);
  }

  ZipEntry read_entry() const {
    std::optional<ZipEntry> found = read_zip_entry(zip);
    if (!found) fail_archive();
    return *std::move(found);
  }

  // Goes to the member of this name, or to the only text.
  void find(const std::string& name) {
    constexpr size_t kMostListed = 12;
    std::vector<std::string> texts;
    int64_t count = 0, chosen = 0;
    unz64_file_pos place{};
    int result = unzGoToFirstFile(zip);
    for (; result == UNZ_OK; result = unzGoToNextFile(zip)) {
      ZipEntry found = read_entry();
      const bool is_one = is_text(found.name);
      count += is_one;
      if (is_one && texts.size() < kMostListed) texts.push_back(found.name);
      if (name.empty() ? !is_one : found.name != name) continue;
      if (++chosen > 1) continue;
      unzGetFilePos64(zip, &place);
      entry = std::move(found);
    }
    if (result != UNZ_END_OF_LIST_OF_FILE) fail_archive();
    if (chosen != 1) refuse_choice(name, chosen, texts, count);
    if (unzGoToFilePos64(zip, &place) != UNZ_OK) fail_archive();
  }

  [[noreturn]] void refuse_choice(const std::string& name, int64_t chosen,
                                  const std::vector<std::string>& texts, int64_t count) const {
    const std::string path = archive_path.string();
    if (count == 0) throw_error(ErrorKind::kData, "{}: the archive has no text", path);
    if (!name.empty() && chosen > 1)
      throw_error(ErrorKind::kData, "{}: the archive has {} members of this name; unpack it",
                  (archive_path / name).string(), chosen);
    const std::string list =
        fmt::format("{}{}", fmt::join(texts, ", "), count > std::ssize(texts) ? ", …" : "");
    if (!name.empty())
      throw_error(ErrorKind::kData, "{}: the archive has no such member, found: {}{}",
                  (archive_path / name).string(), list, did_you_mean(name, texts));
    throw_error(ErrorKind::kData,
                "{}: the archive has {} members, expected one text: {}; name one as {}", path,
                format_count(count), list, (archive_path / texts.front()).string());
  }

  void open() {
    if (entry.leads_outside()) refuse("a path that leads out of the archive");
    if (entry.is_encrypted()) refuse("encrypted");
    if (entry.facts.compression_method != kStored && entry.facts.compression_method != kDeflated)
      refuse("compressed by " + method_name(entry.facts.compression_method));
    if (unzOpenCurrentFile(zip) != UNZ_OK) fail_member("the archive is damaged");
  }

  [[noreturn]] void fail_member(std::string_view what) const {
    fail(what, archive_path / entry.name);
  }

  const std::filesystem::path archive_path;
  ZipArchiveFile archive;
  unzFile zip = nullptr;
  ZipEntry entry;
  uint64_t read = 0;  // bytes
  bool ended = false;
};

ZipMember::ZipMember(const Descriptor& file, const StoredText& text)
    : impl_(std::make_unique<Impl>(file, text)) {
  impl_->check_end();
  impl_->find(text.member);
  impl_->open();
}

ZipMember::~ZipMember() = default;

size_t ZipMember::read(char* bytes, size_t size) {
  if (impl_->ended) return 0;
  const auto most = static_cast<unsigned>(std::min<size_t>(size, std::numeric_limits<int>::max()));
  const int count = unzReadCurrentFile(impl_->zip, bytes, most);
  if (count < 0) impl_->fail_member("the compressed data are damaged");
  impl_->read += static_cast<uint64_t>(count);
  if (count > 0) return static_cast<size_t>(count);
  impl_->ended = true;
  if (impl_->read != impl_->entry.facts.uncompressed_size)
    impl_->fail_member("the compressed data end too early");
  if (unzCloseCurrentFile(impl_->zip) == UNZ_CRCERROR)
    impl_->fail_member("the compressed data are damaged (incorrect checksum)");
  return 0;
}

}  // namespace heed

#endif
