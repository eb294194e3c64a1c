// A hierarchical encoder of documents (Yang et al. 2016, section 2.2): a word encoder runs over
// each sentence, its states h_t are pooled into one vector s, and a sentence encoder runs over
// these.
//   pool: attention   u_t = tanh(W h_t + b),  α = softmax(uᵀ u_w),  s = Σ α_t h_t    equations 5 to 7
//   pool: mean        s = the mean of h_t
//   pool: sum         s = Σ h_t, a bag of words (Sukhbaatar et al. 2015, section 4.1)
//   pool: position    s = Σ l_t ⊙ h_t of t from 1 to J, feature k from 1 to d,
//                     l_tk = (1 - t/J) - (k/d) (1 - 2 t/J)   (Sukhbaatar et al. 2015, section 4.1)
//                     in each of the blocks of the width
//   pool: last        s = h_J, the state at the end of the sentence (Kumar et al. 2016, section 2.1)
//   word_context: text  the word encoder runs over the text, not over each sentence
//   states: sentences  the decoder attends to the outputs of the sentence encoder
//   states: words      the decoder attends to the word states; the sentence states are for
//                     `terms: [chunks]`
//   last: encoder     the final state is that of the sentence encoder
//   last: attention   the final state is v = Σ α_i h_i over the sentences, with attention as over
//                     the words and u_s: the document vector of equations 8 to 10
// `text.SIDE.marker` separates the sentences.
#include "nn/torch.h"

#include "model/builders.h"
#include "model/encoders/hierarchical_config.h"
#include "nn/attention/normalizers/masked_softmax.h"
#include "nn/chunks.h"
#include "nn/linear.h"
#include "nn/numbers.h"

namespace heed {

namespace {

using PoolMethod = SentencePoolConfig::PoolMethod;
using States = HierarchicalEncoderConfig::States;
using WordContext = HierarchicalEncoderConfig::WordContext;

// Splits documents into their N sentences as separate rows, and maps results back.
class DocumentSentences {
 public:
  // marker_is_word: the marker behind each sentence but the last one is a word of it.
  DocumentSentences(const SourceBatch& source, bool marker_is_word) : rows_(source.mask.size(0)) {
    const auto found = source.features.find(kChunks);
    const bool is_marked = found != source.features.end();
    chunks = is_marked ? found->second : torch::zeros_like(source.mask, torch::kLong);
    counts = chunk_counts(chunks, source.mask);
    most = std::max<int64_t>(1, counts.max().item<int64_t>());
    const Tensor all = chunk_members(chunks, source.mask, most).sum(2);  // [R,C] lengths
    const Tensor begins = (all.cumsum(1) - all).flatten();
    present_ = all.flatten().nonzero().squeeze(1);  // [N]
    if (present_.size(0) == 0) present_ = torch::zeros({1}, all.options());
    lengths = all.flatten().index_select(0, present_);
    if (!marker_is_word) {
      const Tensor is_last = torch::arange(most, counts.options()) == counts.unsqueeze(1) - 1;
      lengths =
          (lengths - is_last.logical_not().flatten().index_select(0, present_).to(torch::kLong))
              .clamp_min(0);
    }
    const int64_t longest = std::max<int64_t>(1, lengths.max().item<int64_t>());
    positions_ =
        (begins.index_select(0, present_).unsqueeze(1) + torch::arange(longest, begins.options()))
            .clamp_max(source.mask.size(1) - 1);      // [N,L]
    row_ = present_.div(most, "floor").unsqueeze(1);  // [N,1]
    mask = length_mask(lengths, longest);
  }

  Tensor lengths, mask;  // [N], [N,L] of the sentences
  Tensor chunks;         // [R,S] index of the sentence of each position
  Tensor counts;         // [R] sentences
  int64_t most = 0;      // C

  // x [R,S,E] -> [N,L,E]
  Tensor words_of(const Tensor& x) const { return x.index({row_, positions_}); }
  // x [N,W] -> [R,C,W], zeros for missing sentences.
  Tensor by_row(const Tensor& x) const {
    const Tensor all = torch::zeros({rows_ * most, x.size(1)}, x.options().requires_grad(false));
    return all.index_copy(0, present_, x.masked_fill((lengths == 0).unsqueeze(1), 0))
        .view({rows_, most, -1});
  }
  // x [N,L,..] at the positions of the text.  [R,S,..]
  Tensor in_text(const Tensor& x, int64_t size) const { return put(x, row_, rows_, size); }
  // x [N,L] of each sentence at the positions of the text.  [R,C,S]
  Tensor in_text_by_sentence(const Tensor& x, int64_t size) const {
    return put(x, present_.unsqueeze(1), rows_ * most, size).view({rows_, most, size});
  }
  Pass pass(const Pass& of_rows) const {
    return of_rows.for_parts(numbers_of<int64_t>(row_),
                             numbers_of<int64_t>(present_.remainder(most)));
  }

