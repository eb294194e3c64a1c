// `type: episodic`: the episodic memory of a dynamic memory network (Kumar et al. 2016, section 2.3;
// DMN+, Xiong et al. 2016, sections 2 and 3.3) over facts f_i, the rows of the source, with the query
// as question q. The memory is m^0 = q; pass t = 1 … T has
//   features: four  z_i = [f_i ∘ q; f_i ∘ m; |f_i - q|; |f_i - m|], m = m^{t-1}   Xiong, equation 8
//   features: nine  z_i = [f_i; m; q; f_i ∘ q; f_i ∘ m; |f_i - q|; |f_i - m|; f_iᵀ W_b q;
//                   f_iᵀ W_b m]                                                   Kumar, section 2.3
//   Z_i = W_2 tanh(W_1 z_i + b_1) + b_2                                           Xiong, equation 9
//   gate: softmax   g = softmax(Z)                                                Xiong, equation 10
//   gate: sigmoid   g_i = σ(Z_i)                                                  Kumar, section 2.3
//   episode: soft_sum       c^t = Σ g_i f_i                                       Xiong, equation 11
//   episode: attention_gru  c^t = h_S,  h_i = g_i h~_i + (1 - g_i) h_{i-1}        Xiong, equation 12
//   episode: gated_gru      c^t = h_S,  h_i = g_i GRU(f_i, h_{i-1}) + (1 - g_i) h_{i-1}
//                                                                                 Kumar, section 2.3
//   update: gru     m^t = GRU(c^t, m^{t-1})                                       Kumar, section 2.3
//   update: relu    m^t = ReLU(W^t [m^{t-1}; c^t; q] + b)                         Xiong, equation 13
// with r_i = σ(W_r f_i + U_r h_{i-1} + b_r), h~_i = tanh(W f_i + r_i ∘ U h_{i-1} + b) and in the GRU
// u_i = σ(W_u f_i + U_u h_{i-1} + b_u), GRU = (1 - u_i) h~_i + u_i h_{i-1}. The context vector is
// m^T. Where keys and values of a source differ, z_i has the keys and the episode the values.
#include "nn/torch.h"

#include "base/error.h"
#include "nn/attention/builders.h"
#include "nn/attention/empty_rows.h"
#include "nn/attention/episodic_config.h"
#include "nn/attention/normalizers/masked_softmax.h"
#include "nn/attention/staged.h"
#include "nn/linear.h"
#include "nn/recurrent.h"
#include "nn/step_linear.h"

namespace heed {

namespace {

using Episode = EpisodicConfig::Episode;

// Facts that queries read.
struct Facts {
  Tensor keys;    // [R,S,W]
  Tensor inputs;  // [R,S,·] prepared for the episode
  Tensor mask;    // [R,1,S] or [R,T,S]
};

// Features and scores of facts.
class FactScorer final : public Module {
 public:
  // bias: whether b_2 counts; a softmax does not change with it.
  FactScorer(bool nine, int64_t width, int64_t hidden, bool bias)
      : inner_(*this, "inner", nine ? 7 * width + 2 : 4 * width, hidden),
        outer_(*this, "outer", hidden, 1, {.bias = bias}) {
    if (nine) bilinear_ = Linear(*this, "bilinear", width, width, kNoBias);
  }
  // Z.  [R,T,S]
  Tensor scores(const Tensor& facts, const Tensor& question, const Tensor& memory) const {
    const Tensor f = facts.unsqueeze(1), q = question.unsqueeze(2), m = memory.unsqueeze(2);
    std::vector<Tensor> z = {f * q, f * m, (f - q).abs(), (f - m).abs()};  // [R,T,S,W]
    if (bilinear_) {
      for (const Tensor& x : {f, q, m}) z.push_back(x.expand_as(z[0]));
      for (const Tensor& x : {question, memory})
        z.push_back(torch::matmul(bilinear_(x), facts.transpose(1, 2)).unsqueeze(3));
    }
    return outer_(torch::tanh(inner_(torch::cat(z, 3)))).squeeze(3);
  }

