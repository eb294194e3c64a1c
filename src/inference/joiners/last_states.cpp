// The last states of the sources as one, basic or child_sum, as in model/joiners/final_states.cpp.
#include <algorithm>

#include "inference/columns.h"
#include "inference/source_joiner.h"
#include "model/parameter_names_spec.h"

namespace heed {

namespace {

// Layers of one layer of the states.
struct LayerWeights {
  PackedMatrix hidden;                // W of basic
  PackedMatrix gates;                 // i, o, u of child_sum
  std::vector<PackedMatrix> forgets;  // of child_sum, of each source
};

class LastStates final : public SourceJoiner {
 public:
  LastStates(const LastStatesShape& shape, const Packer& packer, const Kernels& set)
      : shape_(shape), set_(set) {
    for (int64_t layer = 0; layer < shape.layers; ++layer) {
      LayerWeights& own = layers_.emplace_back();
      if (shape.kind == LastStatesShape::Kind::kBasic) {
        own.hidden = packer.linear({names::joined_hidden(layer)});
        continue;
      }
      own.gates = packer.linear({names::joined_gates(layer)});
      for (int64_t source = 0; source < shape.sources; ++source)
        own.forgets.push_back(packer.linear({names::joined_forget(layer, source)}));
    }
  }

  void join(std::vector<Encoded>& sources) const override {
    std::vector<LastState> joined;
    for (size_t layer = 0; layer < layers_.size(); ++layer) {
      std::vector<const LastState*> all;
      for (const Encoded& source : sources) all.push_back(&source.last[layer]);
      joined.push_back(shape_.kind == LastStatesShape::Kind::kBasic
                           ? basic(layers_[layer], all)
                           : child_sum(layers_[layer], all));
    }
    for (Encoded& source : sources) source.last = joined;
  }

 private:
  using States = std::vector<const LastState*>;  // of each source

  int64_t rows_of(const States& all) const {
    return std::ssize(all.front()->hidden) / shape_.width;
  }
  AlignedFloats product(const PackedMatrix& layer, const States& all) const {
    std::vector<Columns> parts;
    for (const LastState* state : all) parts.push_back({&state->hidden, shape_.width});
    AlignedFloats joined;
    const int64_t rows = rows_of(all);
    join_columns(parts, rows, joined);
    AlignedFloats y(static_cast<size_t>(rows * layer.outputs()));
    layer.product(joined.data(), rows, y.data());
    return y;
  }

  // h = tanh(W [h_1; …; h_K]),  c = Σ c_k
  LastState basic(const LayerWeights& layer, const States& all) const {
    LastState state{.hidden = product(layer.hidden, all), .cell = all.front()->cell};
    set_.tanh(state.hidden.data(), std::ssize(state.hidden));
    for (size_t k = 1; k < all.size() && !state.cell.empty(); ++k)
      set_.add(all[k]->cell.data(), std::ssize(state.cell), state.cell.data());
    return state;
  }

  // c = σ(i) ⊙ tanh(u) + Σ σ(f_k) ⊙ c_k,  h = σ(o) ⊙ tanh(c)
  LastState child_sum(const LayerWeights& layer, const States& all) const {
    const int64_t rows = rows_of(all), width = shape_.width, count = rows * width;
    const AlignedFloats gates = product(layer.gates, all);  // [N,3W]
    const auto gate = [&](int64_t number) {
      AlignedFloats own(static_cast<size_t>(count));
      for (int64_t r = 0; r < rows; ++r)
        std::copy_n(gates.data() + (3 * r + number) * width, width, own.data() + r * width);
      return own;
    };
    AlignedFloats input = gate(0), output = gate(1), cell = gate(2);
    set_.sigmoid(input.data(), count);
    set_.sigmoid(output.data(), count);
    set_.tanh(cell.data(), count);
    for (int64_t i = 0; i < count; ++i) cell[i] *= input[i];
    AlignedFloats& forget = input;
    for (size_t k = 0; k < all.size(); ++k) {
      layer.forgets[k].product(all[k]->hidden.data(), rows, forget.data());
      set_.sigmoid(forget.data(), count);
      for (int64_t i = 0; i < count; ++i) cell[i] += forget[i] * all[k]->cell[i];
    }
    AlignedFloats hidden = cell;
    set_.tanh(hidden.data(), count);
    for (int64_t i = 0; i < count; ++i) hidden[i] *= output[i];
    return {.hidden = std::move(hidden), .cell = std::move(cell)};
  }

  LastStatesShape shape_;
  const Kernels& set_;
  std::vector<LayerWeights> layers_;
};

}  // namespace

std::unique_ptr<const SourceJoiner> joiner_kinds::last_states(const LastStatesShape& shape,
                                                              const Packer& packer,
                                                              const Kernels& set) {
  return std::make_unique<LastStates>(shape, packer, set);
}

}  // namespace heed
