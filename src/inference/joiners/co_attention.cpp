// Co-attention of two sources, grain: fine, as in model/joiners/co_attention.cpp, whose names the parts
// have.
#include <utility>

#include "inference/columns.h"
#include "inference/source_joiner.h"
#include "inference/state_attention.h"
#include "model/parameter_names_spec.h"

namespace heed {

namespace {

// Layers with rectifiers, one after the other (nn/rectified_layers.h).
class RectifiedLayers {
 public:
  RectifiedLayers(const char* name, int64_t count, const Packer& packer, const Kernels& set)
      : set_(set) {
    for (int64_t i = 0; i < count; ++i)
      layers_.push_back(packer.linear({names::rectified(name, i)}));
  }
  AlignedFloats operator()(AlignedFloats x, int64_t rows) const {
    for (const PackedMatrix& layer : layers_) {
      AlignedFloats y(static_cast<size_t>(rows * layer.outputs()));
      layer.product(x.data(), rows, y.data());
      set_.relu(y.data(), std::ssize(y));
      x = std::move(y);
    }
    return x;
  }

 private:
  const Kernels& set_;
  std::vector<PackedMatrix> layers_;
};

class CoAttention final : public SourceJoiner {
 public:
  CoAttention(const CoAttentionShape& shape, const Packer& packer, const Kernels& set)
      : shape_(shape),
        set_(set),
        attention_(shape.attention, names::kCoAttention, 0, packer, set),
        attend_(names::kCoAttend, shape.layers, packer, set),
        compare_(names::kCoCompare, shape.layers, packer, set),
        summarize_(names::kCoSummarize, shape.summary_layers, packer, set) {}

  void join(std::vector<Encoded>& sources) const override {
    Encoded &a = sources[0], &b = sources[1];
    AlignedFloats new_b = compared(b, read(b, b.states, a));
    Encoded read_b{.last = {}, .states = shape_.in_turn ? new_b : b.states, .begins = b.begins};
    AlignedFloats new_a = compared(a, read(a, a.states, read_b));
    a.states = std::move(new_a);
    b.states = std::move(new_b);
    const auto sentences = std::ssize(a.begins) - 1;
    const AlignedFloats of_a = aggregated(a), of_b = aggregated(b);
    AlignedFloats both;
    join_columns({{&of_a, shape_.compared}, {&of_b, shape_.compared}}, sentences, both);
    LastState last{.hidden = summarize_(std::move(both), sentences), .cell = {}};
    a.last = {last};
    b.last = {std::move(last)};
  }

 private:
  // Context vectors of the states of one source over the other.  [tokens,W]
  AlignedFloats read(const Encoded& reader, const AlignedFloats& states,
                     const Encoded& other) const {
    const Encoded memory{.last = {},
                         .states = attend_(other.states, other.begins.back()),
                         .values = other.states,
                         .begins = other.begins};
    const AlignedFloats queries = attend_(states, reader.begins.back());
    std::vector<AttendedSources> attended(reader.begins.size() - 1);
    attention_.add_sources(memory, attended);
    AlignedFloats found(states.size());
    StateAttention::Workspace room;
    for (size_t i = 0; i < attended.size(); ++i) {
      const int64_t begin = reader.begins[i], count = reader.begins[i + 1] - begin;
      attention_.attend_sentence(attended[i][0], queries.data() + begin * shape_.hidden, count,
                                 room, found.data() + begin * shape_.width);
    }
    return found;
  }

  // G([a_i; β_i]).  [tokens,·]
  AlignedFloats compared(const Encoded& own, const AlignedFloats& found) const {
    AlignedFloats both;
    const int64_t tokens = own.begins.back();
    join_columns({{&own.states, shape_.width}, {&found, shape_.width}}, tokens, both);
    return compare_(std::move(both), tokens);
  }

  // The sum or the mean of the states of each sentence.  [N,·]
  AlignedFloats aggregated(const Encoded& source) const {
    if (shape_.takes_mean)
      return mean_state(source.begins, source.states, shape_.compared, set_).hidden;
    return sum_of_states(source.begins, source.states, shape_.compared, set_);
  }

  CoAttentionShape shape_;
  const Kernels& set_;
  StateAttention attention_;
  RectifiedLayers attend_, compare_, summarize_;  // F, G, H
};

}  // namespace

std::unique_ptr<const SourceJoiner> joiner_kinds::co_attention(const CoAttentionShape& shape,
                                                               const Packer& packer,
                                                               const Kernels& set) {
  return std::make_unique<CoAttention>(shape, packer, set);
}

}  // namespace heed
