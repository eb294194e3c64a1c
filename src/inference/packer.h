// Reads parameters of a model by name and packs matrices for the kernels; those of a packed model are
// used as they are.
#pragma once

#include <string>
#include <vector>

#include "inference/weights.h"
#include "kernels/aligned.h"
#include "kernels/packed_matrix.h"
#include "packed/stored_tensors.h"

namespace heed {

struct NamedMatrix {
  std::string name;  // of the parameter
  int64_t outputs = 0;
};

// Each function throws Error(kModel) if a parameter holds a value that is not a finite number: it
// would be lost in 8 bits.
class Packer {
 public:
  Packer(Weights weights, Precision precision, const Kernels& set)
      : weights_(std::move(weights)), precision_(precision), set_(set) {}
  // For a stored model; a packed one has its own precision. stored: outlives the Packer
  Packer(const StoredTensors& stored, Precision precision, const Kernels& set);

  // With the shape of a vector, or flat.
  std::vector<float> vector(const std::string& name) const;
  AlignedFloats aligned(const std::string& name) const;  // the same
  // A matrix [O,I] in float32; of more dims, the first ones together are the outputs.
  Array array(const std::string& name) const;
  // The same, packed. bias: the name of a vector; "" or a name that there is not: none
  PackedMatrix matrix(const std::string& weight, const std::string& bias = "") const;
  // Linear layers NAME.weight, NAME.bias if there is one, of the same input as one matrix.
  PackedMatrix linear(const std::vector<std::string>& layers) const;
  // A layer with weight norm, NAME.v [O,…], NAME.gain [O] and NAME.bias: its rows are g v / |v|
  // (nn/normed_weight.h), of v as it is rounded.
  PackedMatrix normed(const std::string& layer) const;
  PackedMatrix layer(const std::string& name, bool is_normed) const {
    return is_normed ? normed(name) : linear({name});
  }

  Precision precision() const { return precision_; }
  // The matrices that were packed, in the order in which they were asked for.
  const std::vector<NamedMatrix>& matrices() const { return matrices_; }

 private:
  Array read(const std::string& name) const;
  // [outputs,I], packed without a bias
  PackedMatrix directions(const std::string& name, int64_t outputs) const;
  PackedMatrix joined(const std::vector<std::string>& weights,
                      const std::vector<std::string>& biases) const;

  Weights weights_;
  Precision precision_;
  const Kernels& set_;
  const PackedWeights* packed_ = nullptr;  // none: the matrices are packed here
  mutable std::vector<NamedMatrix> matrices_;
};

}  // namespace heed
