// Folders. Everything that fails throws IoError with the path and the system's reason; what
// std::filesystem would throw never gets out.
#pragma once

#include <filesystem>
#include <vector>

namespace heed {

// A folder by its name, which "runs/" has as well.
std::filesystem::path without_last_slash(const std::filesystem::path& path);
// Is there a file, folder or link (also one that points nowhere) of this name?
bool is_there(const std::filesystem::path& path);
// Is it a regular file, itself or behind links? What cannot be looked at is none.
bool is_plain_file(const std::filesystem::path& path);
// Makes one folder; an existing one is an error.
void make_folder(const std::filesystem::path& path);
// Makes it and those above it, where they are missing.
void make_folders(const std::filesystem::path& path);
// What lies in it, hidden names too, sorted; nothing where there is no such folder.
std::vector<std::filesystem::path> list_folder(const std::filesystem::path& path);
// Every file below a folder, links too, sorted.
std::vector<std::filesystem::path> list_files(const std::filesystem::path& folder);
// Removes a file or a whole folder, if it is there. For readers it goes at once: its name is taken
// away before anything in it is.
void remove_tree(const std::filesystem::path& path);

// Removes what killed writers left in a folder: `.NAME.XXXXXX.tmp`, files and folders.
void remove_temporaries(const std::filesystem::path& folder);
// Removes temporary files and folders of this name beside it whose writers ended (they hold a lock).
void remove_abandoned(const std::filesystem::path& path);

// Makes `link` point to `target` (relative) by rename, so that it always points somewhere.
void replace_link(const std::filesystem::path& link, const std::filesystem::path& target);

}  // namespace heed
