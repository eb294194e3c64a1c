// What outputs that copy have in common: the way from positions of the source to the ids that stand
// there. An id behind the vocabulary is one that its sentence alone has (Copyable).
#pragma once

#include <limits>

#include "model/output.h"

namespace heed {

inline constexpr double kNever = -std::numeric_limits<double>::infinity();  // its log-probability

// What can be copied of the sentences of a batch.
class CopiedIds {
 public:
  CopiedIds(const Tensor& ids, int64_t size) : ids_(ids), size_(size) {}  // ids [R,S]

  // log Σ over the positions of an id of exp: from positions [R,T,S] to ids [R,T,V+X]; -inf where there is
  // no such position.
  Tensor gather(const Tensor& log_mass) const;
  // Where one of the tokens [R,T] stands.  [R,T,S]
  Tensor occurrences_of(const Tensor& tokens) const;
  // scores [R,T,S] with -inf behind the end of each sentence.
  Tensor closed(const Tensor& scores) const;
  // weights [R,T,S] with 0 where the end of the source stands.
  Tensor without_end(const Tensor& weights) const;
  // The ids of some rows [N].  [N,S]
  Tensor of_rows(const Tensor& rows) const { return ids_.index_select(0, rows); }
  int64_t size() const { return size_; }

 private:
  Tensor ids_;    // [R,S]
  int64_t size_;  // V+X: up to the greatest id that can be copied
};

// Where they are kept.
class KeptCopies {
 public:
  explicit KeptCopies(StateLayout& layout) : ids_(layout.memory("copies")) {}
  // Puts them there, from the source that has them, which is given back.
  const EncodedSource& put(const EncoderOutput& sources, const StateView& state) const;
  CopiedIds get(const StateView& state, int64_t vocabulary) const;

 private:
  MemorySlot ids_;  // [N,S]
};

// [R,T,E], ids behind the vocabulary as kUnknown.
Tensor embed_known(Embedding& embedding, const Tensor& tokens, const Pass& pass);

// With the gradient of a logarithm where x > 0, and -inf and none elsewhere.
Tensor log_of_mass(const Tensor& x);

// Weights [..,S] as a distribution over the positions: none below 0, their sum 1, or 0 where there is
// nothing.
Tensor distribution_of(const Tensor& weights);

// Log-probabilities of the end and of nothing else.  like [..,V+X] -> [1,1,V+X]
Tensor end_alone(const Tensor& like);

// log Σ over the last dimension of exp, with no gradient where x is -inf.  [..,S] -> [..,1]
Tensor log_sum(const Tensor& x);

// What cannot work where the target is copied, with the reason.
void check_copying(const OutputDims& dims, Problems& problems);

}  // namespace heed
