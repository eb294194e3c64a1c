#include "base/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "base/descriptor.h"
#include "base/packed_file.h"

namespace heed {

namespace fs = std::filesystem;

namespace {

bool is_absent(int error) { return error == ENOENT || error == ENOTDIR; }

fs::file_type type_of(const fs::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) < 0) {
    if (is_absent(errno)) return fs::file_type::not_found;
    throw_io_error(path, "look at this");
  }
  return S_ISDIR(status.st_mode)   ? fs::file_type::directory
         : S_ISREG(status.st_mode) ? fs::file_type::regular
                                   : fs::file_type::unknown;
}

bool is_folder(const fs::path& path) { return type_of(path) == fs::file_type::directory; }

// Reading a folder through fs::directory_iterator could be interrupted by a signal.
using OpenFolder = std::unique_ptr<DIR, int (*)(DIR*)>;

OpenFolder open_folder(const fs::path& path) {
  DIR* folder = nullptr;
  do {
    folder = ::opendir(path.c_str());
  } while (folder == nullptr && errno == EINTR);
  return {folder, ::closedir};
}

std::vector<fs::path> entries(const fs::path& path, DIR& folder) {
  std::vector<fs::path> found;
  errno = 0;
  while (const dirent* entry = ::readdir(&folder)) {
    const fs::path name = entry->d_name;
    if (name != "." && name != "..") found.push_back(path / name);
  }
  if (errno != 0) throw_io_error(path, "read this folder");
  std::ranges::sort(found);
  return found;
}

void remove_in_place(const fs::path& path) {
  const bool folder = is_folder(path);
  if (folder) {
    for (const fs::path& entry : list_folder(path)) remove_in_place(entry);
  }
  const int result = folder ? retried([&] { return ::rmdir(path.c_str()); })
                            : retried([&] { return ::unlink(path.c_str()); });
  if (result < 0 && !is_absent(errno)) throw_io_error(path, "remove this");
}

// A file or folder that no writer has locked.
void remove_if_unlocked(const fs::path& path) try {
  const Descriptor entry = Descriptor::open_entry(path);  // holds the lock
  if (entry.try_lock()) remove_in_place(path);
} catch (const IoError&) {
  // Not ours, or gone already.
}

}  // namespace

bool is_there(const fs::path& path) {
  return type_of(path) != fs::file_type::not_found || find_packed(path).has_value();
}

bool is_plain_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

void make_folder(const fs::path& path) {
  constexpr mode_t kUsersMask = 0777;
  if (retried([&] { return ::mkdir(path.c_str(), kUsersMask); }) < 0)
    throw_io_error(path, "make this folder");
}

fs::path without_last_slash(const fs::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

void make_folders(const fs::path& path) try {
  std::error_code ignored;
  if (path.empty() || fs::is_directory(path, ignored)) return;
  make_folders(without_last_slash(path).parent_path());
  make_folder(path);
} catch (const IoError& error) {
  // Another process may have made it in the meantime.
  std::error_code ignored;
  if (error.number() != EEXIST || !fs::is_directory(path, ignored)) throw;
}

std::vector<fs::path> list_folder(const fs::path& path) {
  const OpenFolder folder = open_folder(path);
  if (folder) return entries(path, *folder);
  if (errno == ENOENT) return {};
  throw_io_error(path, "read this folder");
}

std::vector<fs::path> list_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::path& entry : list_folder(folder)) {
    if (is_folder(entry)) {
      std::ranges::copy(list_files(entry), std::back_inserter(files));
    } else {
      files.push_back(entry);
    }
  }
  return files;
}

void remove_tree(const fs::path& path) {
  if (!is_there(path)) return;
  if (!is_folder(path) || is_temporary(path)) return remove_in_place(path);
  const fs::path aside = temporary_sibling(path);
  if (retried([&] { return ::rename(path.c_str(), aside.c_str()); }) < 0)
    throw_io_error(path, "remove this");
  remove_in_place(aside);
}

void remove_temporaries(const fs::path& folder) {
  for (const fs::path& entry : list_folder(folder)) {
    if (is_temporary(entry)) remove_in_place(entry);
  }
}

void remove_abandoned(const fs::path& path) try {
  const std::string start = "." + path.filename().string() + ".";
  for (const fs::path& entry : list_folder(folder_of(path))) {
    const std::string name = entry.filename().string();
    const bool of_path = is_temporary(entry) && name.starts_with(start) &&
                         name.size() == start.size() + sizeof("XXXXXX.tmp") - 1;
    if (of_path) remove_if_unlocked(entry);
  }
} catch (const IoError&) {
  // Not ours to read: no reason not to write.
}

void replace_link(const fs::path& link, const fs::path& target) {
  const fs::path temporary = temporary_sibling(link);
  if (retried([&] { return ::symlink(target.c_str(), temporary.c_str()); }) < 0)
    throw_io_error(link, "make this link");
  if (retried([&] { return ::rename(temporary.c_str(), link.c_str()); }) < 0) {
    const int error = errno;
    ::unlink(temporary.c_str());
    throw_io_error(link, "make this link", error);
  }
  sync_folder(folder_of(link));
}

}  // namespace heed
