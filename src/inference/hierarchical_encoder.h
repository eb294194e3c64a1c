// A hierarchical encoder of documents (model/encoders/hierarchical.cpp): an encoder of the words of each
// sentence, whose states become one vector, and an encoder of these vectors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "inference/recurrent_encoder.h"
#include "inference/source_encoder.h"

namespace heed {

// Weighted sum of states, with the weights softmax(uᵀ tanh(W h + b)).
class PooledAttention {
 public:
  // prefix: of the names of its parameters
  PooledAttention(const std::string& prefix, const Packer& packer, const Kernels& set)
      : hidden_(packer.linear({prefix + "hidden"})),
        weigh_(packer.linear({prefix + "weigh"})),
        set_(set) {}
  // Group i is rows begins[i] to begins[i+1]; the sum of an empty one is 0.  keys [rows,W] -> [groups,V]
  AlignedFloats sums(const std::vector<int64_t>& begins, const AlignedFloats& keys,
                     const AlignedFloats& values, int64_t width) const;

 private:
  PackedMatrix hidden_, weigh_;  // W and b, u
  const Kernels& set_;
};

class HierarchicalEncoder final : public SourceEncoder {
 public:
  // name: of its parameters; marker: behind each sentence but the last one
  HierarchicalEncoder(const HierarchicalEncoderShape& shape, const std::string& name,
                      std::optional<int32_t> marker, const Packer& packer, const Kernels& set);
  // The states are those of the sentences.
  Encoded encode(const SourceTokens& tokens, AlignedFloats embedded) const override;

 private:
  // The words of each sentence, and the sentences of each document.
  struct Sentences {
    std::vector<int64_t> words;         // rows of the tokens
    SourceTokens sentences, documents;  // without tokens
  };
  Sentences sentences_of(const SourceTokens& tokens) const;
  // The states of the words, without the tokens that are none.
  Encoded encode_words(const SourceTokens& tokens, const Sentences& sentences,
                       AlignedFloats embedded) const;
  // A vector of each sentence.
  AlignedFloats pool(const SourceTokens& sentences, const Encoded& words) const;

  HierarchicalEncoderShape shape_;
  std::optional<int32_t> marker_;
  const Kernels& set_;
  RecurrentEncoder words_, sentences_;
  std::optional<PooledAttention> over_words_, over_sentences_;
};

}  // namespace heed
