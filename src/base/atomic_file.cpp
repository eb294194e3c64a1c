#include <fcntl.h>

#include <cerrno>

#include "base/descriptor.h"
#include "base/file.h"

namespace heed {

namespace {

constexpr size_t kBufferSize = 1 << 18;

// Pipes, terminals and /dev/null are written through: to rename over one of them would destroy it.
bool is_written_through(const fs::path& path) {
  if (path == "-") return true;
  std::error_code ignored;
  const auto status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

// A link is kept; the file that it names is replaced.
fs::path behind_links(const fs::path& path) {
  std::error_code missing;
  const fs::path real = fs::canonical(path, missing);
  return missing ? path : real;
}

// A place where no file can be, said before the name of a temporary one comes into it.
void check_place(const fs::path& path) {
  std::error_code ignored;
  if (!path.has_filename() || fs::is_directory(path, ignored)) {
    throw_error(ErrorKind::kIo, "{}: cannot write: this is a folder; name a file in it",
                path.string());
  }
  if (path != "-" && !fs::is_directory(folder_of(path), ignored)) {
    throw_error(ErrorKind::kIo, "{}: cannot write: there is no folder {}; create it first",
                path.string(), folder_of(path).string());
  }
}

}  // namespace

struct AtomicFile::Impl {
  explicit Impl(const fs::path& path)
      : through(is_written_through(path)),
        final_path(through ? path : behind_links(path)),
        temporary(through ? fs::path() : temporary_sibling(final_path)),
        file(Descriptor::open_to_write(through ? path : temporary,
                                       through ? 0 : O_CREAT | O_EXCL)) {}
  ~Impl() {
    std::error_code ignored;
    if (!through && !committed) fs::remove(temporary, ignored);
  }
  void flush() {
    file.write(buffer);
    buffer.clear();
  }
  bool through;
  fs::path final_path, temporary;
  Descriptor file;
  std::string buffer;
  bool committed = false;
};

AtomicFile::AtomicFile(const fs::path& path) {
  check_place(path);
  impl_ = std::make_unique<Impl>(path);
}

AtomicFile::~AtomicFile() = default;

void AtomicFile::write(std::string_view bytes) {
  impl_->buffer.append(bytes);
  if (impl_->buffer.size() >= kBufferSize) impl_->flush();
}

void AtomicFile::flush() { impl_->flush(); }

void AtomicFile::commit() {
  HEED_CHECK(!impl_->committed, "{}", impl_->final_path.string());
  impl_->flush();
  if (impl_->through) {
    impl_->committed = true;
    return;
  }
  impl_->file.sync();
  impl_->file.close();
  if (::rename(impl_->temporary.c_str(), impl_->final_path.c_str()) < 0)
    throw_io_error(impl_->final_path, "write");
  impl_->committed = true;
  sync_folder(folder_of(impl_->final_path));
}

void write_file(const fs::path& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

std::string read_file(const fs::path& path) {
  constexpr size_t kChunk = 1 << 18;
  const Descriptor file = Descriptor::open_to_read(path);
  std::string bytes;
  for (size_t size = 0;;) {
    bytes.resize(size + kChunk);
    const size_t count = file.read(bytes.data() + size, kChunk);
    size += count;
    if (count == 0) {
      bytes.resize(size);
      return bytes;
    }
  }
}

}  // namespace heed
