// Search with a normalizer that reads ahead (hard monotonic attention): only the keys that it
// requests are scored, so that a sentence is decoded in time linear in its length.
#include "nn/torch.h"

#include "nn/attention/fast/fast_path.h"
#include "nn/attention/heads.h"

namespace heed {

namespace {

// The keys of one query of each hypothesis.
class KeysAhead final : public ScoredKeys {
 public:
  // mask [N,1,1,S] of the sentences
  KeysAhead(const At& at, const Tensor& mask, Scorer& scorer)
      : at_(at), mask_(mask.squeeze(2).unsqueeze(3)), scorer_(scorer) {}
  int64_t count() const override { return mask_.size(2); }
  Tensor open(const Tensor& positions) const override {
    const Tensor readable = taken(mask_, positions).squeeze(3);
    return readable & (positions >= 0) & (positions < count());
  }
  Tensor scores(const Tensor& positions) const override {
    At some = at_;
    some.keys = taken(at_.keys, positions);
    return scorer_.score(some).squeeze(2);
  }
  // The same weights over all keys.  [R,H,1,S]
  Tensor spread(const SparseWeights& sparse) const {
    const auto& positions = sparse.positions;
    return sparse.weights.new_zeros({positions.size(0), positions.size(1), count()})
        .scatter_add(2, positions.clamp(0, count() - 1), sparse.weights)
        .unsqueeze(2);
  }

 private:
  const At& at_;
  Tensor mask_;  // [N,1,S,1]
  Scorer& scorer_;
};

// Queries in rows of hypotheses, [N·B,T] of [N,B·T].
At rows_of_hypotheses(const At& at, int64_t hypotheses) {
  At rows = at;
  rows.query = by_hypothesis(at.query, hypotheses);
  rows.queries = heads_by_hypothesis(at.queries, hypotheses);
  if (at.normalizer_queries.defined())
    rows.normalizer_queries = heads_by_hypothesis(at.normalizer_queries, hypotheses);
  rows.positions = by_hypothesis(at.positions, hypotheses);
  return rows;
}

At at_query(const At& rows, int64_t t) {
  At at = rows;
  at.query = rows.query.narrow(1, t, 1);
  at.queries = rows.queries.narrow(2, t, 1);
  if (rows.normalizer_queries.defined())
    at.normalizer_queries = rows.normalizer_queries.narrow(2, t, 1);
  at.positions = rows.positions.narrow(1, t, 1);
  return at;
}

class ReadAheadPath final : public FastPath {
 public:
  bool takes(const At& at, const KeysAndValues&) const override { return !at.pass.training; }

  Attended attend(const Stages& stages, const At& at, const KeysAndValues& memory) const override {
    const At rows = rows_of_hypotheses(at, memory.hypotheses);
    std::vector<Attended> steps;
    for (int64_t t = 0; t < rows.query.size(1); ++t) {
      steps.push_back(attend_one(stages, at_query(rows, t), memory));
    }
    return by_sentence(join_queries(steps), memory.hypotheses);
  }

 private:
  static Attended attend_one(const Stages& stages, const At& at, const KeysAndValues& memory) {
    const Tensor mask = readable_keys(memory, at.positions);
    const KeysAhead keys(at, mask, *stages.scorer);
    const SparseWeights sparse = stages.normalizer->read(keys, at);
    const Tensor values = taken(memory.values, sparse.positions);  // [R,H,P,V]
    const Tensor heads =
        stages.readout->read(sparse.weights.unsqueeze(2), values, at);  // [R,H,1,V]
    Attended result;
    result.context = context_of(heads, mask, stages, at, memory);
    if (at.pass.keep_weights) result.weights = keys.spread(sparse);
    return result;
  }
};

}  // namespace

std::unique_ptr<FastPath> make_read_ahead_path(const StagedConfig& config) {
  return config.reads_ahead() ? std::make_unique<ReadAheadPath>() : nullptr;
}

}  // namespace heed
