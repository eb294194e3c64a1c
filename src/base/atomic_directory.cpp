#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "base/descriptor.h"
#include "base/file.h"

namespace heed {

namespace {

fs::path without_last_slash(const fs::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

void sync_tree(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() || entry.is_directory())
      Descriptor::open_to_read(entry.path()).sync();
  }
  sync_folder(folder);
}

// As temporary_sibling() makes them.
bool is_temporary(const fs::path& path) {
  const std::string name = path.filename().string();
  constexpr size_t kTail = sizeof(".XXXXXX.tmp") - 1;
  return name.size() > kTail + 1 && name.front() == '.' && name.ends_with(".tmp") &&
         name[name.size() - kTail] == '.';
}

}  // namespace

struct AtomicDirectory::Impl {
  explicit Impl(const fs::path& path)
      : final_path(without_last_slash(path)), temporary(temporary_sibling(final_path)) {}
  ~Impl() {
    std::error_code ignored;
    if (!committed) fs::remove_all(temporary, ignored);
  }
  fs::path final_path, temporary;
  bool committed = false;
};

AtomicDirectory::AtomicDirectory(const fs::path& path) : impl_(std::make_unique<Impl>(path)) {
  std::error_code error;
  if (!fs::create_directory(impl_->temporary, error)) {
    errno = error.value();
    throw_io_error(impl_->final_path, "create this folder");
  }
}

AtomicDirectory::~AtomicDirectory() = default;

const fs::path& AtomicDirectory::temporary() const { return impl_->temporary; }

void AtomicDirectory::commit() {
  HEED_CHECK(!impl_->committed, "{}", impl_->final_path.string());
  sync_tree(impl_->temporary);
  if (::rename(impl_->temporary.c_str(), impl_->final_path.c_str()) < 0) {
    throw_io_error(impl_->final_path, "create this folder");
  }
  impl_->committed = true;
  sync_folder(folder_of(impl_->final_path));
}

void replace_link(const fs::path& link, const fs::path& target) {
  const fs::path temporary = temporary_sibling(link);
  if (::symlink(target.c_str(), temporary.c_str()) < 0) throw_io_error(link, "create this link");
  if (::rename(temporary.c_str(), link.c_str()) < 0) {
    const int error = errno;
    ::unlink(temporary.c_str());
    errno = error;
    throw_io_error(link, "create this link");
  }
  sync_folder(folder_of(link));
}

void remove_temporaries(const fs::path& folder) {
  std::error_code ignored;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (is_temporary(entry.path())) found.push_back(entry.path());
  }
  for (const fs::path& path : found) fs::remove_all(path, ignored);
}

}  // namespace heed
