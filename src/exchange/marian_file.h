// Parameters of Marian: model.npz, an archive of arrays of numpy, or model.bin, its binary format
// (src/common/binary.cpp of Marian) in float32, float16, and 8 and 16 bits of intgemm.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "exchange/tensor_file.h"

namespace heed {

class MarianFile final : public TensorFile {
 public:
  // Throws Error(kModel) that names the file and the fault; IoError.
  explicit MarianFile(const std::filesystem::path& path);

  std::vector<std::string> names() const override;
  std::vector<int64_t> shape(const std::string& name) const override;
  // Matrices of intgemm are dequantized, each with its one scale.
  Tensor read(const std::string& name) override;

  bool has(const std::string& name) const { return tensors_.contains(name); }
  void remove(const std::string& name) { tensors_.erase(name); }
  // Gives tensors other names, by their names now. Throws Error(kModel) if one is there twice then.
  void rename(const std::map<std::string, std::string>& names);

  // The text of special:model.yml. Throws Error(kModel) if there is none.
  std::string settings() const;
  // True if it has matrices of intgemm.
  bool is_quantized() const { return is_quantized_; }

 private:
  void add(const std::string& name, const Tensor& tensor);

  std::filesystem::path path_;
  std::map<std::string, Tensor> tensors_;
  bool is_quantized_ = false;
};

// Scale of the activations that a product of intgemm reads, beside its matrix. The name of the output
// layer's is kMarianOutputScale.
inline constexpr const char *kMarianScale = "_QuantMultA", *kMarianOutputScale = "none_QuantMultA",
                            *kMarianSettings = "special:model.yml";
// True for embeddings, which intgemm stores as they are. It stores other matrices transposed.
bool is_marian_embedding(const std::string& name);

// Tensors by name, in float32, or in 8 bits with `scales`: 127 divided by the largest magnitude.
struct MarianTensors {
  std::map<std::string, Tensor> tensors;
  std::map<std::string, float> scales{};
  std::string settings;  // YAML
};
void write_marian_npz(const std::filesystem::path& path, const MarianTensors& model);
void write_marian_bin(const std::filesystem::path& path, const MarianTensors& model);

}  // namespace heed
