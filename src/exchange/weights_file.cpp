#include "exchange/weights_file.h"

#include "nn/torch.h"

#include "base/error.h"
#include "base/file.h"

namespace heed {

namespace {

constexpr const char* kSafetensors = "model.safetensors";
constexpr const char* kPickled = "pytorch_model.bin";

std::string shape_text(c10::IntArrayRef shape) {
  return fmt::format("[{}]", fmt::join(shape, ","));
}

}  // namespace

WeightsFile::WeightsFile(const fs::path& folder) : path_(folder / kSafetensors) {
  if (!is_plain_file(path_) && is_plain_file(folder / kPickled))
    throw_error(ErrorKind::kModel,
                "{}: has {}, expected {}; convert it once in Python: "
                "transformers.AutoModelForSeq2SeqLM.from_pretrained(FOLDER).save_pretrained(NEW)",
                folder.string(), kPickled, kSafetensors);
  if (!is_plain_file(path_))
    throw_error(ErrorKind::kModel, "{}: has no {}", folder.string(), kSafetensors);
  tensors_ = read_safetensors(path_);
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