 private:
  Linear inner_, outer_, bilinear_;
};

// The GRU over the facts; its gates in order: r, h~, and u if it has an update gate.
class FactGru final : public Module {
 public:
  FactGru(bool updates, int64_t input, int64_t width) : updates_(updates), width_(width) {
    const int64_t gates = updates ? 3 : 2;
    weight_ = add_parameter("weight", {gates, width, input}, Init::matrices());
    bias_ = add_parameter("bias", {gates * width}, Init::all(0));
    recurrent_ = add_parameter("recurrent", {gates, width, width}, Init::recurrent());
  }
  // W f + b of all gates: [R,S,V] -> [R,S,G·W]
  Tensor prepare(const Tensor& facts) const { return linear(facts, weight_.flatten(0, 1), bias_); }
  // The last state, with gates [R,T,S].  [R,T,W]
  Tensor run(const Tensor& inputs, const Tensor& gates) const {
    const StepLinear by_state(recurrent_.flatten(0, 1));
    const auto known = inputs.unsqueeze(1).unbind(2);  // S × [R,1,G·W]
    const auto open = gates.unsqueeze(3).unbind(2);    // S × [R,T,1]
    Tensor h =
        torch::zeros({gates.size(0), gates.size(1), width_}, inputs.options().requires_grad(false));
    for (size_t i = 0; i < known.size(); ++i) {
      const Tensor state = by_state(h);
      const auto gate = [&](int64_t number) {
        return torch::sigmoid(part(known[i], number) + part(state, number));
      };
      Tensor next = torch::tanh(part(known[i], 1) + gate(0) * part(state, 1));  // h~
      if (updates_) next = next + gate(2) * (h - next);
      h = h + open[i] * (next - h);
    }
    return h;
  }

 private:
  Tensor part(const Tensor& gates, int64_t number) const {
    return gates.narrow(2, number * width_, width_);
  }

  bool updates_;
  int64_t width_;
  Tensor weight_, bias_, recurrent_;  // [G,W,V], [G·W], [G,W,W]
};

class EpisodicMemory final : public Attention {
 public:
  EpisodicMemory(const EpisodicConfig& config, const AttentionDims& dims);
  void start(const Sources& sources, StateView state) override;
  Attended attend(const Tensor& query, const Tensor& positions, StateView state) override;
  Attended attend_past(const Tensor& keys, const Tensor& values, const Tensor& query,
                       const Tensor& positions, StateView state) override;

 private:
  Tensor prepared(const Tensor& facts) const { return gru_ ? gru_->prepare(facts) : facts; }
  Attended read(const Facts& facts, const Tensor& question, const Pass& pass);
  // Gates of the facts.  [R,T,S]
  Tensor gates(const Facts& facts, const Tensor& question, const Tensor& memory) const;
  Tensor updated(int64_t pass, const Tensor& memory, const Tensor& episode,
                 const Tensor& question) const;

