#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/descriptor.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/system/system.h"

namespace heed {

namespace {

void sync_tree(const fs::path& folder) {
  for (const fs::path& entry : list_folder(folder)) {
    std::error_code ignored;
    const auto status = fs::symlink_status(entry, ignored);
    if (fs::is_directory(status)) sync_tree(entry);
    if (fs::is_regular_file(status)) Descriptor::open_regular(entry).sync();
  }
  sync_folder(folder);
}

// A temporary folder of this name, locked.
Descriptor make_locked(const fs::path& final_path, fs::path& name) try {
  remove_abandoned(final_path);
  while (true) {
    name = temporary_sibling(final_path);
    make_folder(name);
    Descriptor folder = Descriptor::open_to_read(name);
    // Before it was locked, another process may have taken it for an abandoned one.
    if (folder.try_lock() ? folder.is_at(name) : errno != EWOULDBLOCK) return folder;
  }
} catch (const IoError& error) {
  std::error_code ignored;
  if (!name.empty()) fs::remove(name, ignored);
  throw_io_error(final_path, "create this folder", error.number());
}

}  // namespace

struct AtomicDirectory::Impl {
  explicit Impl(const fs::path& path)
      : final_path(without_last_slash(path)), lock(make_locked(final_path, temporary)) {}
  ~Impl() {
    std::error_code ignored;
    if (!committed) fs::remove_all(temporary, ignored);
  }
  // Fails if there is a folder of that name that holds something.
  void give_name() {
    const auto rename = [&] { return ::rename(temporary.c_str(), final_path.c_str()); };
    if (retried(rename) < 0) throw_io_error(final_path, "create this folder");
    committed = true;
    sync_folder(folder_of(final_path));
  }

  fs::path final_path, temporary;
  Descriptor lock;  // of the folder, for as long as this process fills it
  bool committed = false;
};

AtomicDirectory::AtomicDirectory(const fs::path& path) : impl_(std::make_unique<Impl>(path)) {}

AtomicDirectory::~AtomicDirectory() = default;

const fs::path& AtomicDirectory::temporary() const { return impl_->temporary; }

void AtomicDirectory::commit() {
  HEED_CHECK(!impl_->committed, "{}", impl_->final_path.string());
  sync_tree(impl_->temporary);
  impl_->give_name();
}

void AtomicDirectory::replace() {
  HEED_CHECK(!impl_->committed, "{}", impl_->final_path.string());
  sync_tree(impl_->temporary);
  if (exchange_names(impl_->temporary, impl_->final_path) == 0)
    return sync_folder(folder_of(impl_->final_path));
  if (errno == ENOENT) return impl_->give_name();  // there is none
  // The file system cannot exchange two folders: the former one is set aside until the new one is
  // there.
  const fs::path former = temporary_sibling(impl_->final_path);
  if (::rename(impl_->final_path.c_str(), former.c_str()) < 0)
    throw_io_error(impl_->final_path, "replace this folder");
  try {
    impl_->give_name();
  } catch (...) {
    ::rename(former.c_str(), impl_->final_path.c_str());
    throw;
  }
  remove_tree(former);
}

}  // namespace heed
