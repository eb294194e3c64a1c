#include "exchange/weights_file.h"

#include "nn/torch.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "exchange/json_file.h"
#include "model/safetensors.h"

namespace heed {

namespace {

constexpr const char* kWeightFiles[] = {"model.safetensors", "model.safetensors.index.json",
                                        "pytorch_model.bin", "pytorch_model.bin.index.json"};

// Files that an index lists.
std::set<std::string> listed_files(const fs::path& index) {
  const Json json = read_json(index);
  const auto map = json.is_object() ? json.find("weight_map") : json.end();
  if (map == json.end() || !map->is_object() || map->empty())
    throw_error(ErrorKind::kModel, "{}: expected a weight_map of parameters and their files",
                index.string());
  std::set<std::string> files;
  for (const auto& [name, file] : map->items()) {
    // A file outside the folder does not belong to the model.
    if (!file.is_string() || fs::path(file.get<std::string>()).has_parent_path())
      throw_error(ErrorKind::kModel, "{}: {} is in {}, expected a file of this folder",
                  index.string(), name, file.dump());
    files.insert(file.get<std::string>());
  }
  return files;
}

}  // namespace

WeightsFile::WeightsFile(const fs::path& folder) {
  const auto* found = std::ranges::find_if(
      kWeightFiles, [&folder](const char* name) { return is_plain_file(folder / name); });
  if (found == std::end(kWeightFiles))
    throw_error(ErrorKind::kModel, "{}: has none of {}", folder.string(),
                fmt::format("{}", fmt::join(kWeightFiles, ", ")));
  path_ = folder / *found;
  if (path_.extension() == ".json")
    for (const std::string& file : listed_files(path_)) open(folder / file);
  else
    open(path_);
}

void WeightsFile::open(const fs::path& path) {
  if (!is_plain_file(path))
    throw_error(ErrorKind::kModel, "{}: lists {}, which is not there", path_.string(),
                path.filename().string());
  const std::shared_ptr<TensorFile> file = open_tensor_file(path);
  for (const std::string& name : file->names()) {
    if (!files_.emplace(name, file).second)
      throw_error(ErrorKind::kModel, "{}: {} is in another file too", path.string(), name);
  }
}

const std::string& WeightsFile::stored_name(const std::vector<std::string>& names) const {
  const auto found = std::ranges::find_if(names, [this](const auto& name) { return has(name); });
  if (found == names.end())
    throw_error(ErrorKind::kModel, "{}: {} is missing", path_.string(), names.front());
  return *found;
}

std::vector<int64_t> WeightsFile::shape(const std::vector<std::string>& names) const {
  const std::string& name = stored_name(names);
  return files_.at(name)->shape(name);
}

void WeightsFile::expect(const std::vector<std::string>& names,
                         const std::vector<int64_t>& expected) const {
  const std::string& name = stored_name(names);
  const std::vector<int64_t> own = files_.at(name)->shape(name);
  if (own != expected)
    throw_error(ErrorKind::kModel, "{}: {} is {}, expected {} by config.json", path_.string(), name,
                shape_text(own), shape_text(expected));
}

Tensor WeightsFile::take(const std::vector<std::string>& names, const std::vector<int64_t>& shape) {
  expect(names, shape);
  const std::string& name = stored_name(names);
  taken_.insert(name);
  const Tensor stored = files_.at(name)->read(name);
  if (!stored.is_floating_point())
    throw_error(ErrorKind::kModel,
                "{}: {} has whole numbers, expected float32, float16 or bfloat16", path_.string(),
                name);
  const Tensor numbers = stored.to(torch::kFloat);
  if (!numbers.isfinite().all().item<bool>())
    throw_error(ErrorKind::kModel, "{}: {} has numbers that are not finite; copy it again",
                path_.string(), name);
  return numbers;
}

Tensor WeightsFile::read(const std::string& name) const {
  return files_.at(name)->read(name).to(torch::kFloat);
}

std::vector<std::string> WeightsFile::rest() const {
  std::vector<std::string> names;
  for (const auto& [name, unused] : files_) {
    if (!taken_.contains(name)) names.push_back(name);
  }
  return names;
}

}  // namespace heed
