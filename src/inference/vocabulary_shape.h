// Shape that the engines of inference/ have in common: one source, and an output layer over the
// vocabulary.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/parameter_names_spec.h"

namespace heed {

struct VocabularyShape {
  std::string source;                                   // name of the source
  int64_t embedding = 0;                                // E
  bool source_is_tied = false, output_is_tied = false;  // to the target's embeddings
  bool output_bias = true;
  bool source_end = true;  // each source ends in kEnd
  bool operator==(const VocabularyShape&) const = default;
};

// Sizes of the vocabularies.
struct VocabularySize {
  int64_t source = 0, target = 0;
};

// Shape of each parameter by its name in model.safetensors.
class ParameterShapes {
 public:
  using Map = std::map<std::string, std::vector<int64_t>>;

  void add(const std::string& name, std::vector<int64_t> shape) {
    shapes_[name] = std::move(shape);
  }
  void linear(const std::string& name, int64_t inputs, int64_t outputs) {
    add(names::weight(name), {outputs, inputs});
    add(names::bias(name), {outputs});
  }
  // Embeddings, and an output layer that reads hidden states of width `hidden`.
  void vocabulary(const VocabularyShape& shape, const VocabularySize& size, int64_t hidden);
  Map take() { return std::move(shapes_); }

 private:
  Map shapes_;
};

}  // namespace heed
