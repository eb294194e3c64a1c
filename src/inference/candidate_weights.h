// The weights of the output layer for the tokens that the sentences of a batch may write, their
// candidates (Example::candidates): a few hundred of each sentence, so that the product with the
// vocabulary, half of the time of a small model, is one with a few thousand of its tokens.
//
// Own code because the candidates of a batch change whenever sentences enter it; those of sentences
// that have left stay until then, which costs less than packing the others again.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "data/example.h"
#include "kernels/packed_matrix.h"

namespace heed {

class CandidateWeights {
 public:
  // Makes sure that the weights are those of all these candidates, of each sentence, at least.
  // output: the same in all calls.
  void update(const std::vector<Candidates>& sentences, const PackedMatrix& output);

  const PackedMatrix& weights() const { return weights_; }  // [U,·]
  // The columns of the candidates among the U outputs; of what the last update() was given.
  std::span<const int32_t> columns(const Candidates& candidates) const {
    return columns_.at(candidates);
  }

 private:
  PackedMatrix weights_;
  std::map<Candidates, std::vector<int32_t>> columns_;  // the same lists, not equal ones
};

}  // namespace heed
