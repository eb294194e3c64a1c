// Embedded tokens of sources, with their factors and the tags of the sentences (model/seq2seq.h).
#pragma once

#include <vector>

#include "inference/sentences.h"
#include "inference/vocabulary.h"

namespace heed {

class SourceInput {
 public:
  // source: its number
  SourceInput(const VocabularyShape& shape, size_t source, const Embeddings& embeddings,
              const Packer& packer);
  // tokens: of the sentences.  to [tokens, VocabularyShape::source_input()]
  void embed(const std::vector<const Example*>& sentences, const SourceTokens& tokens,
             AlignedFloats& to) const;

 private:
  size_t source_;
  int64_t width_, all_;  // of an embedded token, and with the factors
  PackedMatrix tokens_;
  struct Factor {
    FactorShape shape;
    std::vector<float> labels;  // [labels,width]
  };
  std::vector<Factor> factors_;
  std::vector<float> tags_;  // [tags,E]; empty: not added
};

// Tags of hypotheses, which are added to the embedding of their first token.
class TargetTags {
 public:
  // Empty if the model does not add them.
  explicit TargetTags(const std::vector<float>& table) : table_(table) {}
  void add_rows(const std::vector<const Example*>& sentences);
  // Adds the tags of the rows that have read no token yet.  x [R,width]
  void add_to_first(float* x, int64_t width);
  void gather(const std::vector<int64_t>& rows);
  void join(const TargetTags& more);

 private:
  static constexpr int64_t kNone = -1;
  const std::vector<float>& table_;  // [tags,width]
  std::vector<int64_t> tags_;        // of each row; kNone after its first token
};

}  // namespace heed
