// The initial state of a recurrent decoder from the final states of several encoders (Zoph and
// Knight 2016); the sources are not changed.
//   basic      h = tanh(W [h_1; …; h_K]),  c = Σ c_k
//   child_sum  i = σ(Σ W_i^k h_k), f_k = σ(W_f^k h_k), o = σ(Σ W_o^k h_k), u = tanh(Σ W_u^k h_k),
//              c = i ⊙ u + Σ f_k ⊙ c_k,  h = o ⊙ tanh(c)
// in every layer of the state; the cells c are those of LSTMs, which child_sum needs. A sentence
// that lacks a source has zeros for its state.
#include "nn/torch.h"

#include "model/builders.h"
#include "nn/linear.h"

namespace heed {

namespace {

// One layer of all sources, in the order of their names.
struct Layer {
  std::vector<Tensor> hidden, cells;  // [R,W] a source
};

class FinalStates : public Joiner {
 public:
  EncoderOutput join(EncoderOutput encoded, const Pass&) override {
    FinalState joined;
    const size_t layers = encoded.sources.begin()->second.final_state.hidden.size();
    for (size_t layer = 0; layer < layers; ++layer) {
      Layer all;
      for (const auto& [name, source] : encoded.sources) {
        all.hidden.push_back(source.final_state.hidden[layer]);
        if (!source.final_state.cell.empty()) all.cells.push_back(source.final_state.cell[layer]);
      }
      const auto [hidden, cell] = combine(layer, all);
      joined.hidden.push_back(hidden);
      if (cell.defined()) joined.cell.push_back(cell);
    }
    for (auto& [name, source] : encoded.sources) source.final_state = joined;
    return encoded;
  }

 protected:
  // Hidden state and cell [R,W]; the cell undefined where there is none.
  virtual std::pair<Tensor, Tensor> combine(size_t layer, const Layer& all) = 0;
};

class Basic final : public FinalStates {
 public:
  Basic(size_t sources, const SourceDims& dims) {
    const int64_t width = dims.final_width, all = width * static_cast<int64_t>(sources);
    for (int64_t layer = 0; layer < dims.layers; ++layer)
      hidden_.push_back(Linear(*this, fmt::format("hidden_{}", layer), all, width));
  }

 private:
  std::pair<Tensor, Tensor> combine(size_t layer, const Layer& all) override {
    const Tensor hidden = torch::tanh(hidden_[layer](torch::cat(all.hidden, 1)));
    if (all.cells.empty()) return {hidden, {}};
    return {hidden, torch::stack(all.cells).sum(0)};
  }
  std::vector<Linear> hidden_;  // W of each layer
};

class ChildSum final : public FinalStates {
 public:
  ChildSum(size_t sources, const SourceDims& dims) {
    const int64_t width = dims.final_width;
    for (int64_t layer = 0; layer < dims.layers; ++layer) {
      gates_.push_back(Linear(*this, fmt::format("gates_{}", layer),
                              width * static_cast<int64_t>(sources), 3 * width));
      for (size_t k = 0; k < sources; ++k)
        forgets_.push_back(Linear(*this, fmt::format("forget_{}_{}", layer, k), width, width));
    }
  }

 private:
  std::pair<Tensor, Tensor> combine(size_t layer, const Layer& all) override {
    const auto gates = gates_[layer](torch::cat(all.hidden, 1)).chunk(3, 1);  // i, o, u
    Tensor cell = gates[0].sigmoid() * gates[2].tanh();
    for (size_t k = 0; k < all.hidden.size(); ++k) {
      auto& forget = forgets_[layer * all.hidden.size() + k];
      cell = cell + forget(all.hidden[k]).sigmoid() * all.cells[k];
    }
    return {gates[1].sigmoid() * cell.tanh(), cell};
  }
  std::vector<Linear> gates_, forgets_;
};

}  // namespace

std::shared_ptr<Joiner> builders::basic_state(const JoinerConfig&, const AllSourceDims& sources) {
  return std::make_shared<Basic>(sources.size(), sources.begin()->second);
}

std::shared_ptr<Joiner> builders::child_sum_state(const JoinerConfig&,
                                                  const AllSourceDims& sources) {
  return std::make_shared<ChildSum>(sources.size(), sources.begin()->second);
}

}  // namespace heed
