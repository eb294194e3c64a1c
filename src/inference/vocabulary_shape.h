// Shape that the engines of inference/ have in common: embeddings, sources, and an output.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "inference/output_shape.h"
#include "model/parameter_names_spec.h"

namespace heed {

// Labels of the source tokens (model/factor_config.h).
struct FactorShape {
  std::string name;
  int64_t width = 0;
  bool is_added = false;  // to the embedding of the token; else it is concatenated
  bool operator==(const FactorShape&) const = default;
};

struct SourceShape {
  std::string name;
  std::string encoder;    // the source whose encoder it uses
  std::string embedding;  // the source whose embeddings it uses, unless they are the target's
  std::vector<FactorShape> factors{};  // by name
  std::optional<int32_t> marker{};     // between its sentences, if it is known (set_markers())
  bool operator==(const SourceShape&) const = default;
};

struct VocabularyShape {
  std::vector<SourceShape> sources{};                   // by name
  size_t attended = 0;                                  // the source of alignments and copies
  int64_t embedding = 0;                                // E
  bool source_is_tied = false, output_is_tied = false;  // to the target's embeddings
  bool source_end = true;                               // each source ends in kEnd
  bool source_tag = false,
       target_tag = false;  // which embeddings the tag of a sentence is added to
  OutputShape output{};
  // Width of the input of the encoder for a token.
  int64_t source_input(size_t source = 0) const {
    int64_t width = embedding;
    for (const FactorShape& factor : sources[source].factors)
      width += factor.is_added ? 0 : factor.width;
    return width;
  }
  // Width of the input of the decoder for a token.
  int64_t target_input() const { return embedding + output.beside_embedding(); }
  bool operator==(const VocabularyShape&) const = default;
};

// Sizes of the vocabularies.
struct VocabularySize {
  std::map<std::string, int64_t> sources{};
  int64_t target = 0, tags = 0;
  std::map<std::string, int64_t> factors{};
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
  // The same, or a layer with weight norm (Packer::normed).
  void layer(const std::string& name, int64_t inputs, int64_t outputs, bool is_normed) {
    if (!is_normed) return linear(name, inputs, outputs);
    normed(name, {outputs, inputs});
    add(names::bias(name), {outputs});
  }
  // Directions and gains of a weight with weight norm.
  void normed(const std::string& name, std::vector<int64_t> shape) {
    add(names::gain(name), {shape.front()});
    add(names::direction(name), std::move(shape));
  }
  // Embeddings and output.
  void vocabulary(const VocabularyShape& shape, const VocabularySize& size);
  Map take() { return std::move(shapes_); }

 private:
  void output(const VocabularyShape& shape);
  Map shapes_;
};

}  // namespace heed
