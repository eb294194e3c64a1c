#include "config/synonyms.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"

namespace heed {

const std::vector<Synonym>& synonyms() {
  static const std::vector<Synonym> list = {
      // Keys without a counterpart among the keys of heed, and keys that mean more than one.
      {"train_from", "going on with a run, or, with other data, beginning with its parameters,",
       "`heed train --resume`, or init.model", ""},
      {"load_model", "going on with a run, or, with other data, beginning with its parameters,",
       "`heed train --resume`, or init.model", ""},
      {"max_relative_positions", "the largest relative position",
       "self_attention: {score: {type: relative, clip: N}}", "relative"},
      {"train.loss", "the loss is cross-entropy, with train.label_smoothing; one by a metric",
       "train.sequence_loss: {loss: …}", ""},
      {"train.normalization", "the loss is a mean over target tokens; Unicode normalization",
       "text.NAME.normalization", ""},
      // Tokenizers.
      {"bpe", "subword segmentation by BPE", "{type: sentencepiece, model_type: bpe}", ""},
      {"unigram", "the unigram model", "{type: sentencepiece, model_type: unigram}", ""},
      {"spm", "SentencePiece", "{type: sentencepiece}", ""},
      {"char", "a vocabulary of characters", "{type: characters}", ""},
      // Kinds.
      {"lstm", "an LSTM", "{type: rnn, cell: lstm}", ""},
      {"gru", "a GRU", "{type: rnn, cell: gru}", ""},
      {"gru_cond", "the conditional GRU of Nematus",
       "model.decoder: {type: rnn, cell: gru, attend: conditional}", "conditional"},
      {"bilstm", "a bidirectional LSTM", "{type: rnn, cell: lstm, bidirectional: true}", ""},
      {"bigru", "a bidirectional GRU", "{type: rnn, cell: gru, bidirectional: true}", ""},
      {"birnn", "a bidirectional RNN", "{type: rnn, bidirectional: true}", ""},
      {"brnn", "a bidirectional RNN", "{type: rnn, bidirectional: true}", ""},
      {"recurrent", "a recurrent network", "{type: rnn}", ""},
      {"cnn", "a convolutional network", "{type: convolution}", ""},
      {"noam", "the schedule of Vaswani 2017", "train.schedule: vaswani", ""},
      {"reduce_on_plateau", "a learning rate that falls on a plateau", "train.schedule: plateau",
       ""},
      // Attention.
      {"bahdanau", "the model of Bahdanau 2015",
       "model: {preset: bahdanau}, its score score: additive", "additive"},
      {"mlp", "the score of Bahdanau 2015", "score: additive", "additive"},
      {"luong", "the model of Luong 2015",
       "model: {preset: luong}, its scores score: dot, general and concat", "general"},
      {"bilinear", "a bilinear score", "score: general", "general"},
      {"multiplicative", "a multiplicative score", "score: general", "general"},
      {"dot_product", "a dot product", "score: dot", "dot"},
      {"scaled_dot_product", "a scaled dot product", "score: scaled_dot", "scaled_dot"},
      {"gnmt", "the attention of GNMT (Wu 2016)",
       "model.decoder: {type: rnn, layers: N, deep_context: true}", "deep_context"},
      {"multi_head", "multi-head attention", "{score: scaled_dot, heads: N}", "heads"},
      {"multihead", "multi-head attention", "{score: scaled_dot, heads: N}", "heads"},
      {"cross_attention", "attention over the source", "decoder.attention", "staged"},
      {"local_m", "local-m of Luong 2015", "terms: [{type: window, kind: monotonic}]", "window"},
      {"local_p", "local-p of Luong 2015", "terms: [{type: window, kind: predictive}]", "window"},
      {"global", "attention over all of the source, without terms,", "score: general", "staged"},
      {"coverage", "coverage as a feature of the score",
       "score: {type: location, features: coverage}; its loss is train.coverage", "location"},
      {"location_aware", "location-aware attention", "score: location", "location"},
      {"pointer_network", "a pointer network", "model.output: pointer", "pointer_generator"},
      {"copy", "copying from the source", "model.output: pointer_generator or copynet",
       "pointer_generator"},
      {"pointer", "a pointer network", "model.output: pointer", "pointer_generator"},
      {"copynet", "CopyNet (Gu 2016)", "model.output: copynet", "pointer_generator"},
      {"mocha", "monotonic chunkwise attention (Chiu 2018)",
       "normalizer: {type: monotonic, chunk: N}", "monotonic"},
      {"transformer", "a Transformer", "{type: transformer} as encoder or decoder", "scaled_dot"},
      {"self_attention", "the self-attention of a layer",
       "model.encoder.self_attention or model.decoder.self_attention", "staged"},
      {"rope", "rotary position embedding", "score: rotary", "rotary"},
      {"relative_position", "relative positions", "score: relative", "relative"},
      {"graph_attention", "the graph attention of Veličković 2018",
       "{score: graph, terms: [edges]}", "graph"},
      {"gat", "the graph attention of Veličković 2018", "{score: graph, terms: [edges]}", "graph"},
      {"localness", "the localness of Yang 2018", "terms: [gaussian]", "gaussian"},
      {"aan", "the average attention network", "self_attention: average", "average"},
      {"retnet", "the retention of RetNet", "self_attention: {type: gated_linear, decay: fixed}",
       "gated_linear"},
      {"gla", "gated linear attention", "self_attention: gated_linear", "gated_linear"},
      {"lightconv", "lightweight convolution", "self_attention: lightweight_convolution",
       "lightweight_convolution"},
      {"dynamicconv", "dynamic convolution", "self_attention: dynamic_convolution",
       "dynamic_convolution"},
      {"act", "adaptive computation time", "attention: adaptive", "adaptive"},
      {"ntm", "the memory of a neural Turing machine",
       "attention: memory, and the model is model.preset: ntm", "memory"},
      {"han", "the hierarchical attention network", "encoder: hierarchical", "hierarchical"},
      {"memn2n", "an end-to-end memory network",
       "attention: memory_network, and the model is model.preset: memn2n", "memory_network"},
      {"dmn", "the episodic memory of a dynamic memory network",
       "attention: episodic, and the model is model.preset: dmn or dmn_plus", "episodic"},
      {"kvmemnn", "a key-value memory network",
       "attention: key_value_memory, and the model is model.preset: key_value_memory",
       "key_value_memory"},
      {"aoa", "attention over attention", "attention: attention_over_attention",
       "attention_over_attention"},
      {"csparsemax", "constrained sparsemax", "normalizer: constrained_sparsemax",
       "constrained_sparsemax"},
      {"intra_temporal", "intra-temporal attention", "normalizer: temporal", "temporal"},
      {"hard_attention", "hard attention", "normalizer: hard", "hard"},
  };
  return list;
}

std::string canonical_word(std::string_view word) {
  std::string result(word);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '-' || c == ' ') c = '_';
  }
  return result;
}

const Synonym* find_synonym(std::string_view word) {
  const std::string wanted = canonical_word(word);
  const auto found =
      std::ranges::find_if(synonyms(), [&](const Synonym& one) { return wanted == one.word; });
  return found == synonyms().end() ? nullptr : &*found;
}

std::string synonym_or_suggestion(std::string_view word,
                                  const std::vector<std::string>& candidates) {
  const Synonym* synonym = find_synonym(word);
  if (synonym == nullptr) return did_you_mean(word, candidates);
  const std::string_view here = synonym->here;
  const std::string_view last = here.substr(here.find_last_of('.') + 1);  // whole without a point
  if (std::ranges::count(candidates, last) > 0) return did_you_mean(last, candidates);
  return fmt::format("; {} is {}", synonym->what, synonym->here);
}

}  // namespace heed
