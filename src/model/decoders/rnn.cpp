// A recurrent decoder.
//   attend: before   c_t = attention(s_{t-1}); s_t = cell([e_t; c_t], s_{t-1})
//   attend: after    s_t = cell(e_t, s_{t-1}); c_t = attention(s_t)
//   attend: conditional   s'_t = cell_1(e_t, s_{t-1}); c_t = attention(s'_t);
//                    s_t = cell_2(c_t, s'_t) (Firat and Cho 2016; Sennrich et al. 2017, section 2)
//   attend: deep_fusion   c_t is gated into the memory of the first layer, an LSTM (deep_fusion.h);
//                    the output layer does not read it
//   output_activation, with x_t = [s_t; c_t], and [s_t; c_t; e_t] with deep output:
//     tanh           h̃_t = tanh(W x_t)
//     linear         h̃_t = W x_t
//     maxout         h̃_t,j = max of positions 2j-1 and 2j of W x_t (Goodfellow et al. 2013)
//   With `output_state: previous` x_t has s_{t-1} instead of s_t.
//     none           h̃_t = s_t: the output layer of the model reads the state itself
// With `layer_norm_form: marian` W x_t + b is LN(W_s s_t) + LN(W_c c_t) + LN(W_e e_t) + b, each LN with
// its own gain, and the first state f(LN(W s) + b).
// Of several layers the first has these cells; of the others s^l_t = cell(s^{l-1}_t, s^l_{t-1}).
// The query is the state of the top layer, with `conditional` s'_t of the first one.
// With deep context (GNMT; Wu et al. 2016, section 3) the query is always of the first layer, and
// s^l_t = cell([s^{l-1}_t; c_t], s^l_{t-1}) for l > 1.
// A layer has `transition_depth` cells within a time step (nn/transition.h), the first layer
// `base_transition_depth`, the cell_1 and cell_2 of `conditional` among them:
//   u_2 = cell_2(c_t, s'_t); u_k = cell_k(u_{k-1}) for 2 < k <= N; s_t = u_N
// (Miceli Barone et al. 2017).
// Variational dropout multiplies the state that a cell reads, in its products, with one mask for all
// time steps; every cell has its own mask (Gal and Ghahramani 2016).
// Input feeding concatenates h̃_{t-1} to e_t. Context feeding puts x_t = W [e_t; c_{t-1}] + b in the
// place of e_t, with c_0 = 0 (See et al. 2017). The query, and s_t for outputs that read it, is the
// hidden state h_t, or with `read_state: hidden_and_cell` [h_t; c_t] of an LSTM. With a `past` h̃_t
// is computed from [p_t; r_t] instead of s_t (past.h). With an `intra_attention` a cell reads context
// vectors of its past instead of s_{t-1} (cell_attention.h); with `adaptive` it is applied several
// times (transition.h).
#include <functional>
#include <optional>

#include "nn/torch.h"

#include "model/builders.h"
#include "model/cell_attention.h"
#include "model/decoders/deep_fusion.h"
#include "model/decoders/past.h"
#include "model/decoders/rnn_config.h"
#include "model/parameter_names_spec.h"
#include "nn/attention/builders.h"
#include "nn/linear.h"
#include "nn/time_dropout.h"
#include "nn/transition.h"