 private:
  // Writes x [N,L,..] to the rows [N,1] that they belong to.  [count,size,..]
  Tensor put(const Tensor& x, const Tensor& row, int64_t count, int64_t size) const {
    std::vector<int64_t> flat = {count * size}, shape = {count, size};
    for (int64_t dim = 2; dim < x.dim(); ++dim) {
      flat.push_back(x.size(dim));
      shape.push_back(x.size(dim));
    }
    const Tensor open = x.dim() == 2 ? mask : mask.unsqueeze(2);
    return torch::zeros(flat, x.options().requires_grad(false))
        .index_add(0, (row * size + positions_).flatten(),
                   x.masked_fill(~open, 0).flatten(0, 1))  // padding adds zeros
        .view(shape);
  }

  int64_t rows_;
  Tensor present_;          // [N] r·C + c
  Tensor row_, positions_;  // [N,1], [N,L] of the words
};

// α = softmax(uᵀ tanh(W h + b)).
struct PooledAttention {
  Linear hidden, weigh;  // W and b, u
  // h [N,L,W], mask [N,L] -> [N,L]
  Tensor weights(const Tensor& h, const Tensor& mask) {
    return masked_softmax(weigh(torch::tanh(hidden(h))).squeeze(2), mask);
  }
};

// l for sentences of these lengths [N]; 0 at padding. In each of the blocks, k is from 1 to W/blocks.
// [N,L,W]
Tensor position_encoding(const Tensor& lengths, const Tensor& states, int64_t blocks) {
  const auto numbers = states.options().requires_grad(false);
  const Tensor t = torch::arange(1, states.size(1) + 1, numbers).view({1, -1, 1}) /
                   lengths.clamp_min(1).to(numbers.dtype()).view({-1, 1, 1});  // t/J
  const int64_t width = states.size(2) / blocks;
  const Tensor k =
      (torch::arange(1, width + 1, numbers) / static_cast<double>(width)).repeat({blocks});  // k/d
  return ((1 - t) - k * (1 - 2 * t)) * (t <= 1);
}

class HierarchicalEncoder final : public Encoder {
 public:
  HierarchicalEncoder(const HierarchicalEncoderConfig& config, int64_t input) : config_(config) {
    const SourceDims words = config.word_encoder->dims(input),
                     sentences = config.sentence_encoder->dims(words.source.value);
    words_ = register_module("words", build(*config.word_encoder, input, 0));
    sentences_ =
        register_module("sentences", build(*config.sentence_encoder, words.source.value, 0));
    if (config.pool->method == PoolMethod::kAttention)
      over_words_ = make_attention("", words.source.key, config.pool->hidden_width());
    if (config.last->method == PoolMethod::kAttention)
      over_sentences_ =
          make_attention("sentence_", sentences.source.key, config.last->hidden_width());
  }

  EncodedSource encode(const Tensor& x, const SourceBatch& source, const Pass& pass,
                       EncoderOutput& output) override {
    const DocumentSentences sentences(source, config_.marker_is_word);
    const EncodedSource words = encode_words(x, source, sentences, pass, output);
    const Tensor weights = weights_of(words, sentences);           // [N,L]
    const Tensor pooled = pool(words.source, weights, sentences);  // [N,W]
    SourceBatch of_sentences;
    of_sentences.lengths = sentences.counts;
    of_sentences.mask = length_mask(sentences.counts, sentences.most);
    EncodedSource encoded =
        sentences_->encode(sentences.by_row(pooled), of_sentences, pass, output);
    const int64_t size = x.size(1);
    const Tensor origin = sentences.in_text_by_sentence(weights, size);  // [R,C,S]
    output.take_weights({.place = Place::kPooling}, "", origin, pass);
    if (config_.last->method == PoolMethod::kAttention) put_document(encoded, origin, pass, output);
    if (config_.states == States::kSentences) {
      encoded.origin = origin;
      return encoded;
    }
    Source text = make_source(sentences.in_text(words.source.keys, size), source.lengths);
    if (!words.source.values.is_same(words.source.keys))
      text.values = sentences.in_text(words.source.values, size);
    text.features = source.features;
    text.features[kChunks] = sentences.chunks;
    text.features[kChunkStates] = encoded.source.keys;  // [R,C,W]
    text.features[kWordStates] = text.values;
    encoded.source = std::move(text);
    return encoded;
  }

