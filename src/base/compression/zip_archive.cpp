#if !defined(__EMSCRIPTEN__)

#include "base/compression/zip_archive.h"

#include <minizip/zip.h>

#include <memory>
#include <vector>

#include "base/compression/compressed_name.h"
#include "base/compression/zip_entry.h"
#include "base/descriptor.h"
#include "base/error.h"
#include "base/file.h"

namespace heed {

namespace {

constexpr size_t kBlock = size_t{1} << 18;

[[noreturn]] void fail_writing(const fs::path& archive) {
  throw_error(ErrorKind::kIo, "{}: the archive cannot be written; is the disk full?",
              archive.string());
}

void add_file(zipFile zip, const fs::path& file, const std::string& name) {
  zip_fileinfo facts{};
  facts.tmz_date = {
      .tm_sec = 0, .tm_min = 0, .tm_hour = 0, .tm_mday = 1, .tm_mon = 0, .tm_year = 1980};
  const int is_large = fs::file_size(file) >= 0xFFFFFFFFu ? 1 : 0;
  if (zipOpenNewFileInZip64(zip, name.c_str(), &facts, nullptr, 0, nullptr, 0, nullptr, Z_DEFLATED,
                            Z_DEFAULT_COMPRESSION, is_large) != ZIP_OK)
    fail_writing(name);
  const Descriptor bytes = Descriptor::open_regular(file);
  std::vector<char> block(kBlock);
  uint64_t position = 0;
  while (const size_t size = bytes.read_at(position, block.data(), block.size())) {
    if (zipWriteInFileInZip(zip, block.data(), static_cast<unsigned>(size)) != ZIP_OK)
      fail_writing(name);
    position += size;
  }
  if (zipCloseFileInZip(zip) != ZIP_OK) fail_writing(name);
}

class Unpacker {
 public:
  Unpacker(const fs::path& archive, const fs::path& folder)
      : archive_(archive), folder_(folder), zip_(unzOpen64(archive.c_str()), unzClose) {
    if (!zip_) fail("is not a zip archive, or is damaged or truncated; download it again");
  }

  void unpack() {
    int result = unzGoToFirstFile(zip_.get());
    for (; result == UNZ_OK; result = unzGoToNextFile(zip_.get())) unpack_member(read_member());
    if (result != UNZ_END_OF_LIST_OF_FILE) fail("is damaged; download it again");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw_error(ErrorKind::kModel, "{}: {}", archive_.string(), what);
  }

  ZipEntry read_member() {
    std::optional<ZipEntry> found = read_zip_entry(zip_.get());
    if (!found) fail("is damaged; download it again");
    const std::string& name = found->name;
    if (name.empty() || name.find('\0') != std::string::npos || found->leads_outside())
      fail(fmt::format("has the path {}, which leads out of it", name));
    if (found->is_encrypted()) fail(fmt::format("{} is encrypted", name));
    unpacked_ += found->facts.uncompressed_size;
    if (unpacked_ > kLargestUnpacked)
      fail(fmt::format("has more than {} GB", kLargestUnpacked >> 30));
    return *std::move(found);
  }

  void unpack_member(const ZipEntry& member) {
    const fs::path to = folder_ / member.name;
    if (!to.has_filename()) {
      fs::create_directories(to);
      return;
    }
    const uint64_t size_of_member = member.facts.uncompressed_size;
    fs::create_directories(to.parent_path());
    if (unzOpenCurrentFile(zip_.get()) != UNZ_OK)
      fail(fmt::format("{} cannot be unpacked", member.name));
    AtomicFile file(to);
    std::vector<char> block(kBlock);
    uint64_t written = 0;
    for (int size = 1; size != 0; written += static_cast<uint64_t>(size)) {
      size = unzReadCurrentFile(zip_.get(), block.data(), static_cast<unsigned>(block.size()));
      // A member may be larger than it says.
      if (size < 0 || written + static_cast<uint64_t>(size) > size_of_member)
        fail(fmt::format("{} is damaged; download the archive again", member.name));
      file.write({block.data(), static_cast<size_t>(size)});
    }
    if (unzCloseCurrentFile(zip_.get()) != UNZ_OK || written != size_of_member)
      fail(fmt::format("{} is damaged; download the archive again", member.name));
    file.commit();
  }

  const fs::path& archive_;
  const fs::path& folder_;
  std::unique_ptr<void, int (*)(void*)> zip_;
  uint64_t unpacked_ = 0;  // bytes
};

}  // namespace

void write_zip(const fs::path& archive, const fs::path& folder, const std::string& name) {
  const zipFile zip = zipOpen64(archive.c_str(), APPEND_STATUS_CREATE);
  if (zip == nullptr) fail_writing(archive);
  try {
    for (const fs::path& file : list_files(folder))
      add_file(zip, file, (fs::path(name) / fs::relative(file, folder)).string());
  } catch (...) {
    zipClose(zip, nullptr);
    throw;
  }
  if (zipClose(zip, nullptr) != ZIP_OK) fail_writing(archive);
}

bool is_zip(const fs::path& path) {
  if (!is_plain_file(path)) return false;
  char bytes[8] = {};
  const size_t size = Descriptor::open_regular(path).read_at(0, bytes, sizeof(bytes));
  const CompressionFormat* format = format_of_bytes({bytes, size});
  return format != nullptr && format->compression == Compression::kZip;
}

void unpack_zip(const fs::path& archive, const fs::path& folder) {
  Unpacker(archive, folder).unpack();
}

}  // namespace heed

#endif
