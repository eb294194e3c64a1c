#include "model/encoders/hierarchical_config.h"

#include "config/sizes.h"
#include "model/encoders/rnn_config.h"

namespace heed {

namespace {

using PoolMethod = SentencePoolConfig::PoolMethod;
using States = HierarchicalEncoderConfig::States;
using WordContext = HierarchicalEncoderConfig::WordContext;

struct AttentionPool final : SentencePoolConfig {
  AttentionPool() : SentencePoolConfig(PoolMethod::kAttention) {}
  void fields(Fields& f) override {
    f.field("hidden", hidden, kWidths, "width of the hidden layer");
  }
  int64_t hidden_width() const override { return hidden; }
  int64_t hidden = 128;
};

struct PositionPool final : SentencePoolConfig {
  PositionPool() : SentencePoolConfig(PoolMethod::kPosition) {}
  void fields(Fields& f) override {
    f.field("blocks", blocks, kWidths,
            "equal parts of the width, each of which has an encoding of its own: the number of "
            "embeddings that are side by side (memory_network, embed: false)");
  }
  int64_t block_count() const override { return blocks; }
  int64_t blocks = 1;
};

template <PoolMethod which>
struct Plain final : SentencePoolConfig {
  Plain() : SentencePoolConfig(which) {}
};

const Registry<SentencePoolConfig>& sentence_pools() {
  static const Registry<SentencePoolConfig> list = {
      kind<AttentionPool, SentencePoolConfig>("attention", "by attention (Yang 2016)"),
      kind<Plain<PoolMethod::kMean>, SentencePoolConfig>("mean", "the mean of the words"),
      kind<Plain<PoolMethod::kSum>, SentencePoolConfig>("sum", "the sum of the words"),
      kind<PositionPool, SentencePoolConfig>("position", "position encoding (Sukhbaatar 2015)"),
      kind<Plain<PoolMethod::kLast>, SentencePoolConfig>("last", "the last word (Kumar 2016)"),
  };
  return list;
}

const Registry<SentencePoolConfig>& last_states() {
  static const Registry<SentencePoolConfig> list = {
      kind<Plain<PoolMethod::kEncoder>, SentencePoolConfig>("encoder",
                                                            "that of the sentence encoder"),
      kind<AttentionPool, SentencePoolConfig>(
          "attention", "document vector by attention over the sentences (Yang 2016)"),
  };
  return list;
}

}  // namespace

HierarchicalEncoderConfig::HierarchicalEncoderConfig()
    : word_encoder(make_kind<RnnEncoderConfig>("rnn")),
      sentence_encoder(make_kind<RnnEncoderConfig>("rnn")),
      pool(fresh_kind(sentence_pools(), "attention")),
      last(fresh_kind(last_states(), "encoder")) {}

void HierarchicalEncoderConfig::fields(Fields& f) {
  static const Words<States> state_words = {{"sentences", States::kSentences},
                                            {"words", States::kWords}};
  f.one_of("word_encoder", word_encoder, encoders(), "encoder of the words of each sentence");
  f.one_of("sentence_encoder", sentence_encoder, encoders(), "encoder of the sentence vectors");
  f.one_of("pool", pool, sentence_pools(), "pooling of the words of a sentence to its vector");
  f.one_of("last", last, last_states(), "last state, from which a decoder starts");
  f.choice("states", states, state_words,
           "what the decoder attends to: sentences, or words with `terms: [chunks]`");
  static const Words<WordContext> contexts = {{"sentence", WordContext::kSentence},
                                              {"text", WordContext::kText}};
  f.choice("word_context", word_context, contexts,
           "what the word encoder runs over: each sentence by itself, or the text (Kumar 2016)");
  f.field("marker_is_word", marker_is_word,
          "the marker behind a sentence is a word of it; false: it only separates the sentences");
}

void HierarchicalEncoderConfig::check(int64_t input, Problems& problems) const {
  const auto check_level = [&](const char* level, const EncoderConfig& encoder, int64_t width) {
    ProblemsAt at(problems, level);
    const Needs needs = needs_of(encoder);
    const bool refused = needs.marker || encoder.shared_with() || !encoder.reads();
    if (refused)
      at.add("", encoder.type + " cannot be used inside hierarchical: use another encoder");
    if (needs.edges)
      at.add("", "edges refer to the whole text, not to a sentence: leave the term out");
    if (needs.tag)
      at.add("",
             "tags belong to the whole text, not to a sentence: use task_specific in the decoder");
    if (!refused) encoder.check(width, at);
    return !refused;
  };
  if (states == States::kWords && !marker_is_word)
    problems.add("marker_is_word", "has to be true with `states: words`, which has all positions");
  const int64_t width = word_encoder->dims(input).source.value, blocks = pool->block_count();
  if (width % blocks != 0)
    problems.add("pool.blocks",
                 fmt::format("{} does not divide the width of the words, {}", blocks, width));
  if (check_level("word_encoder", *word_encoder, input))
    check_level("sentence_encoder", *sentence_encoder, word_encoder->dims(input).source.value);
}

SourceDims HierarchicalEncoderConfig::dims(int64_t input) const {
  const SourceDims of_words = word_encoder->dims(input);
  SourceDims of_sentences = sentence_encoder->dims(of_words.source.value);
  if (last->method == PoolMethod::kAttention) of_sentences.summarize(of_sentences.source.value);
  if (states == States::kSentences) {
    of_sentences.of_text = false;
    of_sentences.of_sentences = true;
    return of_sentences;
  }
  of_sentences.source = {
      .key = of_words.source.key, .value = of_words.source.value, .chunk = of_sentences.source.key};
  of_sentences.memory = of_words.memory;
  return of_sentences;
}

namespace kinds {
Kind<EncoderConfig> hierarchical_encoder() {
  return kind<HierarchicalEncoderConfig, EncoderConfig>(
      "hierarchical",
      "hierarchical: words to sentence vectors, sentence vectors to a document (Yang 2016)");
}
}  // namespace kinds

}  // namespace heed
