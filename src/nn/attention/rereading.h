// Base class of attention with several hops: `hops` and adaptive computation time. Each hop has its
// own state, since the history of a stage is that of the same hop.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "nn/attention/attention.h"
#include "nn/attention/empty_rows.h"
#include "nn/attention/rereading_config.h"
#include "nn/recurrent.h"

namespace heed {

// Applies an attention N times, with shared or separate parameters.
class Rereading : public Attention {
 public:
  Rereading(const RereadingConfig& config, const AttentionDims& dims, int64_t hops);
  void start(const Sources& sources, StateView state) override;
  Attended attend(const Tensor& query, const Tensor& positions, StateView state) final;
  Attended attend_past(const Tensor& keys, const Tensor& values, const Tensor& query,
                       const Tensor& positions, StateView state) final;

 protected:
  // Hop n of a query [R,T,W].
  using Read = std::function<Attended(int64_t n, const Tensor& query)>;
  virtual Attended reread(const Tensor& query, const Read& read) = 0;
  int64_t hops() const { return hops_; }
  // q ← q + c, or a recurrent cell of the two.  [R,T,W]
  Tensor updated(const Tensor& query, const Tensor& context);

 private:
  void make_cell(int64_t width);
  Attention& attention(int64_t hop);

  int64_t hops_;
  std::vector<std::shared_ptr<Attention>> attentions_;
  std::vector<StateBlock> states_;  // of each hop
  EmptyRows empty_{layout_};
  std::shared_ptr<RecurrentCell> cell_;  // none if the context vector is added
};

}  // namespace heed