namespace heed {

namespace {

using Attend = RnnDecoderConfig::Attend;
using Bridge = RnnDecoderConfig::Bridge;
using OutputActivation = RnnDecoderConfig::OutputActivation;
using OutputState = RnnDecoderConfig::OutputState;
using ReadState = RnnDecoderConfig::ReadState;

constexpr int64_t kPieces = 2;  // of a maxout

// Concatenates parts [R,..] of the input of a cell; undefined if there are none.
Tensor joined_parts(const std::vector<Tensor>& parts) {
  if (parts.empty()) return {};
  return parts.size() == 1 ? parts[0] : torch::cat(parts, 1);
}

class RnnDecoder final : public Decoder {
 public:
  RnnDecoder(const RnnDecoderConfig& config, const DecoderDims& dims) : config_(config) {
    const AttentionDims attention_dims = config.attention_dims(dims);
    const int64_t context = config.attention->context_width(attention_dims);
    attention_ = register_module("attention", build(*config.attention, attention_dims));
    cross_ = layout_.block("attention", attention_->layout());
    for (int64_t i = 0; i < config.layers; ++i) {
      std::vector<int64_t> inputs = {config.layer_dims(i, dims).input};
      if (is_conditional(i)) inputs.push_back(context);
      inputs.resize(i == 0 ? config.base_depth() : config.transition_depth, 0);
      layers_.push_back(make_layer(i, inputs));
    }
    if (config.attend == Attend::kDeepFusion) make_fusion(config.fused_source(dims), dims);
    output_dropout_ = dropout_at("output_mask", config.activation_width());
    if (config.output_activation != OutputActivation::kNone)
      make_output(config.outputs_context() ? context : 0, config.deep_output ? dims.input : 0);
    if (config.context_feeding) {
      context_ = context;
      merge_ = Linear(*this, "merge", dims.input + context, dims.input);
    }
    feeds_back_ = config.input_feeding || config.context_feeding ||
                  config.output_state == OutputState::kPrevious ||
                  (config.attend != Attend::kAfter && context > 0) || config.intra_attention ||
                  config.adaptive;
    if (config.past) {
      past_ = register_module("past", std::make_shared<Past>(*config.past, config.width));
      past_state_ = layout_.block("past", past_->layout());
    }
    bridge_from_ = config.first_state_of(dims);
    if (!dims.sources.empty()) make_bridge(dims.sources.at(bridge_from_));
  }

  void start(const EncoderOutput& source, StateView state) override {
    attention_->start(source.memories(), state[cross_]);
    FinalState first;
    if (!bridge_from_.empty()) first = first_state(source.sources.at(bridge_from_));
    const Tensor like = parameters().front();
    for (size_t i = 0; i < layers_.size(); ++i) {
      const CellState zero = layers_[i].transition.zeros(state.rows(), like);
      const auto& first_cell = first.cell.empty() || has_one_bridge() ? first.hidden : first.cell;
      CellState start{bridged(first.hidden, 2 * i, zero.hidden), {}};
      if (zero.cell.defined()) start.cell = bridged(first_cell, 2 * i + 1, zero.cell);
      keep(start, layers_[i], state);
      layers_[i].input_dropout.start(like, state);
      layers_[i].state_dropout.start(like, state);
    }
    output_dropout_.start(like, state);
    const auto zeros = [&](int64_t width) {
      return torch::zeros({state.rows(), width}, like.options().requires_grad(false));
    };
    if (config_.input_feeding) state.put(fed_, zeros(config_.activation_width()));
    if (config_.context_feeding) state.put(fed_context_, zeros(context_));
  }

  Step advance(const Tensor& inputs, StateView state) override {
    const Tensor positions = take_positions(state, inputs.size(1));  // [R,T]
    Step step;
    step.input = inputs;
    step.hidden = feeds_back_ ? one_by_one(inputs, positions, state, step)
                              : all_at_once(inputs, positions, state, step);
    return step;
  }

 private:
  struct Layer {
    Transition transition;
    CarrySlot hidden, cell;     // [R,W]; cell: LSTM only
    TimeDropout input_dropout;  // of a layer above the first
    TimeDropout state_dropout;  // of the states that cells read [R,N·W]
    std::shared_ptr<CellAttention> intra{};
    StateBlock intra_state{};
  };

  // A layer in the steps of a call.
  struct UnrolledLayer {
    UnrolledTransition transition;
    std::vector<Attended> intra{};  // of each step
  };

  struct StepInputs {
    int64_t t;
    Tensor position;   // [R,1]
    Tensor known{};    // [R,E] token, the part of the first layer's input that is known in advance;
                       // undefined with context feeding
    Tensor rest{};     // [R,·] the other part; undefined: none
    Tensor context{};  // [R,V] undefined before the attention
    Tensor added{};    // [R,W] to the memory of the first layer; undefined: nothing
    // Input of the first layer.  [R,I]
    Tensor whole() const {
      return !known.defined() ? rest : rest.defined() ? torch::cat({known, rest}, 1) : known;
    }
  };

  // Applies the attention to queries [R,W] of one step -> its context vectors [R,V].
  using Look = std::function<Tensor(const Tensor& query)>;

