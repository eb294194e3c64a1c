// Parameters of a packed model (base/packed_file.h). Matrices lie in the layout of the kernels, which
// is that of every instruction set, and are used where they are.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/packed_file.h"
#include "kernels/packed_matrix.h"

namespace heed {

class PackedWeights {
 public:
  // Throws Error(kModel) for a list of matrices that is not that of the tensors.
  PackedWeights(const std::filesystem::path& path, std::shared_ptr<const PackedFile> file);

  Precision precision() const { return precision_; }
  // Names, types and shapes of the parameters as in model.safetensors, without offsets.
  const TensorEntries& parameters() const { return parameters_; }
  bool is_matrix(const std::string& name) const { return matrices_.contains(name); }
  int64_t outputs(const std::string& matrix) const { return view_of(matrix).outputs; }
  // A matrix [O,I]. bias: [O] or empty
  PackedMatrix matrix(const std::string& name, std::span<const float> bias,
                      const Kernels& set) const;
  // Matrices of equal inputs as one: in place if they lie one behind the other, else a copy.
  PackedMatrix joined(const std::vector<std::string>& names, std::span<const float> bias,
                      const Kernels& set) const;
  // All elements of a parameter, in its type; those of a matrix as it rounds them.
  void read(const std::string& name, void* to) const;

 private:
  MatrixView view_of(const std::string& name) const;

  std::shared_ptr<const PackedFile> file_;
  Precision precision_ = Precision::kFloat;
  TensorEntries parameters_;
  std::map<std::string, MatrixView> matrices_;
};

// A parameter that is to be packed.
struct UnpackedTensor {
  TensorEntry entry;  // type and shape
  std::string bytes;
  int64_t outputs = 0;  // O of a matrix [O,I], which is float32; 0: it is none
};
// Writes a packed model with the parameters in this order. Throws IoError.
void write_packed_model(const std::filesystem::path& path, Precision precision,
                        const std::vector<std::pair<std::string, UnpackedTensor>>& parameters,
                        std::map<std::string, std::string> files);

}  // namespace heed
