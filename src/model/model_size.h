// Size of a model, computed before it is built.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/seq2seq.h"

namespace heed {

struct ModelSize {
  double parameters = 0;                       // learned; a whole number that may exceed 64 bits
  double bytes = 0;                            // of parameters and buffers
  std::vector<std::vector<int64_t>> shapes{};  // of the parameters
  std::string largest;  // name and shape of the largest parameter: "target.embedding [8000,256]"
};

// Builds the model without memory for its tensors: they have names and shapes, but no values.
// Throws Error(kUsage) if the model has more than 200,000 tensors, or a tensor larger than 2^63
// bytes.
std::shared_ptr<Seq2Seq> model_without_memory(const ModelConfig& config,
                                              const VocabularySizes& sizes);

ModelSize size_of_model(const Seq2Seq& model);
// The same for a model that is not built. Throws the errors of model_without_memory().
ModelSize size_of_model(const ModelConfig& config, const VocabularySizes& sizes);

// Throws Error(kind) if `copies` copies of the parameters and the rest need more than the memory of
// this machine. use: "to be trained with adam: parameters, gradients, …".
void check_memory(const ModelSize& size, double copies, const std::string& use, ErrorKind kind);

}  // namespace heed