  // inputs: as in Transition()
  Layer make_layer(int64_t i, const std::vector<int64_t>& inputs) {
    CellForm form{config_.cell, config_.width, config_.norm.of_cells(), config_.reset};
    if (config_.adaptive) form.adaptive = config_.adaptive->halting;
    const int64_t states = std::ssize(inputs) * config_.width;
    Layer layer{
        .transition = Transition(*this, names::layer(i), form, inputs),
        .hidden = layout_.carry(fmt::format("hidden_{}", i)),
        .cell = layout_.carry(fmt::format("cell_{}", i)),
        .input_dropout =
            i == 0 ? TimeDropout() : dropout_at(fmt::format("input_mask_{}", i), config_.width),
        .state_dropout = TimeDropout(layout_, fmt::format("state_mask_{}", i),
                                     config_.variational_dropout, states, DropoutMask::kSequence)};
    if (!config_.intra_attention) return layer;
    layer.intra = register_module(
        names::layer(i) + "_intra",
        std::make_shared<CellAttention>(
            *config_.intra_attention, RecurrentDims{config_.cell, inputs.front(), config_.width}));
    layer.intra_state = layout_.block(fmt::format("intra_{}", i), layer.intra->layout());
    return layer;
  }

  void make_fusion(const SourceDims& source, const DecoderDims& dims) {
    fusion_ = register_module(
        "fusion", std::make_shared<DeepFusion>(config_.layer_dims(0, dims).input,
                                               source.source.value - source.memory, source.memory));
    fusion_state_ = layout_.block("fusion", fusion_->layout());
  }

  TimeDropout dropout_at(const std::string& name, int64_t width) {
    return {layout_, name, config_.dropout, width, config_.dropout_mask};
  }

  bool is_conditional(size_t layer) const {
    return layer == 0 && config_.attend == Attend::kConditional;
  }

  // Layer whose state is the query.
  size_t query_layer() const {
    return is_conditional(0) || config_.deep_context ? 0 : layers_.size() - 1;
  }

  // Widths of the context vector and the token that the layer reads beside the state.
  void make_output(int64_t context, int64_t token) {
    const int64_t pieces = config_.output_activation == OutputActivation::kMaxout ? kPieces : 1,
                  width = pieces * config_.activation_width(), state = config_.read_width();
    output_ = Linear(*this, "output", state + context + token, width);
    if (!config_.norm.has_marian_form()) return;
    for (const auto& [part, read] :
         {std::pair{"state", state}, {"context", context}, {"token", token}}) {
      if (read > 0)
        output_norms_.push_back(
            add_parameter(std::string("output_norm_") + part, {width}, Init::all(1)));
    }
  }

  // One projection for the states of all layers.
  bool has_one_bridge() const {
    return config_.bridge == Bridge::kShared || config_.bridge == Bridge::kMean;
  }

  // States of the encoder from which the decoder begins.
  FinalState first_state(const EncodedSource& encoded) const {
    if (config_.bridge != Bridge::kMean) return encoded.final_state;
    return {.hidden = {mean_state(encoded.source.keys, encoded.source.mask)}, .cell = {}};
  }

  void add_bridge(const std::string& name, int64_t from) {
    bridges_.emplace_back(*this, name, from, config_.width);
    bridge_norms_.push_back(config_.norm.has_marian_form()
                                ? add_parameter(name + "_norm", {config_.width}, Init::all(1))
                                : Tensor());
  }

  // Makes projections for the hidden state and the cell of each layer, from the same layer of the
  // encoder or from its last one; or one projection.
  void make_bridge(const SourceDims& source) {
    if (has_one_bridge())
      add_bridge("bridge",
                 config_.bridge == Bridge::kMean ? source.source.key : source.final_width);
    if (config_.bridge != Bridge::kTanh && config_.bridge != Bridge::kRelu &&
        config_.bridge != Bridge::kBackward)
      return;
    const int64_t from =
        config_.bridge == Bridge::kBackward ? source.backward_width : source.final_width;
    const int64_t parts = config_.layers * 2;
    for (int64_t part = 0; part < parts; ++part) {
      if (config_.cell == CellKind::kLstm || part % 2 == 0) {
        add_bridge(fmt::format("bridge_{}", part), from);
      } else {
        bridges_.emplace_back();
        bridge_norms_.emplace_back();
      }
    }
  }

