#include "inference/recurrent_layers.h"

#include <utility>

#include "model/parameter_names_spec.h"

namespace heed {

namespace {

std::vector<CellLayer> decoder_cells(const RecurrentDecoderShape& shape, const Packer& packer) {
  std::vector<CellLayer> cells;
  for (int64_t i = 0; i < shape.layers; ++i)
    cells.push_back(
        cell_layer(packer, names::layer(names::kDecoder, i), shape.cell, shape.reset, shape.width));
  return cells;
}

// Empty if the first states are not projected.
std::vector<PackedMatrix> bridge_layers(const RecurrentDecoderShape& shape, const Packer& packer) {
  std::vector<PackedMatrix> bridges;
  if (shape.bridge == RecurrentDecoderShape::Bridge::kShared)
    bridges.push_back(packer.linear({names::kBridge}));
  if (!shape.has_bridge_of_each_state()) return bridges;
  for (int64_t part = 0; part < 2 * shape.layers; ++part) {
    const bool is_needed = part % 2 == 0 || shape.cell == CellKind::kLstm;
    bridges.push_back(is_needed ? packer.linear({names::bridge(part)}) : PackedMatrix());
  }
  return bridges;
}

// Layer of the attentional state h̃. Outputs 2j and 2j + 1 are the pieces of a maxout; the first
// pieces of all are moved before the second ones.
PackedMatrix attentional_layer(const RecurrentShape& shape, const Packer& packer) {
  using OutputActivation = RecurrentDecoderShape::OutputActivation;
  if (shape.decoder.output_activation == OutputActivation::kNone) return {};
  const PackedMatrix layer = packer.linear({names::kReadOut});
  const int64_t pieces = shape.output_pieces();
  if (pieces == 1) return layer;
  std::vector<int32_t> sorted;
  for (int64_t piece = 0; piece < pieces; ++piece) {
    for (int64_t o = piece; o < layer.outputs(); o += pieces)
      sorted.push_back(static_cast<int32_t>(o));
  }
  return layer.select(sorted);
}

}  // namespace

RecurrentLayers::RecurrentLayers(const RecurrentShape& wanted, const Packer& packer,
                                 const Kernels& kernels_used)
    : shape(wanted),
      set(kernels_used),
      embeddings(shape.vocabulary, packer),
      sources(shape.vocabulary, shape.encoders, shape.joiner, embeddings, packer, set),
      decoder(decoder_cells(shape.decoder, packer)),
      bridges(bridge_layers(shape.decoder, packer)),
      attention(make_attention(shape.attention, packer, set)),
      past(shape.past ? std::optional<PastAttention>(std::in_place, *shape.past, packer, set)
                      : std::nullopt),
      merge(shape.decoder.context_feeding ? packer.linear({names::kMerge}) : PackedMatrix()),
      attentional(attentional_layer(shape, packer)),
      output(make_output(shape.vocabulary, embeddings, packer, set)) {}

}  // namespace heed
