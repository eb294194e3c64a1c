#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/compression/codec.h"
#include "base/descriptor.h"
#include "base/file.h"
#include "base/system/system.h"

namespace heed {

namespace {

constexpr size_t kWriteSize = 1 << 18;

// Pipes, terminals and /dev/null are written directly: a rename would destroy them.
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

// Creates a temporary file with a name. It stays locked while this process writes it.
Descriptor open_named(const fs::path& final_path, fs::path& name) {
  while (true) {
    name = temporary_sibling(final_path);
    Descriptor file = Descriptor::open_to_write(name, O_CREAT | O_EXCL, final_path);
    struct stat status {};
    // Another writer may have removed the file as abandoned between these two calls.
    if (!file.try_lock() || ::fstat(file.number(), &status) < 0 || status.st_nlink > 0) return file;
  }
}

}  // namespace

void check_output_path(const fs::path& path) {
  std::error_code ignored;
  if (!path.has_filename() || fs::is_directory(path, ignored)) {
    throw_error(ErrorKind::kIo, "{}: cannot write: this is a folder; name a file in it",
                path.string());
  }
  if (path != "-" && !fs::is_directory(folder_of(path), ignored)) {
    throw_error(ErrorKind::kIo, "{}: cannot write: there is no folder {}; create it first",
                path.string(), folder_of(path).string());
  }
  const CompressionFormat* format = format_of_name(path);
  if (format != nullptr && format->compression == Compression::kZip) {
    throw_error(ErrorKind::kUsage,
                "{0}: zip archives are not written; choose .gz, .xz or .zst, or write to standard "
                "output and add `| zip > {0}`",
                path.string());
  }
}

namespace {

// nullptr: the file is not compressed.
std::unique_ptr<StreamEncoder> encoder_of(const fs::path& path) {
  const CompressionFormat* format = format_of_name(path);
  return format == nullptr ? nullptr : make_encoder(format->compression);
}

}  // namespace

struct AtomicFile::Impl {
  explicit Impl(const fs::path& path)
      : through(is_written_through(path)),
        final_path(through ? path : behind_links(path)),
        encoder(encoder_of(path)),
        file(through ? Descriptor::open_to_write(path, 0) : open_temporary()) {}
  ~Impl() { remove_temporary(); }
  void remove_temporary() {
    if (!temporary.empty()) ::unlink(temporary.c_str());
    temporary.clear();
  }

  Descriptor open_temporary() {
    remove_abandoned(final_path);
    auto unnamed = Descriptor::open_unnamed(folder_of(final_path), final_path);
    return unnamed ? std::move(*unnamed) : open_named(final_path, temporary);
  }

  void flush() {
    file.write(buffer);
    buffer.clear();
  }

  void keep_mode() const {
    struct stat old {};
    if (::stat(final_path.c_str(), &old) < 0 || !S_ISREG(old.st_mode)) return;
    constexpr mode_t kPermissions = 0777;
    // Only root may give a file to another user; for everybody else the owner stays the same.
    [[maybe_unused]] const int forbidden = ::fchown(file.number(), old.st_uid, old.st_gid);
    if (retried([&] { return ::fchmod(file.number(), old.st_mode & kPermissions); }) < 0)
      throw_io_error(final_path, "keep its permissions");
  }

  void add(std::string_view bytes) {
    encoder ? encoder->encode(bytes, buffer) : void(buffer.append(bytes));
    if (buffer.size() >= kWriteSize) flush();
  }

  // Flushes and fsyncs the whole file under its temporary name.
  void prepare() {
    if (encoder) encoder->finish(buffer);
    flush();
    if (through) return;
    keep_mode();
    file.sync();
    if (!temporary.empty()) return;
    file.try_lock();
    fs::path name = temporary_sibling(final_path);
    while (!file.give_name(name)) name = temporary_sibling(final_path);
    temporary = name;
  }

  // Renames the temporary file to its final name, which replaces an existing file.
  void replace() {
    if (through) return;
    if (retried([&] { return ::rename(temporary.c_str(), final_path.c_str()); }) < 0)
      throw_io_error(final_path, "write");
    temporary.clear();
  }

  // Does the same as replace(), but undo() restores the old file, which is kept aside until it is
  // removed.
  void exchange() {
    if (through) return;
    aside = is_plain_file(final_path) &&
            retried([&] { return exchange_names(temporary, final_path); }) == 0;
    if (aside) return;
    created = retried([&] { return rename_to_free_name(temporary, final_path); }) == 0;
    if (!created) return replace();  // a folder, or a file system without both operations
    temporary.clear();
  }
  void undo() {
    if (created) ::unlink(final_path.c_str());
    if (aside && ::rename(temporary.c_str(), final_path.c_str()) == 0) temporary.clear();
  }

  void sync_name() const {
    if (!through) sync_folder(folder_of(final_path));
  }

  const bool through;
  const fs::path final_path;
  const std::unique_ptr<StreamEncoder> encoder;
  fs::path temporary;  // if the file has a temporary name
  Descriptor file;
  std::string buffer;
  bool aside = false, created = false;  // what exchange() did
  bool committed = false;
};

AtomicFile::AtomicFile(const fs::path& path) {
  check_output_path(path);  // before the name of a temporary file is used
  impl_ = std::make_unique<Impl>(path);
}

AtomicFile::~AtomicFile() = default;

void AtomicFile::write(std::string_view bytes) { impl_->add(bytes); }

void AtomicFile::flush() { impl_->flush(); }

void AtomicFile::commit() { commit_all({this}); }

void commit_all(const std::vector<AtomicFile*>& files) {
  for (const AtomicFile* file : files) {
    HEED_CHECK(!file->impl_->committed, "{}", file->impl_->final_path.string());
    file->impl_->prepare();
  }
  const bool alone = files.size() == 1;
  size_t next = 0;
  try {
    for (; next < files.size(); ++next) {
      AtomicFile::Impl& file = *files[next]->impl_;
      alone ? file.replace() : file.exchange();
    }
    for (const AtomicFile* file : files) file->impl_->sync_name();
  } catch (const IoError&) {
    while (next > 0) files[--next]->impl_->undo();
    throw;
  }
  for (const AtomicFile* file : files) {
    file->impl_->committed = true;
    file->impl_->remove_temporary();
  }
}

void write_file(const fs::path& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

void print_result(std::string_view text) { write_file("-", text); }

}  // namespace heed