  Tensor bridged(const std::vector<Tensor>& layers, size_t part, const Tensor& zero) {
    if (config_.bridge == Bridge::kNone || layers.empty()) return zero;
    if (has_one_bridge()) return projected(0, layers.back()).tanh();
    const Tensor& from = layers[std::min(part / 2, layers.size() - 1)];  // [R,W]
    if (config_.bridge == Bridge::kLast) return from;
    const int64_t read = bridges_[part].weight().size(1);
    // The backward state is the end of `from`.
    const Tensor state = projected(part, from.narrow(1, from.size(1) - read, read));
    return config_.bridge == Bridge::kRelu ? state.relu() : state.tanh();
  }

  // Applies a bridge to x [R,·].  [R,W]
  Tensor projected(size_t part, const Tensor& x) const {
    const Linear& bridge = bridges_[part];
    const Tensor& gain = bridge_norms_[part];
    if (!gain.defined()) return bridge(x);
    return normed_product(x, bridge.weight(), gain) + bridge.bias();
  }

  static CellState state_of(const Layer& layer, const StateView& own) {
    CellState state{own.get(layer.hidden), {}};
    if (own.has(layer.cell)) state.cell = own.get(layer.cell);
    return state;
  }

  static void keep(const CellState& state, const Layer& layer, StateView own) {
    own.put(layer.hidden, state.hidden);
    if (state.cell.defined()) own.put(layer.cell, state.cell);
  }

  Tensor skipping(const Tensor& hidden, const Tensor& input, size_t layer) const {
    return config_.residual && layer > 0 ? hidden + input : hidden;
  }

  // x [..,W] of a layer below, context [..,V] -> input of layer i.
  Tensor with_context(const Tensor& x, const Tensor& context, size_t i) const {
    return i > 0 && config_.deep_context ? torch::cat({x, context}, -1) : x;
  }

  // s_t of a hidden state and the memory cell below it, [..,W] each.  [..,D]
  Tensor state_read(const Tensor& hidden, const Tensor& cell) const {
    return config_.read_state == ReadState::kHiddenAndCell ? torch::cat({hidden, cell}, -1)
                                                           : hidden;
  }

  // The state that layer i reads at this step.  x [R,I]: its input besides a known token
  CellState state_before(size_t i, const StepInputs& at, const Tensor& x, UnrolledLayer& unrolled,
                         StateView own) const {
    const Layer& layer = layers_[i];
    CellState state = state_of(layer, own);
    if (layer.intra)
      state = layer.intra->read(i > 0 ? x : at.whole(), state, at.position, own[layer.intra_state],
                                unrolled.intra.emplace_back());
    if (i == 0) state.added = at.added;
    return state;
  }

  // Runs all layers for a step -> state of the top layer; with residual connections its hidden state
  // is the sum.
  CellState run_layers(std::vector<UnrolledLayer>& unrolled, StepInputs at, const Look& look,
                       StateView own) {
    Tensor x = at.rest, cell;
    for (size_t i = 0; i < layers_.size(); ++i) {
      const Layer& layer = layers_[i];
      UnrolledTransition& transition = unrolled[i].transition;
      x = layer.input_dropout(x, own, own.pass());
      const Tensor masks = layer.state_dropout.mask(own);  // [R,N·W]
      const Tensor input = with_context(x, at.context, i);
      CellState state = state_before(i, at, input, unrolled[i], own);
      if (is_conditional(i)) {
        state = transition.begin(at.t, input, state, masks);
        at.context = look(state_read(state.hidden, state.cell));
        state = transition.finish(at.context, state, masks);
      } else {
        state = transition.step(at.t, input, state, masks);
      }
      keep(state, layer, own);
      x = skipping(state.hidden, x, i);
      cell = state.cell;
      if (config_.attend == Attend::kAfter && i == query_layer())
        at.context = look(state_read(x, cell));
    }
    return {x, cell};
  }

  // Input of the output layer from states [R,T,W]: the states, or their part p and the context
  // vectors of the past.  [R,T,P+V]
  Tensor output_states(const Tensor& hidden, const Tensor& positions, StateView own,
                       std::vector<Attended>& remembered) {
    if (!past_) return hidden;
    return past_->read(hidden, positions, own[past_state_], remembered.emplace_back());
  }

