// Folders. All failures throw IoError with the path and the system's reason; exceptions of
// std::filesystem are never passed on.
#pragma once

#include <filesystem>
#include <vector>

namespace heed {

// Name of a folder without a last slash: "runs" for "runs/".
std::filesystem::path without_last_slash(const std::filesystem::path& path);
// True if a file, folder or link of this name exists (also a link that points nowhere), or a file of
// a packed model (packed_file.h).
bool is_there(const std::filesystem::path& path);
// True for a regular file or a link to one; false if it cannot be examined.
bool is_plain_file(const std::filesystem::path& path);
// Creates one folder; an existing one is an error.
void make_folder(const std::filesystem::path& path);
// Creates a folder and its parents if they are missing.
void make_folders(const std::filesystem::path& path);
// Lists the entries of a folder, also hidden ones, sorted; empty if the folder does not exist.
std::vector<std::filesystem::path> list_folder(const std::filesystem::path& path);
// Lists every file below a folder, links included, sorted.
std::vector<std::filesystem::path> list_files(const std::filesystem::path& folder);
// Removes a file or a whole folder if it exists. It disappears for readers at once: its name is
// removed before its contents.
void remove_tree(const std::filesystem::path& path);

// Removes what killed writers left in a folder: `.NAME.XXXXXX.tmp`, files and folders.
void remove_temporaries(const std::filesystem::path& folder);
// Removes temporary files and folders of this name next to it whose writers have ended (writers
// hold a lock).
void remove_abandoned(const std::filesystem::path& path);

// Makes `link` point to `target` (relative) by rename, so that it always points somewhere.
void replace_link(const std::filesystem::path& link, const std::filesystem::path& target);

}  // namespace heed
