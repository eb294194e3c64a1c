// Attention by its stages: score, terms, normalizer, dropout, read-out. The ways in fast/ have the
// same results; weight_history.h uses it for one query at a time.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "nn/attention/disagreement_config.h"
#include "nn/attention/stages.h"

namespace heed {

struct Stages {
  std::shared_ptr<Scorer> scorer;
  std::vector<std::shared_ptr<Term>> terms;
  std::shared_ptr<Normalizer> normalizer;
  std::shared_ptr<ReadOut> readout;
  double dropout = 0;  // probability, of the weights
  std::optional<DisagreementConfig> disagreement{};
};

// Prepared keys and values of a source or of a decoder's own past. R: number of sentences; over a
// past, number of hypotheses.
struct KeysAndValues {
  Tensor keys, values;        // [R,G,S,D], [R,G,S,V]
  Tensor mask;                // [R,S]; undefined over a past, which is all readable
  Tensor positions;           // [R,S]
  Tensor lengths;             // [R]; undefined over a past
  int64_t hypotheses = 1;     // queries of each row
  bool may_be_empty = false;  // true if a query may have no readable key
  SentenceFeatures features{};
};

// The keys that queries at these positions [R,T] may read, before the terms. Over a past it has
// T·S entries: a way in time linear in the length does without it.  [R,1,1|T,S]
Tensor readable_keys(const KeysAndValues& memory, const Tensor& positions);

// Keeps the weights in the result.
Attended plain_attention(const Stages& stages, const At& at, const KeysAndValues& memory);

// Context vectors of the read-out [R,H,T,V]; 0 for queries without readable keys by the mask
// [R,1|H,1|T,S], which is read only if memory.may_be_empty.  [R,T,context]
Tensor context_of(const Tensor& heads, const Tensor& mask, const Stages& stages, const At& at,
                  const KeysAndValues& memory);

}  // namespace heed