  // states [..,P+V], context [..,V], embedded [..,E] -> h̃ [..,W]
  Tensor attentional(const Tensor& states, const Tensor& context, const Tensor& embedded,
                     const std::optional<StepLinear>& output) const {
    if (!output) return states;
    std::vector<Tensor> parts = {states};
    if (config_.outputs_context()) parts.push_back(context);
    if (config_.deep_output) parts.push_back(embedded);
    const Tensor x = output_norms_.empty() ? (*output)(torch::cat(parts, -1)) : normed_sum(parts);
    if (config_.output_activation == OutputActivation::kLinear) return x;
    return config_.output_activation == OutputActivation::kMaxout
               ? std::get<0>(x.unflatten(-1, {config_.activation_width(), kPieces}).max(-1))
               : x.tanh();
  }

  // The output layer of parts [..,·] whose products are normalized.
  Tensor normed_sum(const std::vector<Tensor>& parts) const {
    Tensor sum = output_.bias();
    int64_t begin = 0;
    auto gain = output_norms_.begin();
    for (const Tensor& part : parts) {
      const int64_t width = part.size(-1);
      if (width == 0) continue;
      const Tensor weight = output_.weight().narrow(1, begin, width);
      sum = sum + normed_product(part, weight, *gain++);
      begin += width;
    }
    return sum;
  }

  static std::optional<StepLinear> by_step(const Linear& layer) {
    if (!layer) return std::nullopt;
    return std::optional<StepLinear>(std::in_place, layer.weight(), layer.bias());
  }

  Attended attend(const Tensor& query, const Tensor& positions, StateView own) {
    return attend_by_hypothesis(*attention_, query, positions, own[cross_]);
  }

  // Processes steps that use the context vector of their query or of the previous query.
  Tensor one_by_one(const Tensor& inputs, const Tensor& positions, StateView own, Step& step) {
    const Layer& asks = layers_[query_layer()];
    const Pass whole = own.pass(), output_pass = whole.fork();
    own.pass() = whole.fork();  // of all steps together
    const std::optional<StepLinear> output = by_step(output_), merge = by_step(merge_);
    std::vector<UnrolledLayer> unrolled;
    for (const Layer& layer : layers_)
      unrolled.push_back(
          {UnrolledTransition(layer.transition, unrolled.empty() && !merge ? inputs : Tensor())});
    const auto embedded = inputs.unbind(1);  // T × [R,E]
    std::vector<Tensor> merged, hidden, states, outputs;
    std::vector<Attended> attended, remembered;
    for (int64_t t = 0; t < inputs.size(1); ++t) {
      const Tensor position = positions.narrow(1, t, 1);
      const Look look = [&](const Tensor& query) {
        attended.push_back(attend(query.unsqueeze(1), position, own));
        return attended.back().context.squeeze(1);
      };
      const Tensor& token = embedded[static_cast<size_t>(t)];
      StepInputs at{t, position};
      std::vector<Tensor> rest;
      if (merge) {
        merged.push_back((*merge)(torch::cat({token, own.get(fed_context_)}, 1)));
        rest.push_back(merged.back());
      } else {
        at.known = token;
      }
      if (config_.attend == Attend::kBefore) {
        const CellState before = state_of(asks, own);
        at.context = look(state_read(before.hidden, before.cell));
        if (at.context.size(1) > 0) rest.push_back(at.context);
      }
      if (config_.input_feeding) rest.push_back(own.get(fed_));
      at.rest = joined_parts(rest);
      if (fusion_) fuse(at, look, own);
      const Tensor previous = own.get(layers_.back().hidden);  // s_{t-1}
      const CellState top = run_layers(unrolled, at, look, own);
      hidden.push_back(config_.output_state == OutputState::kPrevious ? previous : top.hidden);
      states.push_back(state_read(top.hidden, top.cell));
      if (merge) own.put(fed_context_, attended.back().context.squeeze(1));
      if (!config_.input_feeding) continue;
      const Tensor now = output_states(hidden.back().unsqueeze(1), position, own, remembered);
      const Tensor read =
          attentional(now.squeeze(1), attended.back().context.squeeze(1), token, output);
      outputs.push_back(output_dropout_(read, own, output_pass));
      own.put(fed_, outputs.back());
    }
    own.pass() = whole;
    const Tensor context = step.take({.place = Place::kCross}, join_queries(attended));
    take_layers(unrolled, step);
    step.state = torch::stack(states, 1);             // [R,T,D]
    if (merge) step.input = torch::stack(merged, 1);  // [R,T,E]
    Tensor read;
    if (!config_.input_feeding)
      read = output_states(torch::stack(hidden, 1), positions, own, remembered);  // [R,T,P+V]
    if (past_) step.take({.place = Place::kDecoderSelf}, join_queries(remembered));
    if (config_.input_feeding) return torch::stack(outputs, 1);  // [R,T,W]
    return output_dropout_(attentional(read, context, inputs, output), own, output_pass);
  }

