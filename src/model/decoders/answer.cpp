// A decoder that answers a question, as the answer modules of memory networks do. The query of its
// attention is the final state q of the question, c_t its context vector.
//   from: context               a_t = c_t       (Sukhbaatar et al. 2015, equation 3: o + u;
//                               Miller et al. 2016: q_{H+1}; Kumar et al. 2016: m^T)
//   from: question_and_context  a_t = [q_t; c_t]   (Xiong et al. 2016, section 2)
//   recurrence: none  h_t = a_t,  q_t = q + Σ E y_j of the tokens y_1 … y_{t-1} so far, which join
//                     the question as words of a bag. An answer of one word is that of the papers.
//                     The tag of a sentence, if there are tags, joins it as the first one.
//   recurrence: gru   q_t = q,  h_0 = a_1,  h_t = GRU([E y_{t-1}; q], h_{t-1})
//                                                                 (Kumar et al. 2016, section 2.4)
// The output layer gets h_t: softmax(W h_t).
#include "nn/torch.h"

#include "model/builders.h"
#include "model/decoders/answer_config.h"
#include "nn/attention/builders.h"
#include "nn/recurrent.h"

namespace heed {

namespace {

class AnswerDecoder final : public Decoder {
 public:
  AnswerDecoder(const AnswerDecoderConfig& config, const DecoderDims& dims)
      : config_(config),
        question_name_(config.question_of(dims)),
        has_tags_(dims.tags > 0),
        width_(config.hidden_width(dims)) {
    const AttentionDims own = config.attention_dims(dims);
    attention_ = register_module("attention", build(*config.attention, own));
    cross_ = layout_.block("attention", attention_->layout());
    if (config.recurrence == AnswerDecoderConfig::Recurrence::kGru)
      cell_ = register_module(
          "cell", std::make_shared<RecurrentCell>(CellKind::kGru, dims.input + own.query, width_,
                                                  CellNorm::kNone));
  }

  void start(const EncoderOutput& source, StateView state) override {
    attention_->start(source.memories(), state[cross_]);
    const Tensor& question = source.sources.at(question_name_).final_state.hidden.back();  // [R,W]
    state.put(question_, question);
    if (cell_)
      state.put(hidden_,
                torch::zeros({state.rows(), width_}, question.options().requires_grad(false)));
  }

  Step advance(const Tensor& inputs, StateView state) override {
    const Tensor positions = take_positions(state, inputs.size(1));  // [R,T]
    const Tensor is_first = (positions == 0).unsqueeze(2);           // [R,T,1]
    Step step;
    step.input = inputs;
    const Tensor questions = asked(inputs, is_first, state);  // [R,T,W]
    const Tensor context =
        step.take({.place = Place::kCross},
                  attend_by_hypothesis(*attention_, questions, positions, state[cross_]));
    const Tensor answers = config_.from == AnswerDecoderConfig::From::kContext
                               ? context
                               : torch::cat({questions, context}, 2);  // [R,T,A]
    step.hidden = cell_ ? run(inputs, questions, answers, is_first, state) : answers;
    return step;
  }

 private:
  // q_t; without a tag, the first input adds nothing, because it is not a token of the answer.
  Tensor asked(const Tensor& inputs, const Tensor& is_first, StateView state) {
    const Tensor before = state.get(question_).unsqueeze(1);  // [R,1,W]
    if (cell_) return before.expand({-1, inputs.size(1), -1});
    const Tensor added = has_tags_ ? inputs : inputs.masked_fill(is_first, 0);
    const Tensor all = before + added.cumsum(1);
    state.put(question_, all.select(1, all.size(1) - 1));
    return all;
  }

  // h_t of all tokens.  [R,T,A]
  Tensor run(const Tensor& inputs, const Tensor& questions, const Tensor& answers,
             const Tensor& is_first, StateView state) {
    const UnrolledCell unrolled(*cell_, torch::cat({inputs, questions}, 2));
    Tensor h = state.get(hidden_);  // [R,A]
    std::vector<Tensor> all;
    for (int64_t t = 0; t < inputs.size(1); ++t) {
      const Tensor before = torch::where(is_first.select(1, t), answers.select(1, t), h);
      h = unrolled.step(t, {}, {.hidden = before, .cell = {}}).hidden;
      all.push_back(h);
    }
    state.put(hidden_, h);
    return torch::stack(all, 1);
  }

  AnswerDecoderConfig config_;
  std::string question_name_;
  bool has_tags_;
  int64_t width_;
  std::shared_ptr<Attention> attention_;
  std::shared_ptr<RecurrentCell> cell_;  // none without recurrence
  StateBlock cross_;
  CarrySlot question_ = layout_.carry("question");  // q_t of the next token, before its input
  CarrySlot hidden_ = layout_.carry("hidden");      // h_{t-1}, with recurrence
};

}  // namespace

std::shared_ptr<Decoder> builders::answer_decoder(const DecoderConfig& config,
                                                  const DecoderDims& dims) {
  return std::make_shared<AnswerDecoder>(settings_as<AnswerDecoderConfig>(config), dims);
}

}  // namespace heed