 private:
  EncodedSource encode_words(const Tensor& x, const SourceBatch& source,
                             const DocumentSentences& sentences, const Pass& pass,
                             EncoderOutput& output) {
    if (config_.word_context == WordContext::kText)
      return encode_text(x, source, sentences, pass, output);
    SourceBatch batch;
    batch.lengths = sentences.lengths;
    batch.mask = sentences.mask;
    EncoderOutput own;  // weights inside a sentence are not over the text, hence not plotted
    EncodedSource words = words_->encode(sentences.words_of(x), batch, sentences.pass(pass), own);
    for (SideLoss& loss : own.losses) loss.value = sentences.in_text(loss.value, x.size(1));
    output.take_losses(std::move(own.losses), source.mask);
    return words;
  }

  // The same with a word encoder that runs over the text.
  EncodedSource encode_text(const Tensor& x, const SourceBatch& source,
                            const DocumentSentences& sentences, const Pass& pass,
                            EncoderOutput& output) {
    EncodedSource words = words_->encode(x, source, pass, output);
    const bool same = words.source.values.is_same(words.source.keys);
    words.source.keys = sentences.words_of(words.source.keys);
    words.source.values =
        same ? words.source.keys : sentences.words_of(words.source.values);  // [N,L,W]
    return words;
  }

  PooledAttention make_attention(const std::string& prefix, int64_t width, int64_t hidden) {
    PooledAttention attention;
    attention.hidden = Linear(*this, prefix + "hidden", width, hidden);
    attention.weigh = Linear(*this, prefix + "weigh", hidden, 1, kNoBias);
    return attention;
  }

  // Weights of the words of a sentence.  [N,L]
  Tensor weights_of(const EncodedSource& words, const DocumentSentences& sentences) {
    if (config_.pool->method == PoolMethod::kAttention)
      return over_words_.weights(words.source.keys, sentences.mask);
    if (config_.pool->method == PoolMethod::kLast) {
      const Tensor places = torch::arange(sentences.mask.size(1), sentences.lengths.options());
      return (places == sentences.lengths.unsqueeze(1) - 1).to(words.source.keys.scalar_type());
    }
    return uniform_weights(sentences.mask, words.source.keys);
  }

  // Weighted sum of the words of each sentence; weights [N,L].  [N,W]
  Tensor pool(const Source& words, const Tensor& weights,
              const DocumentSentences& sentences) const {
    if (config_.pool->method == PoolMethod::kPosition)
      return (position_encoding(sentences.lengths, words.values, config_.pool->block_count()) *
              words.values)
          .sum(1);
    if (config_.pool->method == PoolMethod::kSum)
      return words.values.masked_fill(~sentences.mask.unsqueeze(2), 0).sum(1);
    return torch::matmul(weights.unsqueeze(1), words.values).squeeze(1);
  }

  // v as final state; origin: weights of the words in each sentence [R,C,S].
  void put_document(EncodedSource& encoded, const Tensor& origin, const Pass& pass,
                    EncoderOutput& output) {
    const Source& source = encoded.source;
    const Tensor weights =
        over_sentences_.weights(source.keys, source.mask).unsqueeze(1);  // [R,1,C]
    encoded.final_state = FinalState();
    encoded.final_state.hidden = {torch::matmul(weights, source.values).squeeze(1)};
    if (pass.keep_weights)
      output.take_weights({.place = Place::kDocument}, "", torch::matmul(weights, origin), pass);
  }

  HierarchicalEncoderConfig config_;
  std::shared_ptr<Encoder> words_, sentences_;
  PooledAttention over_words_, over_sentences_;  // u_w, u_s
};

}  // namespace

std::shared_ptr<Encoder> builders::hierarchical_encoder(const EncoderConfig& config, int64_t input,
                                                        int64_t) {
  return std::make_shared<HierarchicalEncoder>(settings_as<HierarchicalEncoderConfig>(config),
                                               input);
}

}  // namespace heed
