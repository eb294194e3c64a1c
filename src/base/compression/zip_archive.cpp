#if !defined(__EMSCRIPTEN__)

#include "base/compression/zip_archive.h"

#include <minizip/zip.h>

#include <memory>
#include <utility>
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

// Adds files to a new archive.
class ZipWriter {
 public:
  explicit ZipWriter(const fs::path& archive)
      : archive_(archive), zip_(zipOpen64(archive.c_str(), APPEND_STATUS_CREATE)) {
    if (zip_ == nullptr) fail_writing(archive);
  }
  ~ZipWriter() {
    if (zip_ != nullptr) zipClose(zip_, nullptr);
  }
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  // size: of the file. compression: that of zlib; 0: none.
  void begin(const std::string& name, uint64_t size, int compression) {
    zip_fileinfo facts{};
    facts.tmz_date = {
        .tm_sec = 0, .tm_min = 0, .tm_hour = 0, .tm_mday = 1, .tm_mon = 0, .tm_year = 1980};
    const int is_large = size >= 0xFFFFFFFFu ? 1 : 0;
    if (zipOpenNewFileInZip64(zip_, name.c_str(), &facts, nullptr, 0, nullptr, 0, nullptr,
                              compression == 0 ? 0 : Z_DEFLATED, compression, is_large) != ZIP_OK)
      fail_writing(name);
    name_ = name;
  }
  void write(std::string_view block) {
    if (zipWriteInFileInZip(zip_, block.data(), static_cast<unsigned>(block.size())) != ZIP_OK)
      fail_writing(name_);
  }
  void end() {
    if (zipCloseFileInZip(zip_) != ZIP_OK) fail_writing(name_);
  }
  void close() {
    if (zipClose(std::exchange(zip_, nullptr), nullptr) != ZIP_OK) fail_writing(archive_);
  }

 private:
  const fs::path& archive_;
  zipFile zip_;
  std::string name_;
};

// Goes through the members of an archive.
class ZipReader {
 public:
  explicit ZipReader(const fs::path& archive)
      : archive_(archive), zip_(unzOpen64(archive.c_str()), unzClose) {
    if (!zip_) fail("is not a zip archive, or is damaged or truncated; download it again");
    if (!has_zip_end(zip_.get(), Descriptor::open_regular(archive)))
      fail("is truncated, or other data follow the archive; download it again");
  }

  // Calls take() with each member.
  template <class Take>
  void read(const Take& take) {
    int result = unzGoToFirstFile(zip_.get());
    for (; result == UNZ_OK; result = unzGoToNextFile(zip_.get())) take(read_member());
    if (result != UNZ_END_OF_LIST_OF_FILE) fail("is damaged; download it again");
  }
  // Calls take() with the blocks of the member that it is at.
  template <class Take>
  void read_blocks(const ZipEntry& member, const Take& take) {
    const uint64_t size_of_member = member.facts.uncompressed_size;
    if (unzOpenCurrentFile(zip_.get()) != UNZ_OK)
      fail(fmt::format("{} cannot be unpacked", member.name));
    std::vector<char> block(kBlock);
    uint64_t found = 0;
    for (int size = 1; size != 0; found += static_cast<uint64_t>(size)) {
      size = unzReadCurrentFile(zip_.get(), block.data(), static_cast<unsigned>(block.size()));
      // A member may be larger than it says.
      if (size < 0 || found + static_cast<uint64_t>(size) > size_of_member)
        fail(fmt::format("{} is damaged; download the archive again", member.name));
      take(std::string_view(block.data(), static_cast<size_t>(size)));
    }
    if (unzCloseCurrentFile(zip_.get()) != UNZ_OK || found != size_of_member)
      fail(fmt::format("{} is damaged; download the archive again", member.name));
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

  const fs::path& archive_;
  std::unique_ptr<void, int (*)(void*)> zip_;
  uint64_t unpacked_ = 0;  // bytes
};

}  // namespace

void write_zip(const fs::path& archive, const fs::path& folder, const std::string& name) {
  ZipWriter zip(archive);
  for (const fs::path& file : list_files(folder)) {
    zip.begin((fs::path(name) / fs::relative(file, folder)).string(), fs::file_size(file),
              Z_DEFAULT_COMPRESSION);
    const Descriptor bytes = Descriptor::open_regular(file);
    std::vector<char> block(kBlock);
    uint64_t position = 0;
    while (const size_t size = bytes.read_at(position, block.data(), block.size())) {
      zip.write({block.data(), size});
      position += size;
    }
    zip.end();
  }
  zip.close();
}

void write_stored_zip(const fs::path& archive, const std::vector<ZipContent>& files) {
  ZipWriter zip(archive);
  for (const auto& [name, make] : files) {
    const std::string bytes = make();
    zip.begin(name, bytes.size(), /*compression=*/0);
    for (size_t at = 0; at < bytes.size(); at += kBlock)
      zip.write(std::string_view(bytes).substr(at, kBlock));
    zip.end();
  }
  zip.close();
}

bool is_zip(const fs::path& path) {
  if (!is_plain_file(path)) return false;
  char bytes[8] = {};
  const size_t size = Descriptor::open_regular(path).read_at(0, bytes, sizeof(bytes));
  const CompressionFormat* format = format_of_bytes({bytes, size});
  return format != nullptr && format->compression == Compression::kZip;
}

void unpack_zip(const fs::path& archive, const fs::path& folder) {
  ZipReader zip(archive);
  zip.read([&](const ZipEntry& member) {
    const fs::path to = folder / member.name;
    if (!to.has_filename()) {
      fs::create_directories(to);
      return;
    }
    fs::create_directories(to.parent_path());
    AtomicFile file(to);
    zip.read_blocks(member, [&file](std::string_view block) { file.write(block); });
    file.commit();
  });
}

void read_zip(const fs::path& archive,
              const std::function<void(const std::string&, std::string)>& take) {
  ZipReader zip(archive);
  zip.read([&](const ZipEntry& member) {
    std::string bytes;
    zip.read_blocks(member, [&bytes](std::string_view block) { bytes += block; });
    take(member.name, std::move(bytes));
  });
}

}  // namespace heed

#endif
