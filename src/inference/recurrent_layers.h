// Parameters and layers of a recurrent model, over contiguous rows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "inference/outputs/output.h"
#include "inference/past_attention.h"
#include "inference/recurrent_cell.h"
#include "inference/recurrent_shape.h"
#include "inference/sources_attention.h"
#include "inference/sources_reader.h"
#include "inference/vocabulary.h"

namespace heed {

struct RecurrentLayers {
  RecurrentLayers(const RecurrentShape& shape, const Packer& packer, const Kernels& set);

  RecurrentShape shape;
  const Kernels& set;
  Embeddings embeddings;
  SourcesReader sources;
  std::vector<CellLayer> decoder;
  std::vector<PackedMatrix> bridges;  // two a layer, the second for the cell of an LSTM
  std::unique_ptr<const SourcesAttention> attention;
  std::optional<PastAttention> past;
  PackedMatrix merge;  // of token and context vector; no outputs without context feeding
  // The layer of h̃: of maxout, all first pieces, then all second ones; no outputs if h̃ is the state.
  PackedMatrix attentional;
  std::unique_ptr<const OutputWeights> output;
};

}  // namespace heed