  EpisodicConfig config_;
  std::shared_ptr<FactScorer> scorer_;
  std::shared_ptr<FactGru> gru_;                       // none for a sum
  std::vector<Linear> layers_;                         // W^t with relu, of each pass or of all
  std::vector<std::shared_ptr<RecurrentCell>> cells_;  // the same with gru
  MemorySlot keys_ = layout_.memory("keys"), inputs_ = layout_.memory("inputs"),
             mask_ = layout_.memory("mask");
  EmptyRows empty_{layout_};
  CacheSlot past_keys_ = layout_.cache("past_keys", 1),
            past_inputs_ = layout_.cache("past_inputs", 1),
            past_positions_ = layout_.cache("past_positions", 1, kBehindAll);
};

EpisodicMemory::EpisodicMemory(const EpisodicConfig& config, const AttentionDims& dims)
    : config_(config) {
  const int64_t width = dims.query, fact = dims.source.value;
  scorer_ = register_module(
      "gate", std::make_shared<FactScorer>(config.features == EpisodicConfig::Features::kNine,
                                           width, config.hidden_width(dims),
                                           config.gate == EpisodicConfig::Gate::kSigmoid));
  const bool sums = config.episode == Episode::kSoftSum;
  if (!sums) {
    gru_ = register_module(
        "episode", std::make_shared<FactGru>(config.episode == Episode::kGatedGru, fact, width));
  }
  const int64_t episode = sums ? fact : width, count = config.shared ? 1 : config.passes;
  for (int64_t i = 0; i < count; ++i) {
    const std::string name = fmt::format("memory_{}", i);
    if (config.update == EpisodicConfig::Update::kRelu) {
      layers_.emplace_back(*this, name, 2 * width + episode, width);
    } else {
      cells_.push_back(register_module(
          name, std::make_shared<RecurrentCell>(CellKind::kGru, episode, width, CellNorm::kNone)));
    }
  }
}

void EpisodicMemory::start(const Sources& sources, StateView state) {
  HEED_CHECK(sources.size() == 1, "this attention reads one source, not {}", sources.size());
  const Source& source = sources.begin()->second;
  // Views: gradients are summed for each attention, so those of recomputed layers are the same.
  state.put(keys_, source.keys.view_as(source.keys));
  state.put(inputs_, prepared(source.values.view_as(source.values)));
  state.put(mask_, source.mask);
  empty_.put(source, state);
}

Attended EpisodicMemory::attend(const Tensor& query, const Tensor&, StateView state) {
  Attended result = read({state.get(keys_), state.get(inputs_), state.get(mask_).unsqueeze(1)},
                         query, state.pass());
  result.context = empty_.without(result.context, state);
  return result;
}

Attended EpisodicMemory::attend_past(const Tensor& keys, const Tensor& values, const Tensor& query,
                                     const Tensor& positions, StateView state) {
  const Tensor all = state.append(past_keys_, keys),
               inputs = state.append(past_inputs_, prepared(values)),
               places = state.append(past_positions_, positions);
  return read({all, inputs, places.unsqueeze(1) <= positions.unsqueeze(2)}, query, state.pass());
}

Attended EpisodicMemory::read(const Facts& facts, const Tensor& question, const Pass& pass) {
  Attended result;
  Tensor memory = question;  // m [R,T,W]
  for (int64_t t = 0; t < config_.passes; ++t) {
    const Tensor g = gates(facts, question, memory);
    const Tensor episode =
        gru_ ? gru_->run(facts.inputs, g) : torch::matmul(g, facts.inputs);  // c [R,T,·]
    memory = updated(t, memory, episode, question);
    if (!pass.keep_weights) continue;
    Attended& part = result.parts.emplace_back();
    part.weights = result.weights = g.unsqueeze(1);  // [R,1,T,S]
    part.form = result.form =
        config_.gate == EpisodicConfig::Gate::kSigmoid ? WeightForm::kGates : WeightForm::kShares;
    part.part = Part::kHop;
    part.hop = t;
  }
  result.context = memory;
  return result;
}

Tensor EpisodicMemory::gates(const Facts& facts, const Tensor& question,
                             const Tensor& memory) const {
  const Tensor scores = scorer_->scores(facts.keys, question, memory);
  return config_.gate == EpisodicConfig::Gate::kSoftmax
             ? masked_softmax(scores, facts.mask)
             : torch::sigmoid(scores).masked_fill(~facts.mask, 0);
}

Tensor EpisodicMemory::updated(int64_t pass, const Tensor& memory, const Tensor& episode,
                               const Tensor& question) const {
  const auto number = static_cast<size_t>(config_.shared ? 0 : pass);
  if (!layers_.empty())
    return torch::relu(layers_[number](torch::cat({memory, episode, question}, 2)));
  const CellState state{.hidden = memory.flatten(0, 1), .cell = {}};
  return UnrolledCell(*cells_[number])
      .step(0, episode.flatten(0, 1), state)
      .hidden.view(memory.sizes());
}

}  // namespace

std::shared_ptr<Attention> builders::episodic(const AttentionConfig& config,
                                              const AttentionDims& dims) {
  return std::make_shared<EpisodicMemory>(settings_as<EpisodicConfig>(config), dims);
}

}  // namespace heed
