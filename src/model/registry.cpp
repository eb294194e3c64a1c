// All encoders, joiners, decoders and outputs, by their names in a config.
#include "model/decoders/convolution.h"
#include "model/decoders/rnn.h"
#include "model/decoders/transformer.h"
#include "model/encoders/convolution.h"
#include "model/encoders/disan.h"
#include "model/encoders/embeddings.h"
#include "model/encoders/hierarchical.h"
#include "model/encoders/rnn.h"
#include "model/encoders/transformer.h"
#include "model/joiners/co_attention.h"
#include "model/joiners/final_states.h"
#include "model/joiners/self_attentive.h"
#include "model/joiners/summary_co_attention.h"
#include "model/outputs/copynet.h"
#include "model/outputs/entmax.h"
#include "model/outputs/pointer.h"
#include "model/outputs/pointer_generator.h"
#include "model/outputs/pointer_sum.h"
#include "model/outputs/vocabulary.h"

namespace heed {

const Registry<EncoderConfig>& encoders() {
  static const Registry<EncoderConfig> list = {
      kind<RnnEncoderConfig, EncoderConfig>("rnn", "recurrent: simple RNN, LSTM or GRU"),
      kind<TransformerEncoderConfig, EncoderConfig>("transformer", "Transformer (Vaswani 2017)"),
      kind<ConvolutionEncoderConfig, EncoderConfig>("convolution",
                                                    "gated convolutions (Gehring 2017)"),
      kind<DisanEncoderConfig, EncoderConfig>(
          "disan", "directional self-attention with fusion gates (DiSAN, Shen 2018)"),
      kind<EmbeddingsEncoderConfig, EncoderConfig>("embeddings", "embeddings only"),
      kind<HierarchicalEncoderConfig, EncoderConfig>(
          "hierarchical",
          "hierarchical: words to sentence vectors, sentence vectors to a document (Yang 2016)"),
      kind<NoEncoderConfig, EncoderConfig>("none", "no encoder: a language model"),
      kind<SharedEncoderConfig, EncoderConfig>("shared", "shared: the encoder of another source"),
  };
  return list;
}

const Registry<JoinerConfig>& joiners() {
  static const Registry<JoinerConfig> list = {
      kind<SelfAttentiveConfig, JoinerConfig>(
          "self_attentive",
          "self-attentive pooling of the encoder states to a few rows (Lin 2017, Shen 2018)"),
      kind<CoAttentionConfig, JoinerConfig>("co_attention",
                                            "co-attention of two sources (Parikh 2016)"),
      kind<AlternatingCoAttentionConfig, JoinerConfig>(
          "alternating_co_attention",
          "the summary of one source guides the attention over the other, and back (Lu 2016)"),
      kind<ParallelCoAttentionConfig, JoinerConfig>(
          "parallel_co_attention",
          "each source becomes a summary, weighed by its affinity to the other (Lu 2016)"),
      kind<BasicConfig, JoinerConfig>("basic",
                                      "initial decoder state from the last states of several "
                                      "sources: a projection, basic (Zoph 2016)"),
      kind<ChildSumConfig, JoinerConfig>("child_sum",
                                         "initial decoder state from the last states of several "
                                         "sources: child-sum LSTM (Zoph 2016)"),
  };
  return list;
}

const Registry<DecoderConfig>& decoders() {
  static const Registry<DecoderConfig> list = {
      kind<RnnDecoderConfig, DecoderConfig>(
          "rnn", "recurrent, with attention before, after or between its cells"),
      kind<TransformerDecoderConfig, DecoderConfig>("transformer", "Transformer (Vaswani 2017)"),
      kind<ConvolutionDecoderConfig, DecoderConfig>(
          "convolution", "gated convolutions with attention in every layer (Gehring 2017)"),
  };
  return list;
}

const Registry<OutputConfig>& outputs() {
  static const Registry<OutputConfig> list = {
      kind<VocabularyOutputConfig, OutputConfig>("vocabulary", "softmax over the vocabulary"),
      kind<EntmaxOutputConfig, OutputConfig>(
          "entmax", "α-entmax over the vocabulary: most tokens have probability 0 (Peters 2019)"),
      kind<PointerGeneratorConfig, OutputConfig>(
          "pointer_generator",
          "pointer-generator: mixture of vocabulary and attention weights (See 2017)"),
      kind<CopyNetConfig, OutputConfig>(
          "copynet", "CopyNet: one softmax over vocabulary and source positions (Gu 2016)"),
      kind<PointerConfig, OutputConfig>(
          "pointer", "pointer network: softmax over the source positions (Vinyals 2015)"),
      kind<PointerSumConfig, OutputConfig>("pointer_sum",
                                           "pointer sum: one word, by the sum of the weights of "
                                           "its positions (Kadlec 2016, Cui 2017)"),
  };
  return list;
}

}  // namespace heed
