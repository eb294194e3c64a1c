#include "load/with_libtorch.h"

#include <algorithm>

#include "base/file.h"
#include "base/memory.h"
#include "base/shell.h"

namespace heed {

namespace {

constexpr const char* kDocs = "docs/library.md#models-that-need-libtorch";
constexpr const char* kLargest = "libtorch_cpu.so";

// Folders in which the loader looks for libtorch. HEED_TORCH_FOLDERS has them as they are seen from
// the folder of the library, with a colon between them.
std::vector<fs::path> torch_folders(const fs::path& library) {
  std::vector<fs::path> folders;
  const std::string all = HEED_TORCH_FOLDERS;
  for (size_t begin = 0; begin <= all.size();) {
    const size_t end = std::min(all.find(':', begin), all.size());
    const fs::path folder =
        (library.parent_path() / all.substr(begin, end - begin)).lexically_normal();
    folders.push_back(folder.has_filename() ? folder : folder.parent_path());
    begin = end + 1;
  }
  return folders;
}

// FOLDER/torch/lib is where `pip install --target FOLDER torch` puts libtorch.
std::string how_to_install(const std::vector<fs::path>& folders) {
  const auto by_pip = std::ranges::find_if(folders, [](const fs::path& folder) {
    return folder.filename() == "lib" && folder.parent_path().filename() == "torch";
  });
  if (by_pip == folders.end()) return fmt::format("put its libraries there; {}", kDocs);
  const fs::path torch = by_pip->parent_path();
  return fmt::format(
      "`pip install --no-deps --index-url https://download.pytorch.org/whl/cpu --target {} "
      "torch=={}` installs it, or put a copy of libtorch at {}; {}",
      shell_word(torch.parent_path().string()), HEED_TORCH_VERSION, torch.string(), kDocs);
}

[[noreturn]] void refuse_missing(const fs::path& library, const std::string& file,
                                 const std::string& what) {
  const std::vector<fs::path> folders = torch_folders(library);
  std::vector<std::string> names;
  for (const fs::path& folder : folders) names.push_back(folder.string());
  throw MissingLibrary(fmt::format("{} needs libtorch {}, but {} is not in {}; {}", what,
                                   HEED_TORCH_VERSION, file, fmt::join(names, " or "),
                                   how_to_install(folders)));
}

// "; the libraries of libtorch have 435.7 MB", where they are found.
std::string size_of_libtorch(const fs::path& library) {
  for (const fs::path& folder : torch_folders(library)) {
    if (!is_there(folder / kLargest)) continue;
    double bytes = 0;
    for (const char* name : {kLargest, "libc10.so", "libtorch.so"}) {
      std::error_code unknown;
      const auto size = fs::file_size(folder / name, unknown);
      if (!unknown) bytes += static_cast<double>(size);
    }
    return fmt::format("; the libraries of libtorch have {}", format_bytes(bytes));
  }
  return "";
}

}  // namespace

void refuse_library(const fs::path& library, const std::string& reason, const std::string& what) {
  const std::string file = reason.substr(0, reason.find(':'));
  const auto says = [&](const char* part) { return reason.find(part) != std::string::npos; };
  const bool is_missing = says("No such file or directory");
  if (is_missing && (file.starts_with("libtorch") || file.starts_with("libc10")))
    refuse_missing(library, file, what);
  const std::string failed = fmt::format("{}: cannot be opened: {}", library.string(), reason);
  if (is_missing) throw_error(ErrorKind::kIo, "{}; {} needs it: {}", failed, what, kDocs);
  if (says("undefined symbol"))
    throw_error(ErrorKind::kFailure,
                "{}; it needs libtorch {} and the other files of heed of the same version", failed,
                HEED_TORCH_VERSION);
  const std::string advice = address_space_advice();
  throw_error(ErrorKind::kFailure, "{}{}{}", failed, advice,
              advice.empty() ? "" : size_of_libtorch(library));
}

SharedLibrary open_with_libtorch(const std::string& name, const std::vector<fs::path>& folders,
                                 const std::string& what) {
  const auto found = std::ranges::find_if(
      folders, [&](const fs::path& folder) { return is_there(folder / name); });
  if (found == folders.end())
    throw MissingLibrary(fmt::format(
        "{} needs {}, which is not in {}: install the package heed-tensors, or build with "
        "HEED_TENSORS=ON; libtorch {} is needed too; {}",
        what, name, folders.at(0).lexically_normal().string(), HEED_TORCH_VERSION, kDocs));
  const fs::path library = (*found / name).lexically_normal();
  return {library, [&](const std::string& reason) { refuse_library(library, reason, what); }};
}

}  // namespace heed
