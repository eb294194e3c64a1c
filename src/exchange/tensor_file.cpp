#include "exchange/tensor_file.h"

#include "nn/torch.h"

#include "exchange/torch_file.h"
#include "model/safetensors.h"

namespace heed {

namespace {

class SafetensorsTensors final : public TensorFile {
 public:
  explicit SafetensorsTensors(const std::filesystem::path& path) : reader_(path) {}
  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const auto& [name, entry] : reader_.entries()) names.push_back(name);
    return names;
  }
  std::vector<int64_t> shape(const std::string& name) const override {
    return reader_.entries().at(name).shape;
  }
  Tensor read(const std::string& name) override { return reader_.read(name); }

 private:
  SafetensorsReader reader_;
};

}  // namespace

std::unique_ptr<TensorFile> open_tensor_file(const std::filesystem::path& path) {
  if (auto file = open_torch_file(path)) return file;
  return std::make_unique<SafetensorsTensors>(path);
}

}  // namespace heed
