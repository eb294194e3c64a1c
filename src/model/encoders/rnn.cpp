// A recurrent encoder. Each layer runs over the sentence in one direction or in both, whose outputs
// are concatenated or summed. With `stacks: separate` a direction reads that of the layer below alone;
// with `alternating` the two stacks turn round at each layer, so that the first runs forward,
// backward, forward (Zhou et al. 2016, "Deep Recurrent Models with Fast-Forward Connections for Neural
// Machine Translation"; Miceli Barone et al. 2017). With an `intra_attention` a cell reads context vectors of its past
// states instead of the last one (model/cell_attention.h); with `adaptive` it is applied several
// times in a time step (nn/transition.h). With a `memory_tape` the values of a position are [h; c] of
// the last layer.
#include "nn/torch.h"

#include "model/builders.h"
#include "model/cell_attention.h"
#include "model/encoders/rnn_config.h"
#include "model/parameter_names_spec.h"
#include "model/recomputed_layer.h"
#include "nn/time_dropout.h"
#include "nn/transition.h"

namespace heed {

namespace {

class RnnEncoder final : public Encoder {
 public:
  RnnEncoder(const RnnEncoderConfig& config, int64_t input) : config_(config) {
    const int64_t directions = config.bidirectional ? 2 : 1;
    CellForm form{config.cell, config.cell_width(), config.norm.of_cells(), config.reset};
    if (config.adaptive) form.adaptive = config.adaptive->halting;
    std::vector<int64_t> inputs(static_cast<size_t>(config.transition_depth), 0);
    for (int64_t layer = 0; layer < config.layers; ++layer) {
      inputs[0] = config.layer_dims(layer, input).input;
      for (int64_t direction = 0; direction < directions; ++direction) {
        const std::string name =
            direction == 0 ? names::forward_layer(layer) : names::backward_layer(layer);
        transitions_.emplace_back(*this, name, form, inputs);
        if (config.intra_attention) {
          intra_.push_back(register_module(
              name + "_intra", std::make_shared<CellAttention>(*config.intra_attention,
                                                               config.layer_dims(layer, input))));
        }
      }
    }
  }

  EncodedSource encode(const Tensor& embedded, const SourceBatch& source, const Pass& pass,
                       EncoderOutput& output) override {
    // Sutskever et al. 2014: the source from its last word to its first; positions are turned back
    // below.
    const Tensor turned = config_.reverse ? reversal(source.lengths, embedded.size(1)) : Tensor();
    Tensor x = config_.reverse ? turned_by(embedded, turned) : embedded;  // [R,S,E]
    EncodedSource encoded;
    Tensor memory;  // [R,S,W] of the last layer
    for (int64_t layer = 0; layer < config_.layers; ++layer) {
      Layer result = through(layer, x, source.lengths, pass);
      x = result.output;  // [R,S,W]
      memory = result.memory;
      encoded.final_state.hidden.push_back(result.hidden);
      if (result.cell.defined()) encoded.final_state.cell.push_back(result.cell);
      for (Attended& attended : result.attended) {
        if (config_.reverse) attended = turned_by(std::move(attended), turned);
        output.take({.place = Place::kEncoderSelf, .layer = layer}, std::move(attended),
                    source.mask, pass);
      }
      if (result.ponder.defined()) take_ponder(result.ponder, turned, source.mask, output);
    }
    if (config_.reverse) x = turned_by(x, turned);
    if (config_.reverse && memory.defined()) memory = turned_by(memory, turned);
    encoded.source = make_source(dropped(x, pass), source.lengths);
    if (memory.defined()) encoded.source.values = torch::cat({encoded.source.keys, memory}, 2);
    encoded.source.features = source.features;
    return encoded;
  }

 private:
  // Results of a layer.
  struct Layer {
    Tensor output;                     // [R,S,W]
    Tensor hidden, cell;               // [R,W] final state; cell: LSTM only
    Tensor ponder;                     // [R,S], the sum of both directions; of adaptive layers
    Tensor memory;                     // [R,S,W] cell states; if keeps_memory()
    std::vector<Attended> attended{};  // of each direction with an intra-attention
  };

  bool keeps_memory(int64_t layer) const {
    return config_.memory_tape && layer + 1 == config_.layers;
  }

  Tensor dropped(const Tensor& x, const Pass& pass) const {
    return dropout_over_time(x, config_.dropout, config_.dropout_mask, pass);
  }