  // Reads the source into the memory that the first layer adds.
  void fuse(StepInputs& at, const Look& look, StateView own) const {
    const StateView state = own[fusion_state_];
    const Tensor x = at.whole();
    at.context = look(fusion_->query(x, state));
    at.added = fusion_->memory(x, at.context, state);
  }

  // Stores the intra-attentions and ponder costs of the layers.
  void take_layers(const std::vector<UnrolledLayer>& unrolled, Step& step) const {
    for (size_t i = 0; i < unrolled.size(); ++i) {
      if (!unrolled[i].intra.empty()) {
        Attended intra = join_queries(unrolled[i].intra);
        intra.part = Part::kInCell;
        step.take({.place = Place::kDecoderSelf, .layer = static_cast<int64_t>(i)},
                  std::move(intra));
      }
      const Tensor ponder = unrolled[i].transition.ponder();  // [R,T]
      if (ponder.defined())
        step.losses.push_back(
            {.name = "ponder", .value = ponder, .weight = config_.adaptive->halting.ponder});
    }
  }

  Tensor all_at_once(const Tensor& inputs, const Tensor& positions, StateView own, Step& step) {
    Tensor hidden = inputs;  // [R,T,E], then [R,T,W]
    Tensor context;          // [R,T,V]
    Tensor read;             // [R,T,D] state that the attention reads, of the top layer in the end
    for (size_t i = 0; i < layers_.size(); ++i) {
      const Layer& layer = layers_[i];
      hidden = layer.input_dropout(hidden, own, own.pass());
      UnrolledTransition unrolled(layer.transition, with_context(hidden, context, i));
      CellState state = state_of(layer, own);
      const Tensor masks = layer.state_dropout.mask(own);  // [R,N·W]
      std::vector<Tensor> states, cells;
      for (int64_t t = 0; t < inputs.size(1); ++t) {
        state = unrolled.step(t, {}, state, masks);
        states.push_back(state.hidden);
        cells.push_back(state.cell);
      }
      keep(state, layer, own);
      hidden = skipping(torch::stack(states, 1), hidden, i);
      const bool reads_cells = config_.read_state == ReadState::kHiddenAndCell;
      read = state_read(hidden, reads_cells ? torch::stack(cells, 1) : Tensor());
      if (i == query_layer())
        context = step.take({.place = Place::kCross}, attend(read, positions, own));
    }
    step.state = read;
    std::vector<Attended> remembered;
    const Tensor states = output_states(hidden, positions, own, remembered);
    if (past_) step.take({.place = Place::kDecoderSelf}, std::move(remembered.front()));
    return output_dropout_(attentional(states, context, inputs, by_step(output_)), own, own.pass());
  }

  RnnDecoderConfig config_;
  std::shared_ptr<Attention> attention_;
  std::vector<Layer> layers_;
  std::shared_ptr<Past> past_;
  std::shared_ptr<DeepFusion> fusion_;
  std::string bridge_from_;  // the source whose final state initializes the decoder; empty: none
  std::vector<Linear> bridges_;
  std::vector<Tensor> bridge_norms_;  // of each bridge [W], undefined without
  std::vector<Tensor> output_norms_;  // of each part that the output layer reads; empty: none
  Linear output_, merge_;             // none, if the settings have none
  int64_t context_ = 0;               // width of the context vector that is fed
  bool feeds_back_ = false;           // true if a step needs the result of the previous one
  TimeDropout output_dropout_;
  StateBlock cross_, past_state_, fusion_state_;
  CarrySlot fed_ = layout_.carry("fed");                  // h̃ of the previous step [R,W]
  CarrySlot fed_context_ = layout_.carry("fed_context");  // c of the previous step [R,V]
};

}  // namespace

std::shared_ptr<Decoder> builders::rnn_decoder(const DecoderConfig& config,
                                               const DecoderDims& dims) {
  return std::make_shared<RnnDecoder>(settings_as<RnnDecoderConfig>(config), dims);
}

}  // namespace heed
