// `type: memory_network`: the layers of an end-to-end memory network (Sukhbaatar et al. 2015,
// sections 2.1 and 2.2) over encoder states x_i and the query q:
//   u^1 = B q,  m_i = A^k x_i,  c_i = C^k x_i      embeddings, here of states, without bias
//   p_i = softmax((u^k)ᵀ m_i),  o^k = Σ_i p_i c_i  equations 1 and 2
//   u^{k+1} = u^k + o^k                            equation 4
//   tying: adjacent     A^{k+1} = C^k; B and the output layer, which the paper ties too, stay their
//                       own: they are of the decoder's states, not of words as A and C there (but
//                       see embed: false)
//   tying: layer_wise   A^1 = … = A^K, C^1 = … = C^K, and u^{k+1} = H u^k + o^k
//   tying: none         each layer has its own
//   embed: false        the rows of the source are already embedded, x_i in all embeddings side by
//                       side: [A^1 x_i; C^1 x_i; …; C^K x_i] for adjacent, [A x_i; C x_i] for
//                       layer_wise, [A^1 x_i; C^1 x_i; …; A^K x_i; C^K x_i] for none. u^1 is the
//                       first block of the query; of the context vector the last block is u^{K+1},
//                       the others are 0. With adjacent, embedding.tie: all and one embedding of
//                       the words B = A^1 and the output layer is C^K, as in the paper.
// linear_start: training without the softmax up to this update (section 5 there). The context
// vector is u^{K+1}. The position encoding of words in a sentence is a pool of the encoder
// `hierarchical`, the temporal encoding T of sentences is `positions: learned` of its sentence
// encoder.
#include "nn/torch.h"

#include "base/error.h"
#include "nn/attention/builders.h"
#include "nn/attention/empty_rows.h"
#include "nn/attention/memory_network_config.h"
#include "nn/attention/normalizers/masked_softmax.h"
#include "nn/linear.h"

namespace heed {

namespace {

using Tying = MemoryNetworkConfig::Tying;

class MemoryNetwork final : public Attention {
 public:
  MemoryNetwork(const MemoryNetworkConfig& config, const AttentionDims& dims)
      : config_(config), width_(config.embed ? dims.query : dims.query / config.embeddings()) {
    for (int64_t hop = 0; hop < config.hops; ++hop)
      memories_.push_back({layout_.memory(fmt::format("input_{}", hop)),
                           layout_.memory(fmt::format("output_{}", hop))});
    if (config.embed) make_embeddings(dims);
    if (config.tying == Tying::kLayerWise) map_ = Linear(*this, "map", width_, width_, kNoBias);
  }

  void start(const Sources& sources, StateView state) override {
    HEED_CHECK(sources.size() == 1, "this attention reads one source, not {}", sources.size());
    const Source& source = sources.begin()->second;
    for (int64_t hop = 0; hop < config_.hops; ++hop) {
      const auto [input, output] = memories_[static_cast<size_t>(hop)];
      state.put(input, memory(inputs_, hop, first_block(hop), source.keys));
      state.put(output, memory(outputs_, hop, first_block(hop) + 1, source.values));
    }
    state.put(mask_, source.mask);
    empty_.put(source, state);
  }

  Attended attend(const Tensor& query, const Tensor&, StateView state) override {
    const Tensor mask = state.get(mask_).unsqueeze(1);  // [R,1,S]
    const bool linear = state.pass().training && state.pass().update <= config_.linear_start;
    Attended result;
    Tensor u = query_ ? query_(query) : query.narrow(2, 0, width_);  // [R,T,W]
    for (size_t hop = 0; hop < memories_.size(); ++hop) {
      const Tensor scores =
          torch::matmul(u, state.get(memories_[hop].input).transpose(1, 2));  // [R,T,S]
      const Tensor p = linear ? scores * mask : masked_softmax(scores, mask);
      const Tensor o = torch::matmul(p, state.get(memories_[hop].output));
      u = (map_ ? map_(u) : u) + o;
      if (!state.pass().keep_weights) continue;
      Attended& part = result.parts.emplace_back();
      part.weights = result.weights = p.unsqueeze(1);  // [R,1,T,S]
      part.form = result.form = linear ? WeightForm::kScores : WeightForm::kShares;
      part.part = Part::kHop;
      part.hop = static_cast<int64_t>(hop);
    }
    result.context =
        empty_.without(torch::constant_pad_nd(u, {query.size(2) - u.size(2), 0}), state);
    return result;
  }

 private:
  struct HopMemory {
    MemorySlot input, output;  // m, c [N,S,W]
  };

  void make_embeddings(const AttentionDims& dims) {
    // Their dot products, which are not scaled, begin with variance 1 for normal inputs: 0.106 at
    // width 20, where the paper has 0.1.
    const LinearForm embedding{.bias = false, .weight = Init::embedding(0.75)};
    const auto add = [&](const std::string& name, int64_t from) {
      return Linear(*this, name, from, dims.query, embedding);
    };
    query_ = add("memory_embedding_query", dims.query);
    const bool each = config_.tying == Tying::kNone;
    for (int64_t hop = 0; hop < config_.hops; ++hop) {
      const bool first = hop == 0;
      if (config_.tying == Tying::kAdjacent && !first) {
        inputs_.push_back(outputs_.back());
      } else {
        inputs_.push_back(first || each
                              ? add(fmt::format("memory_embedding_input_{}", hop), dims.source.key)
                              : inputs_.back());
      }
      outputs_.push_back(
          first || config_.tying != Tying::kLayerWise
              ? add(fmt::format("memory_embedding_output_{}", hop), dims.source.value)
              : outputs_.back());
    }
  }

  // The block of A^k in rows that are embedded; that of C^k is the next.
  int64_t first_block(int64_t hop) const {
    return config_.tying == Tying::kAdjacent ? hop : config_.tying == Tying::kNone ? 2 * hop : 0;
  }

  // x embedded by one of the embeddings, or its block.  [R,S,W]
  Tensor memory(const std::vector<Linear>& embeddings, int64_t hop, int64_t block,
                const Tensor& x) const {
    return config_.embed ? embeddings[static_cast<size_t>(hop)](x)
                         : x.narrow(2, block * width_, width_);
  }

  MemoryNetworkConfig config_;
  int64_t width_;                         // of the embeddings
  Linear query_;                          // B
  std::vector<Linear> inputs_, outputs_;  // A^k, C^k, some of them the same
  Linear map_;                            // H
  std::vector<HopMemory> memories_;
  MemorySlot mask_ = layout_.memory("mask");  // [N,S]
  EmptyRows empty_{layout_};
};

}  // namespace

std::shared_ptr<Attention> builders::memory_network(const AttentionConfig& config,
                                                    const AttentionDims& dims) {
  return std::make_shared<MemoryNetwork>(settings_as<MemoryNetworkConfig>(config), dims);
}

}  // namespace heed
