#include "inference/hierarchical_encoder.h"

#include <algorithm>
#include <utility>

#include "model/parameter_names_spec.h"

namespace heed {

namespace {

using Pool = HierarchicalEncoderShape::Pool;

}  // namespace

AlignedFloats PooledAttention::sums(const std::vector<int64_t>& begins, const AlignedFloats& keys,
                                    const AlignedFloats& values, int64_t width) const {
  const int64_t rows = begins.back(), groups = std::ssize(begins) - 1;
  AlignedFloats hidden(static_cast<size_t>(rows * hidden_.outputs())),
      scores(static_cast<size_t>(rows)), own, sums(static_cast<size_t>(groups * width), 0.0F);
  hidden_.product(keys.data(), rows, hidden.data());
  set_.tanh(hidden.data(), std::ssize(hidden));
  weigh_.product(hidden.data(), rows, scores.data());
  for (int64_t i = 0; i < groups; ++i) {
    const int64_t count = begins[i + 1] - begins[i];
    if (count == 0) continue;
    own.resize(static_cast<size_t>(filled_up(count, kSumLanes)));
    std::copy_n(scores.data() + begins[i], count, own.data());
    set_.weigh(own.data(), count, values.data() + begins[i] * width, width, width,
               sums.data() + i * width);
  }
  return sums;
}

HierarchicalEncoder::HierarchicalEncoder(const HierarchicalEncoderShape& shape,
                                         const std::string& name, std::optional<int32_t> marker,
                                         const Packer& packer, const Kernels& set)
    : shape_(shape),
      marker_(marker),
      set_(set),
      words_(shape.words, names::words(name), packer, set),
      sentences_(shape.sentences, names::sentences(name), packer, set) {
  if (shape.pool == Pool::kAttention) over_words_.emplace(names::over_words(name), packer, set);
  if (shape.document_hidden > 0) over_sentences_.emplace(names::over_sentences(name), packer, set);
}

HierarchicalEncoder::Sentences HierarchicalEncoder::sentences_of(const SourceTokens& tokens) const {
  Sentences all;
  for (size_t i = 0; i + 1 < tokens.begins.size(); ++i) {
    const int64_t end = tokens.begins[i + 1];
    for (int64_t begin = tokens.begins[i]; begin < end;) {
      int64_t mark = begin;
      while (mark < end && tokens.tokens[mark] != marker_) ++mark;
      const int64_t next = std::min(mark + 1, end);
      // A marker at the end of the document ends no sentence.
      const int64_t last = shape_.marker_is_word || next == end ? next : mark;
      for (int64_t word = begin; word < last; ++word) all.words.push_back(word);
      all.sentences.begins.push_back(std::ssize(all.words));
      begin = next;
    }
    all.documents.begins.push_back(std::ssize(all.sentences.begins) - 1);
  }
  return all;
}

Encoded HierarchicalEncoder::encode_words(const SourceTokens& tokens, const Sentences& sentences,
                                          AlignedFloats embedded) const {
  const auto take = [&](const AlignedFloats& x) {
    AlignedFloats taken;
    const int64_t width = std::ssize(x) / std::max<int64_t>(1, tokens.begins.back());
    take_rows(x.data(), sentences.words, width, taken);
    return taken;
  };
  if (!shape_.words_of_text) return words_.encode(sentences.sentences, take(embedded));
  Encoded words = words_.encode(tokens, std::move(embedded));
  words.states = take(words.states);
  return words;
}

AlignedFloats HierarchicalEncoder::pool(const SourceTokens& sentences, const Encoded& words) const {
  const int64_t width = shape_.words.width;
  switch (shape_.pool) {
    case Pool::kAttention:
      return over_words_->sums(sentences.begins, words.states, words.states, width);
    case Pool::kMean:
      return mean_state(sentences.begins, words.states, width, set_).hidden;
    case Pool::kSum:
      return sum_of_states(sentences.begins, words.states, width, set_);
    case Pool::kLast:
      break;
  }
  AlignedFloats last((sentences.begins.size() - 1) * static_cast<size_t>(width), 0.0F);
  for (size_t i = 0; i + 1 < sentences.begins.size(); ++i) {
    const int64_t end = sentences.begins[i + 1];
    if (end > sentences.begins[i])
      std::copy_n(words.states.data() + (end - 1) * width, width,
                  last.data() + static_cast<int64_t>(i) * width);
  }
  return last;
}

Encoded HierarchicalEncoder::encode(const SourceTokens& tokens, AlignedFloats embedded) const {
  const Sentences sentences = sentences_of(tokens);
  const Encoded words = encode_words(tokens, sentences, std::move(embedded));
  Encoded encoded = sentences_.encode(sentences.documents, pool(sentences.sentences, words));
  encoded.begins = sentences.documents.begins;
  if (over_sentences_)
    encoded.last = {{.hidden = over_sentences_->sums(encoded.begins, encoded.states, encoded.states,
                                                     shape_.width),
                     .cell = {}}};
  return encoded;
}

}  // namespace heed
