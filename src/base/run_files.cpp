#include "base/run_files.h"

#include <charconv>

#include <spdlog/fmt/fmt.h>

namespace heed {

namespace {

constexpr std::string_view kStepName = "step-";

}  // namespace

std::string checkpoint_name(int64_t update) { return fmt::format("{}{:08}", kStepName, update); }

std::optional<int64_t> update_of_checkpoint(std::string_view name) {
  if (!name.starts_with(kStepName)) return std::nullopt;
  name.remove_prefix(kStepName.size());
  int64_t update = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), update);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return update;
}

}  // namespace heed
