// Files of a checkpoint beside its model: progress, data record, and the state of the training.
#pragma once

#include <filesystem>
#include <optional>

#include "run/data_record.h"
#include "run/progress.h"

namespace heed {

std::filesystem::path optimizer_file(const std::filesystem::path& checkpoint);
// Exists if the model is an average; it then has the parameters themselves.
std::filesystem::path parameters_file(const std::filesystem::path& checkpoint);
// Exist if the run has train.lora: the adapters, and the adapted matrices before training.
std::filesystem::path adapter_file(const std::filesystem::path& checkpoint);
std::filesystem::path adapted_file(const std::filesystem::path& checkpoint);
std::filesystem::path progress_file(const std::filesystem::path& checkpoint);
std::filesystem::path data_file(const std::filesystem::path& checkpoint);

// Does not check the manifest. Throws Error(kModel), Error(kIo).
Progress read_progress(const std::filesystem::path& checkpoint);
// nullopt if the checkpoint was saved without a record.
std::optional<DataRecord> read_data_record(const std::filesystem::path& checkpoint);

}  // namespace heed
