// No decoder: the output layer reads the last state of the encoder, of several sources their last
// states side by side, the same for every token. With an encoder `hierarchical` with `last:
// attention` it is the document vector v of Yang et al. 2016, equation 10, and with `output: label`
// the model is theirs. With several encoder layers, the state of the last one.
#include "nn/torch.h"

#include "model/builders.h"

namespace heed {

namespace {

class NoDecoder final : public Decoder {
 public:
  void start(const EncoderOutput& source, StateView state) override {
    std::vector<Tensor> last;
    for (const auto& [name, encoded] : source.sources)
      last.push_back(encoded.final_state.hidden.back());
    state.put(last_, torch::cat(last, 1));
  }

  Step advance(const Tensor& inputs, StateView state) override {
    take_positions(state, inputs.size(1));
    Step step;
    step.input = inputs;
    step.hidden = state.by_row(last_).unsqueeze(1).expand({-1, inputs.size(1), -1});  // [R,T,W]
    return step;
  }

 private:
  MemorySlot last_ = layout_.memory("last");  // [N,W]
};

}  // namespace

std::shared_ptr<Decoder> builders::no_decoder(const DecoderConfig&, const DecoderDims&) {
  return std::make_shared<NoDecoder>();
}

}  // namespace heed
