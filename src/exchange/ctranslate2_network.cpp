#include "exchange/ctranslate2_network.h"

#include "nn/torch.h"

#include <set>

#include "base/error.h"
#include "base/log.h"
#include "data/example.h"
#include "exchange/ctranslate2_layers.h"
#include "exchange/ctranslate2_names.h"
#include "exchange/token_rows.h"
#include "model/parameter_names_spec.h"

namespace heed {

namespace {

class NetworkReader {
 public:
  NetworkReader(CTranslate2Weights& weights, const CTranslate2Text& text)
      : weights_(weights), text_(text) {}

  CTranslate2Network read(bool source_end) {
    find_other_variables();
    read_flags();
    CTranslate2Stack encoder = read_ctranslate2_stack(weights_, "encoder",
                                                      names::encoder(kSourceSide), problems_),
                     decoder =
                         read_ctranslate2_stack(weights_, "decoder", names::kDecoder, problems_);
    if (encoder.width != decoder.width)
      problems_.push_back(fmt::format("encoder and decoder are {} and {} wide, expected one width",
                                      encoder.width, decoder.width));
    if (!problems_.empty()) refuse(fmt::format("{}", fmt::join(problems_, "; ")));
    read_ctranslate2_layers(weights_, encoder, false, result_.tensors);
    read_ctranslate2_layers(weights_, decoder, true, result_.tensors);
    const char* tie = read_vocabularies(encoder, decoder);
    refuse_rest();
    result_.config = fmt::format(
        "{{source_end: {}, embedding: {{width: {}, tie: {}}}, encoder: {{{}}}, decoder: {{{}, "
        "attention: {{score: scaled_dot, heads: {}}}}}, output: {{type: vocabulary, bias: true}}}}",
        source_end, encoder.width, tie, encoder.config(), decoder.config(), decoder.heads);
    result_.source_positions = encoder.positions_in_table;
    result_.target_positions = decoder.positions_in_table;
    return std::move(result_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw_error(ErrorKind::kModel, "{}: {}", weights_.path().string(), what);
  }

  void find_other_variables() {
    std::set<std::string> others, without_beta;
    const std::string gamma = "/gamma";
    for (const std::string& name : weights_.names()) {
      const std::string plain = without_layer_number(name);
      if (!known_ctranslate2_names().contains(plain)) others.insert(plain);
      const std::string norm = name.substr(0, name.size() - std::min(name.size(), gamma.size()));
      if (name == norm + gamma && !weights_.has(norm + "/beta")) without_beta.insert(plain);
    }
    if (!others.empty())
      problems_.push_back(fmt::format("heed has nothing for {}", fmt::join(others, ", ")));
    if (!without_beta.empty())
      problems_.push_back(fmt::format("normalization by the root mean square: no beta beside {}",
                                      fmt::join(without_beta, ", ")));
  }

  void read_flags() {
    for (const char* flag : {"decoder/alibi", "decoder/final_logit_softcapping"}) {
      const double value = weights_.number(flag).value_or(0);
      if (value != 0) problems_.push_back(fmt::format("{} is {}, expected 0", flag, value));
    }
    // These say something of alibi, of several source features, and of attention, which has flags in
    // each layer.
    for (const char* flag :
         {"decoder/alibi_use_positive_positions", "decoder/scale_alibi", "encoder/embeddings_merge",
          "decoder/embeddings_merge", "encoder/multi_query_attention", "encoder/alignment_layer",
          "encoder/alignment_heads", "decoder/alignment_heads"})
      weights_.number(flag);
    const double layer = weights_.number("decoder/alignment_layer").value_or(-1);
    if (layer >= 0)
      spdlog::warn(
          "decoder/alignment_layer is {}: CTranslate2 takes alignments from this layer, counted "
          "from 0, heed from the last one",
          layer);
  }

  void refuse_rest() const {
    std::set<std::string> rest;
    for (const std::string& name : weights_.rest()) rest.insert(without_layer_number(name));
    if (!rest.empty())
      refuse(fmt::format("a model of this form has nothing for {}", fmt::join(rest, ", ")));
  }

  // Rows of a table that has a row of zeros behind its last.
  static Tensor rows_of(const Tensor& table, const std::vector<int64_t>& rows) {
    std::vector<int64_t> one = table.sizes().vec();
    one[0] = 1;
    return torch::cat({table, torch::zeros(one)})
        .index_select(0, torch::tensor(rows, torch::kLong));
  }

  Tensor read_embeddings(const CTranslate2Stack& stack, int64_t tokens,
                         const std::vector<int64_t>& rows) {
    const std::string name = embeddings_of(weights_, stack.scope) + "/weight";
    if (weights_.rows(name) != tokens)
      refuse(fmt::format("{} has {} rows, but the vocabulary {} tokens", name, weights_.rows(name),
                         tokens));
    const Tensor table = weights_.take(name, {tokens, stack.width});
    return rows_of(stack.embedding_factor == 1 ? table : table * stack.embedding_factor, rows);
  }

  // Returns what is tied.
  const char* read_vocabularies(const CTranslate2Stack& encoder, const CTranslate2Stack& decoder) {
    const Tensor source = read_embeddings(encoder, text_.source_tokens, text_.source_rows),
                 target = read_embeddings(decoder, text_.target_tokens, text_.target_rows);
    const CTranslate2Linear layer =
        read_ctranslate2_linear(weights_, "decoder/projection", text_.target_tokens, decoder.width);
    const double scale = weights_.number("decoder/scale_outputs").value_or(1);
    const Tensor output =
        rows_of(scale == 1 ? layer.weight : layer.weight * scale, text_.target_rows);
    Tensor bias = rows_of(layer.bias, text_.target_rows);
    for (const int32_t id : text_.never) bias[id] = kNeverBias;
    result_.tensors[names::bias(names::kOutputLayer)] = bias;
    result_.tensors[names::kTargetEmbedding] = target;
    const bool is_tied = target.equal(output),
               has_one_vocabulary = text_.codecs.at(kSourceSide)->vocabulary() ==
                                    text_.codecs.at(kTargetSide)->vocabulary();
    if (is_tied && has_one_vocabulary && source.equal(target)) return "all";
    result_.tensors[names::source_embedding(kSourceSide)] = source;
    if (is_tied) return "target";
    result_.tensors[names::weight(names::kOutputLayer)] = output;
    return "none";
  }

  CTranslate2Weights& weights_;
  const CTranslate2Text& text_;
  std::vector<std::string> problems_;
  CTranslate2Network result_;
};

}  // namespace

CTranslate2Network read_ctranslate2_network(CTranslate2Weights& weights,
                                            const CTranslate2Text& text, bool source_end) {
  return NetworkReader(weights, text).read(source_end);
}

}  // namespace heed