  // turned: as in encode()
  void take_ponder(const Tensor& ponder, const Tensor& turned, const Tensor& mask,
                   EncoderOutput& output) const {
    const Tensor cost = turned.defined() ? ponder.gather(1, turned) : ponder;
    output.take_losses(
        {{.name = "ponder", .value = cost, .weight = config_.adaptive->halting.ponder}}, mask);
  }

  // x [R,S,W] of the layer below
  Layer through(int64_t layer, const Tensor& x, const Tensor& lengths, const Pass& pass) {
    if (!recomputes(pass) || !config_.can_recompute()) return run_layer(layer, x, lengths, pass);
    const NetworkPart run = [this, layer, lengths](const std::vector<Tensor>& inputs,
                                                   const Pass& own) {
      const Layer result = run_layer(layer, inputs[0], lengths, own);
      std::vector<Tensor> tensors = {result.output, result.hidden};
      for (const Tensor& tensor : {result.cell, result.ponder, result.memory}) {
        if (tensor.defined()) tensors.push_back(tensor);
      }
      return tensors;
    };
    const std::vector<Tensor> tensors = recomputed(run, {x}, parameters(), pass);
    size_t next = 2;
    const auto take = [&](bool is_there) { return is_there ? tensors.at(next++) : Tensor(); };
    Layer result{tensors[0], tensors[1], {}, {}, {}};
    result.cell = take(config_.cell == CellKind::kLstm);
    result.ponder = take(config_.adaptive.has_value());
    result.memory = take(keeps_memory(layer));
    return result;
  }

  Layer run_layer(int64_t layer, const Tensor& x, const Tensor& lengths, const Pass& pass) {
    const Tensor input = layer == 0 ? x : dropped(x, pass);
    Layer result;
    std::vector<Tensor> outputs, hidden, cell, memory;
    for (const bool second : {false, true}) {
      if (second && !config_.bidirectional) break;
      const auto index = static_cast<size_t>(config_.bidirectional ? 2 * layer + second : layer);
      const bool backwards = config_.runs_backwards(layer, second);
      const Tensor read = layer > 0 && config_.reads_own_stack()
                              ? input.chunk(2, 2)[static_cast<size_t>(second)]
                              : input;  // [R,S,I]
      TransitionOptions options{.backwards = backwards,
                                .variational_dropout = config_.variational_dropout,
                                .keeps_cells = keeps_memory(layer)};
      std::optional<CellAttentionSteps> steps;
      if (!intra_.empty()) options.reads = steps.emplace(*intra_[index], read, pass).reader();
      const CellRun run = run_transition(transitions_[index], read, lengths, options, pass);
      outputs.push_back(run.outputs);
      hidden.push_back(run.final_state.hidden);
      if (run.final_state.cell.defined()) cell.push_back(run.final_state.cell);
      if (run.cells.defined()) memory.push_back(run.cells);
      if (run.ponder.defined())
        result.ponder = result.ponder.defined() ? result.ponder + run.ponder : run.ponder;
      if (steps) result.attended.push_back(direction_of(*steps, lengths, backwards));
    }
    const Tensor output = combined(outputs);
    result.output = config_.residual && layer > 0 ? output + x : output;
    result.hidden = combined(hidden);
    if (!cell.empty()) result.cell = combined(cell);
    if (!memory.empty()) result.memory = combined(memory);
    return result;
  }

  Attended direction_of(const CellAttentionSteps& steps, const Tensor& lengths,
                        bool backwards) const {
    Attended attended = steps.attended(lengths);
    if (config_.bidirectional) attended.part = backwards ? Part::kBackward : Part::kForward;
    return backwards ? turned_by(std::move(attended), reversal(lengths, steps.size())) : attended;
  }

  // Combines the results of one direction, or of both.  [..,W]
  Tensor combined(const std::vector<Tensor>& directions) const {
    const bool sums = config_.directions == RnnEncoderConfig::Directions::kSum;
    return sums && directions.size() == 2 ? directions[0] + directions[1]
                                          : torch::cat(directions, -1);
  }

  RnnEncoderConfig config_;
  std::vector<Transition> transitions_;                // of each layer and direction
  std::vector<std::shared_ptr<CellAttention>> intra_;  // the same; empty: none
};

}  // namespace

std::shared_ptr<Encoder> builders::rnn_encoder(const EncoderConfig& config, int64_t input,
                                               int64_t) {
  return std::make_shared<RnnEncoder>(settings_as<RnnEncoderConfig>(config), input);
}

}  // namespace heed
