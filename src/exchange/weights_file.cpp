#include "exchange/weights_file.h"

#include <torch/serialize.h>
#include "nn/torch.h"

#include "base/error.h"
#include "base/file.h"

namespace heed {

namespace {

constexpr const char* kSafetensors = "model.safetensors";
constexpr const char* kPickled = "pytorch_model.bin";

NamedTensors unpickled(const fs::path& path) try {
  const std::string bytes = read_file(path);
  if (!bytes.starts_with("PK"))
    throw_error(ErrorKind::kModel,
                "{}: is in the format of PyTorch before 1.6; convert it once in Python: "
                "transformers.AutoModelForSeq2SeqLM.from_pretrained(FOLDER).save_pretrained(NEW)",
                path.string());
  const torch::IValue value = torch::pickle_load(std::vector<char>(bytes.begin(), bytes.end()));
  if (!value.isGenericDict())
    throw_error(ErrorKind::kModel, "{}: holds no parameters by name", path.string());
  NamedTensors tensors;
  for (const auto& item : value.toGenericDict()) {
    if (item.key().isString() && item.value().isTensor())
      tensors[item.key().toStringRef()] = item.value().toTensor();
  }
  return tensors;
} catch (const c10::Error& error) {
  throw_error(ErrorKind::kModel, "{}: cannot be read: {}", path.string(),
              error.what_without_backtrace());
}

std::string shape_text(c10::IntArrayRef shape) {
  return fmt::format("[{}]", fmt::join(shape, ","));
}

}  // namespace

WeightsFile::WeightsFile(const fs::path& folder) : path_(folder / kSafetensors) {
  if (is_plain_file(path_)) {
    tensors_ = read_safetensors(path_);
    return;
  }
  path_ = folder / kPickled;
  if (!is_plain_file(path_))
    throw_error(ErrorKind::kModel, "{}: has no {} and no {}", folder.string(), kSafetensors,
                kPickled);
  tensors_ = unpickled(path_);
}

Tensor WeightsFile::take(const std::vector<std::string>& names, const std::vector<int64_t>& shape) {
  for (const std::string& name : names) {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) continue;
    taken_.insert(name);
    if (found->second.sizes() != c10::IntArrayRef(shape))
      throw_error(ErrorKind::kModel, "{}: {} is {}, expected {} by config.json", path_.string(),
                  name, shape_text(found->second.sizes()), shape_text(shape));
    return found->second.to(torch::kFloat);
  }
  throw_error(ErrorKind::kModel, "{}: {} is missing", path_.string(), names.front());
}

std::vector<std::string> WeightsFile::rest() const {
  std::vector<std::string> names;
  for (const auto& [name, unused] : tensors_) {
    if (!taken_.contains(name)) names.push_back(name);
  }
  return names;
}

}  // namespace heed
