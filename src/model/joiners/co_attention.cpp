// Co-attention: two sources attend to each other before the decoder attends to them.
//   attend     β_i = Σ_j softmax_j(e_ij) b_j,  α_j = Σ_i softmax_i(e_ij) a_i,  e_ij = F(a_i)ᵀ F(b_j)
//              (Parikh et al. 2016, equations 1 and 2); any other `attention:` may replace the
//              product
//   compare    v_i = G([a_i; β_i]),  u_j = G([b_j; α_j])                                (equation 3)
//   aggregate  [Σ_i v_i; Σ_j u_j] is the last state                                     (equation 4);
//              aggregate: mean keeps it the same size however long the sentences are
//   summary    with summary_layers, the last state is H([Σ_i v_i; Σ_j u_j])             (equation 5),
//              without H's last layer, the linear one
// F, G and H are two layers each, with rectifiers. The decoder attends to v and u.
//   grain: fine     every position of one attends to the other, as above
//   grain: coarse   the mean of one attends to the other, so each becomes one position
//   order: parallel   both attend to the encoder outputs
//   order: in_turn    the second attends to the first, then the first to the result
// The co-attention of Lu et al. 2016 is that of summary_co_attention.cpp.
#include "nn/torch.h"

#include "model/builders.h"
#include "model/joiners/co_attention_config.h"
#include "nn/attention/builders.h"
#include "nn/rectified_layers.h"

namespace heed {

namespace {

using Grain = CoAttentionConfig::Grain;
using Order = CoAttentionConfig::Order;
using Aggregate = CoAttentionConfig::Aggregate;

// The mean of the states, as one position.
Source mean_of(const Source& source) {
  return make_source(mean_state(source.keys, source.mask).unsqueeze(1),  // [R,1,W]
                     source.lengths.clamp_max(1));
}

class CoAttention final : public Joiner {
 public:
  CoAttention(const CoAttentionConfig& config, int64_t width) : config_(config) {
    attention_ =
        register_module("attention", build(*config.attention, config.attention_dims(width)));
    const int64_t compared = config.compared_width(width);
    attend_ = RectifiedLayers(*this, "attend", config.layers, width, config.hidden);       // F
    compare_ = RectifiedLayers(*this, "compare", config.layers, 2 * width, compared);      // G
    summarize_ = RectifiedLayers(*this, "summarize", config.summary_layers, 2 * compared,  // H
                                 config.hidden);
  }

  EncoderOutput join(EncoderOutput encoded, const Pass& pass) override {
    auto first = encoded.sources.begin(), second = std::next(first);
    const bool coarse = config_.grain == Grain::kCoarse;
    Source a = first->second.source, b = second->second.source;
    const Source reading_a = coarse ? mean_of(a) : a, reading_b = coarse ? mean_of(b) : b;
    const Names ab{first->first, second->first}, ba{second->first, first->first};
    // Context vectors of each source over the other.
    const Tensor in_a = read(reading_b, a, ba, pass, encoded);
    const Source new_b = compared(reading_b, in_a, pass);
    const bool in_turn = config_.order == Order::kInTurn;
    const Tensor in_b = read(reading_a, in_turn ? new_b : b, ab, pass, encoded);
    const Source new_a = compared(reading_a, in_b, pass);
    FinalState last;
    last.hidden = {summarize_(torch::cat({aggregated(new_a), aggregated(new_b)}, 1),
                              config_.dropout, pass)};  // [R,2W], or of H
    replace(first->second, new_a, last);
    replace(second->second, new_b, last);
    return encoded;
  }

 private:
  struct Names {
    std::string reader, read;
  };

  // Context vectors [R,S,W] of the positions of one source over the other; those of padding are
  // ignored.
  Tensor read(const Source& reader, const Source& other, const Names& names, const Pass& pass,
              EncoderOutput& output) {
    const auto prepared = [&](const Tensor& x) { return attend_(x, config_.dropout, pass); };
    Source memory = other;
    memory.keys = prepared(other.keys);
    State state(attention_->layout(), reader.keys.size(0), pass, reader.keys.device());
    attention_->start({{names.read, memory}}, state.view());
    Attended attended = attention_->attend(prepared(reader.keys), reader.positions, state.view());
    name_source(attended, names.read);
    return output.take({.place = Place::kCoAttention, .reader = names.reader}, std::move(attended),
                       reader.mask, pass);
  }

  Source compared(const Source& own, const Tensor& found, const Pass& pass) {
    const Tensor states = compare_(torch::cat({own.keys, found}, 2), config_.dropout, pass)
                              .masked_fill(~own.mask.unsqueeze(2), 0);
    Source compared = make_source(states, own.lengths);
    compared.features = own.features;
    return compared;
  }

  // Padding is 0.  [R,W]
  Tensor aggregated(const Source& source) const {
    if (config_.aggregate == Aggregate::kSum) return source.keys.sum(1);
    return mean_state(source.keys, source.mask);
  }

  void replace(EncodedSource& encoded, const Source& source, const FinalState& last) const {
    if (config_.grain == Grain::kCoarse) {
      encoded.pool(source,
                   uniform_weights(encoded.source.mask, source.keys).unsqueeze(1));  // [R,1,S]
    } else {
      encoded.source = source;
    }
    encoded.final_state = last;
  }

  CoAttentionConfig config_;
  std::shared_ptr<Attention> attention_;
  RectifiedLayers attend_, compare_, summarize_;  // F, G, H
};

}  // namespace

std::shared_ptr<Joiner> builders::co_attention(const JoinerConfig& config,
                                               const AllSourceDims& sources) {
  return std::make_shared<CoAttention>(settings_as<CoAttentionConfig>(config),
                                       sources.begin()->second.source.key);
}

}  // namespace heed
