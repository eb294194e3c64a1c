// Every encoder, joiner, decoder and output there is, by the name it has in a config.
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
#include "model/outputs/pointer.h"
#include "model/outputs/pointer_generator.h"
#include "model/outputs/pointer_sum.h"
#include "model/outputs/vocabulary.h"

namespace heed {

const Registry<EncoderConfig>& encoders() {
  static const Registry<EncoderConfig> list = {
      kind<RnnEncoderConfig, EncoderConfig>("rnn", "recurrent: rnn, lstm, gru"),
      kind<TransformerEncoderConfig, EncoderConfig>("transformer", "self-attention (Vaswani 2017)"),
      kind<ConvolutionEncoderConfig, EncoderConfig>("convolution",
                                                    "gated convolutions (Gehring 2017)"),
      kind<DisanEncoderConfig, EncoderConfig>(
          "disan", "self-attention in both directions, with fusion gates (Shen 2018)"),
      kind<EmbeddingsEncoderConfig, EncoderConfig>("embeddings", "the embedded pieces as they are"),
      kind<HierarchicalEncoderConfig, EncoderConfig>(
          "hierarchical", "words to sentences, sentences to the document (Yang 2016)"),
      kind<NoEncoderConfig, EncoderConfig>("none", "no source: a language model"),
      kind<SharedEncoderConfig, EncoderConfig>("shared", "that of another source"),
  };
  return list;
}

const Registry<JoinerConfig>& joiners() {
  static const Registry<JoinerConfig> list = {
      kind<SelfAttentiveConfig, JoinerConfig>("self_attentive",
                                              "a sentence becomes few rows (Lin 2017, Shen 2018)"),
      kind<CoAttentionConfig, JoinerConfig>("co_attention",
                                            "two sources read each other (Parikh 2016)"),
      kind<AlternatingCoAttentionConfig, JoinerConfig>(
          "alternating_co_attention",
          "the summary of one source guides the reading of the other, and back (Lu 2016)"),
      kind<ParallelCoAttentionConfig, JoinerConfig>(
          "parallel_co_attention",
          "each source becomes a summary, weighed by its affinity to the other (Lu 2016)"),
      kind<BasicConfig, JoinerConfig>(
          "basic", "the last states of several sources by a projection (Zoph 2016)"),
      kind<ChildSumConfig, JoinerConfig>(
          "child_sum",
          "the last states of several sources by a cell that forgets each (Zoph 2016)"),
  };
  return list;
}

const Registry<DecoderConfig>& decoders() {
  static const Registry<DecoderConfig> list = {
      kind<RnnDecoderConfig, DecoderConfig>(
          "rnn", "recurrent, with attention before the cell or after it"),
      kind<TransformerDecoderConfig, DecoderConfig>("transformer", "self-attention (Vaswani 2017)"),
      kind<ConvolutionDecoderConfig, DecoderConfig>(
          "convolution", "gated convolutions, attention in every layer (Gehring 2017)"),
  };
  return list;
}

const Registry<OutputConfig>& outputs() {
  static const Registry<OutputConfig> list = {
      kind<VocabularyOutputConfig, OutputConfig>("vocabulary", "softmax over the vocabulary"),
      kind<PointerGeneratorConfig, OutputConfig>(
          "pointer_generator", "mixes the vocabulary with copying what attention reads (See 2017)"),
      kind<CopyNetConfig, OutputConfig>(
          "copynet", "one softmax over vocabulary and places of the source (Gu 2016)"),
      kind<PointerConfig, OutputConfig>("pointer",
                                        "softmax over the places of the source (Vinyals 2015)"),
      kind<PointerSumConfig, OutputConfig>(
          "pointer_sum", "one word, by all that is read of its places (Kadlec 2016, Cui 2017)"),
  };
  return list;
}

}  // namespace heed
