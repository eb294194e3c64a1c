// Lightweight and dynamic convolution in place of self-attention (Wu et al. 2019, section 3 and
// figure 2): W_O y_i, y_ic = Σ_j a_hj x_(i+j-before)c over K positions for a feature c of head h, x =
// GLU(W_I s) of the inputs s, 0 outside of the sentence. An encoder reads (K-1)/2 positions on each
// side, a decoder the K-1 before its own.
//   lightweight   a_h = softmax(W_h), W [H,K] (equation 5)
//   dynamic       a_h = softmax(W_h x_i), computed from the position i that reads (section 4)
#include <vector>

#include "nn/torch.h"

#include "base/error.h"
#include "nn/attention/builders.h"
#include "nn/attention/convolution_config.h"
#include "nn/attention/empty_rows.h"
#include "nn/linear.h"

namespace heed {

namespace {

class Convolution final : public Attention {
 public:
  Convolution(const ConvolutionConfig& config, const AttentionDims& dims)
      : heads_(config.head_count(dims)),
        kernel_(config.kernel),
        gated_(config.gated_input),
        dropout_(config.dropout),
        input_(*this, "input", dims.query, gated_ ? 2 * dims.query : dims.query),
        output_(*this, "output", dims.query, dims.query) {
    if (config.is_dynamic()) {
      predicted_ = Linear(*this, "kernel", dims.query, heads_ * kernel_, kNoBias);
    } else {
      fixed_ = add_parameter("kernel", {heads_, kernel_}, Init::matrix());
    }
  }

  void start(const Sources& sources, StateView state) override {
    HEED_CHECK(sources.size() == 1, "a convolution of one source, not of {}", sources.size());
    const Source& source = sources.begin()->second;
    const int64_t around = kernel_ / 2;
    const Tensor x = input(source.values).masked_fill(~source.mask.unsqueeze(2), 0);
    state.put(inputs_, torch::constant_pad_nd(x, {0, 0, around, around}));  // [R,K-1+S,W]
    empty_.put(source, state);
  }

  Attended attend(const Tensor& query, const Tensor& positions, StateView state) override {
    const Tensor& x = state.get(inputs_);
    const bool all = x.size(1) - kernel_ + 1 == query.size(1);
    const Tensor index = positions.unsqueeze(2).expand({-1, -1, x.size(2)});
    // The last of the inputs is 0.
    const auto tap = [&](int64_t j) {
      return all ? x.narrow(1, j, query.size(1))
                 : x.gather(1, (index + j).clamp_max(x.size(1) - 1));
    };
    const Tensor asking = predicted_ ? input(query) : query;
    Attended attended;
    attended.context = empty_.without(output_(sums(weights(asking, state.pass()), tap)), state);
    return attended;
  }

  Attended attend_past(const Tensor&, const Tensor& values, const Tensor& query, const Tensor&,
                       StateView state) override {
    const Tensor x = input(values);  // [R,T,W]
    const Tensor before =
        state.has(past_) ? state.get(past_) : x.new_zeros({x.size(0), kernel_ - 1, x.size(2)});
    const Tensor all = torch::cat({before, x}, 1);  // [R,K-1+T,W]
    const int64_t count = x.size(1);
    state.put(past_, all.narrow(1, count, kernel_ - 1));
    const Tensor asking = !predicted_ || query.is_same(values) ? x : input(query);
    Attended attended;
    attended.context = output_(
        sums(weights(asking, state.pass()), [&](int64_t j) { return all.narrow(1, j, count); }));
    return attended;
  }

 private:
  Tensor input(const Tensor& x) const { return gated_ ? torch::glu(input_(x), -1) : input_(x); }

  // x [R,T,W] -> [R,1|T,H,K]
  Tensor weights(const Tensor& x, const Pass& pass) const {
    const Tensor scores = predicted_ ? predicted_(x).unflatten(2, {heads_, kernel_})
                                     : fixed_.expand({x.size(0), 1, -1, -1});
    return heed::dropout(torch::softmax(scores, 3), dropout_, pass);
  }

  // tap(j): the inputs that weight j belongs to, [R,T,W].  -> [R,T,W]
  template <class Tap>
  Tensor sums(const Tensor& weights, const Tap& tap) const {
    const auto factors = weights.unsqueeze(4).unbind(3);  // K × [R,1|T,H,1]
    Tensor sum;
    for (int64_t j = 0; j < kernel_; ++j) {
      const Tensor part =
          factors[static_cast<size_t>(j)] * tap(j).unflatten(2, {heads_, -1});  // [R,T,H,W/H]
      sum = j == 0 ? part : sum + part;
    }
    return sum.flatten(2);
  }

  int64_t heads_, kernel_;
  bool gated_;
  double dropout_;
  Linear input_, output_;
  Linear predicted_;  // dynamic
  Tensor fixed_;      // lightweight [H,K]
  EmptyRows empty_{layout_};
  MemorySlot inputs_ = layout_.memory("inputs");
  CarrySlot past_ = layout_.carry("past");  // the last inputs [R,K-1,W]
};

}  // namespace

std::shared_ptr<Attention> builders::lightweight_convolution(const AttentionConfig& config,
                                                             const AttentionDims& dims) {
  return std::make_shared<Convolution>(settings_as<ConvolutionConfig>(config), dims);
}
std::shared_ptr<Attention> builders::dynamic_convolution(const AttentionConfig& config,
                                                         const AttentionDims& dims) {
  return std::make_shared<Convolution>(settings_as<ConvolutionConfig>(config), dims);
}

}  // namespace heed
