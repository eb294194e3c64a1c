#include "base/run_folder_names.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <spdlog/fmt/fmt.h>

#include "base/descriptor.h"
#include "base/file.h"
#include "base/hash.h"

namespace heed {

namespace {

constexpr std::string_view kStepName = "step-";
constexpr const char *kTranslated = ".hyp", *kReference = ".ref";

// The name of a file for a set. The hash of a name that is too long for a file.
std::string file_name_of(const std::string& set) {
  constexpr size_t kLongest = 200;
  std::string name;
  for (const char character : set) {
    const auto byte = static_cast<unsigned char>(character);
    const bool is_first_point = character == '.' && name.empty();
    if (byte < ' ' || byte == 0x7f || character == '/' || character == '%' || is_first_point) {
      name += fmt::format("%{:02x}", byte);
    } else {
      name += character;
    }
  }
  return name.size() <= kLongest ? name : "%" + hash_bytes(set);
}

bool is_locked(const fs::path& path) try {
  return is_there(path) && Descriptor::open_entry(path).is_locked();
} catch (const Error&) {
  return false;
}

}  // namespace

TestTextFiles test_text_files(const fs::path& run, const std::string& set) {
  const fs::path file = run / kRunTranslations / file_name_of(set);
  return {file.string() + kTranslated, file.string() + kReference};
}

void remove_test_texts(const fs::path& run) {
  const fs::path folder = run / kRunTranslations;
  for (const fs::path& file : list_folder(folder)) {
    if (file.extension() == kTranslated || file.extension() == kReference) remove_tree(file);
  }
  if (is_there(folder) && list_folder(folder).empty()) remove_tree(folder);
}

bool is_run(const fs::path& path) {
  return is_there(path / kRunCheckpoints) ||
         (is_there(path / "latest") && is_there(path / kRunConfig));
}

bool is_being_trained(const fs::path& run) { return is_locked(run) || is_locked(run / kRunLock); }

bool awaits_first_checkpoint(const fs::path& run) {
  std::error_code ignored;
  const bool is_saved =
      fs::symlink_status(run / "latest", ignored).type() == fs::file_type::symlink;
  return !is_saved && is_there(run / kRunConfig) && is_being_trained(run);
}

std::string checkpoint_name(int64_t update) { return fmt::format("{}{:08}", kStepName, update); }

std::optional<int64_t> update_of_checkpoint(std::string_view name) {
  if (!name.starts_with(kStepName)) return std::nullopt;
  name.remove_prefix(kStepName.size());
  int64_t update = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), update);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return update;
}

void refuse_outputs_in_runs(const std::vector<NamedFile>& outputs) {
  for (const NamedFile& output : outputs) {
    if (output.path == "-") continue;
    std::error_code ignored;
    const fs::path folder = fs::weakly_canonical(fs::absolute(output.path), ignored).parent_path();
    const std::array files{folder / kRunConfig, folder / kRunMetrics, folder / kRunLog,
                           folder / kRunLock};
    const bool is_of_run =
        is_run(folder) && std::ranges::count(files, folder / output.path.filename()) > 0;
    fs::path inside = folder;
    while (!is_there(inside / kManifest) && inside != inside.parent_path())
      inside = inside.parent_path();
    if (is_of_run || is_there(inside / kManifest)) {
      throw_error(ErrorKind::kUsage,
                  "{} {}: belongs to the {} {}, which it would damage; name another", output.option,
                  output.path.string(), is_of_run ? "run" : "model or checkpoint",
                  (is_of_run ? folder : inside).string());
    }
  }
}

}  // namespace heed
