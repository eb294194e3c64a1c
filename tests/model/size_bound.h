// Compares the size of a model with its bound.
#pragma once

#include <gtest/gtest.h>

#include "model/model_size.h"
#include "model/saved_model.h"
#include "model/size_bound_spec.h"

namespace heed {

// Ratio of the size to the bound: that of the tensors or that of the bytes, whichever is larger.
inline double expect_bounded(const ModelConfig& config, const VocabularySizes& sizes) {
  const auto model = model_without_memory(config, sizes);
  const auto tensors = static_cast<double>(tensors_of(*model).size());
  const double bytes = size_of_model(*model).bytes;
  const SizeBound bound = size_bound(config, sizes);
  EXPECT_LE(tensors, bound.tensors);
  EXPECT_LE(bytes, bound.bytes());
  return std::max(tensors / bound.tensors, bytes / bound.bytes());
}

// Vocabularies of this size, with all that a model may ask for.
inline VocabularySizes vocabularies_of(const ModelConfig& config, int64_t size) {
  VocabularySizes sizes{.sources = {}, .target = size};
  if (!config.sources().empty()) sizes.tags = 2;  // tags need a source
  for (const std::string& name : config.sources()) {
    sizes.sources[name] = size;
    sizes.markers[name] = 7;  // separates sentences
  }
  for (const auto& [name, unused] : config.embedding.source_factors) sizes.factors[name] = size;
  return sizes;
}

}  // namespace heed
