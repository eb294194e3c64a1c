// Common code of outputs that copy: maps source positions to the ids at these positions. Ids beyond
// the vocabulary belong to one sentence (Copyable).
#pragma once

#include "model/output.h"
#include "model/outputs/copying_config.h"

namespace heed {

// Ids that can be copied from the sentences of a batch.
class CopiedIds {
 public:
  CopiedIds(const Tensor& ids, int64_t size) : ids_(ids), size_(size) {}  // ids [R,S]

  // Sums over the positions of each id in log space, from positions [R,T,S] to ids [R,T,V+X]; -inf
  // for ids without a position.
  Tensor gather(const Tensor& log_mass) const;
  // Mask of the positions of each of the tokens [R,T].  [R,T,S]
  Tensor occurrences_of(const Tensor& tokens) const;
  // scores [R,T,S] with -inf at padding, and at kEnd of the source unless it can be copied.
  Tensor closed(const Tensor& scores, bool copy_end) const;
  // weights [R,T,S] with 0 at kEnd of the source.
  Tensor without_end(const Tensor& weights) const;
  // Ids of the rows [N].  [N,S]
  Tensor of_rows(const Tensor& rows) const { return ids_.index_select(0, rows); }
  int64_t size() const { return size_; }

 private:
  Tensor ids_;    // [R,S]
  int64_t size_;  // V+X: up to the greatest id that can be copied
};

// CopiedIds in the state.
class KeptCopies {
 public:
  explicit KeptCopies(StateLayout& layout) : ids_(layout.memory("copies")) {}
  // Stores the ids of the source that has them, and returns that source.
  const EncodedSource& put(const EncoderOutput& sources, const StateView& state) const;
  CopiedIds get(const StateView& state, int64_t vocabulary) const;

 private:
  MemorySlot ids_;  // [N,S]
};

// Step::hidden or Step::state.  [R,T,·]
const Tensor& state_read(const Step& step, CopyState state);

// Embeds tokens, ids beyond the vocabulary as kUnknown.  [R,T,E]
Tensor embed_known(Embedding& embedding, const Tensor& tokens, const Pass& pass);

// log x where x > 0; -inf without gradient elsewhere.
Tensor log_of_mass(const Tensor& x);

// Turns weights [..,S] into a distribution over the positions: negative ones become 0, the sum is
// 1, or 0 if no weight is positive.
Tensor distribution_of(const Tensor& weights);

// Log-probabilities of kEnd with probability 1.  like [..,V+X] -> [1,1,V+X]
Tensor end_alone(const Tensor& like);

// logsumexp over the last dimension, without gradient where x is -inf.  [..,S] -> [..,1]
Tensor log_sum(const Tensor& x);

}  // namespace heed
