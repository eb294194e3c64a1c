// A recurrent encoder. Each layer runs over the sentence in one direction or in both, whose outputs
// are concatenated or summed.
#include "nn/torch.h"

#include "model/builders.h"
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
    const CellForm form{config.cell, config.cell_width(), config.layer_norm, config.reset};
    std::vector<int64_t> inputs(static_cast<size_t>(config.transition_depth), 0);
    for (int64_t layer = 0; layer < config.layers; ++layer) {
      inputs[0] = layer == 0 ? input : config.width;
      for (int64_t direction = 0; direction < directions; ++direction) {
        const std::string name =
            direction == 0 ? names::forward_layer(layer) : names::backward_layer(layer);
        transitions_.emplace_back(*this, name, form, inputs);
      }
    }
  }

  EncodedSource encode(const Tensor& embedded, const SourceBatch& source, const Pass& pass,
                       EncoderOutput&) override {
    // Sutskever et al. 2014: the source from its last word to its first; positions are turned back
    // below.
    const Tensor turned = config_.reverse ? reversal(source.lengths, embedded.size(1)) : Tensor();
    Tensor x = config_.reverse ? turned_by(embedded, turned) : embedded;  // [R,S,E]
    EncodedSource encoded;
    for (int64_t layer = 0; layer < config_.layers; ++layer)
      x = through(layer, x, source.lengths, pass, encoded.final_state);  // [R,S,W]
    if (config_.reverse) x = turned_by(x, turned);
    encoded.source = make_source(dropped(x, pass), source.lengths);
    encoded.source.features = source.features;
    return encoded;
  }

 private:
  Tensor dropped(const Tensor& x, const Pass& pass) const {
    return dropout_over_time(x, config_.dropout, config_.dropout_mask, pass);
  }

  // x of the layer below -> [R,S,W]; adds the final state.
  Tensor through(int64_t layer, const Tensor& x, const Tensor& lengths, const Pass& pass,
                 FinalState& final_state) {
    const NetworkPart run = [this, layer, lengths](const std::vector<Tensor>& inputs,
                                                   const Pass& own) {
      return run_layer(layer, inputs[0], lengths, own);
    };
    const std::vector<Tensor> results =
        recomputes(pass) ? recomputed(run, {x}, parameters(), pass) : run({x}, pass);
    final_state.hidden.push_back(results[1]);
    if (results.size() > 2) final_state.cell.push_back(results[2]);
    return results[0];
  }

  // Output [R,S,W], final hidden state [R,W] and, of an LSTM, final cell state.
  std::vector<Tensor> run_layer(int64_t layer, const Tensor& x, const Tensor& lengths,
                                const Pass& pass) {
    const Tensor input = layer == 0 ? x : dropped(x, pass);
    const int64_t directions = config_.bidirectional ? 2 : 1;
    std::vector<Tensor> outputs, hidden, cell;
    for (int64_t direction = 0; direction < directions; ++direction) {
      const TransitionOptions options{.backwards = direction == 1,
                                      .variational_dropout = config_.variational_dropout};
      const CellRun run =
          run_transition(transitions_[static_cast<size_t>(layer * directions + direction)], input,
                         lengths, options, pass);
      outputs.push_back(run.outputs);
      hidden.push_back(run.final_state.hidden);
      if (run.final_state.cell.defined()) cell.push_back(run.final_state.cell);
    }
    const Tensor output = combined(outputs);
    std::vector<Tensor> results = {config_.residual && layer > 0 ? output + x : output,
                                   combined(hidden)};
    if (!cell.empty()) results.push_back(combined(cell));
    return results;
  }

  // Of one direction, or of both.  [..,W]
  Tensor combined(const std::vector<Tensor>& directions) const {
    const bool sums = config_.directions == RnnEncoderConfig::Directions::kSum;
    return sums && directions.size() == 2 ? directions[0] + directions[1]
                                          : torch::cat(directions, -1);
  }

  RnnEncoderConfig config_;
  std::vector<Transition> transitions_;
};

}  // namespace

std::shared_ptr<Encoder> builders::rnn_encoder(const EncoderConfig& config, int64_t input,
                                               int64_t) {
  return std::make_shared<RnnEncoder>(settings_as<RnnEncoderConfig>(config), input);
}

}  // namespace heed
