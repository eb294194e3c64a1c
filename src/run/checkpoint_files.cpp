#include "run/checkpoint_files.h"

#include "base/file.h"

namespace heed {

fs::path optimizer_file(const fs::path& checkpoint) { return checkpoint / "optimizer.safetensors"; }

fs::path parameters_file(const fs::path& checkpoint) {
  return checkpoint / "parameters.safetensors";
}

fs::path adapter_file(const fs::path& checkpoint) { return checkpoint / "adapter.safetensors"; }

fs::path adapted_file(const fs::path& checkpoint) { return checkpoint / "adapted.safetensors"; }

fs::path progress_file(const fs::path& checkpoint) { return checkpoint / "progress.json"; }

fs::path data_file(const fs::path& checkpoint) { return checkpoint / "data.json"; }

Progress read_progress(const fs::path& checkpoint) {
  const fs::path file = progress_file(checkpoint);
  return progress_from_json(read_file(file), file.string());
}

std::optional<DataRecord> read_data_record(const fs::path& checkpoint) {
  const fs::path file = data_file(checkpoint);
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return std::nullopt;
  return data_record_from_json(read_file(file), file.string());
}

}  // namespace heed
