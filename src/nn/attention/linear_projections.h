// Projections of queries, keys, values and heads, common to all linear attention mechanisms.
#pragma once

#include "nn/attention/attention.h"
#include "nn/attention/empty_rows.h"
#include "nn/attention/linear_config.h"
#include "nn/linear.h"

namespace heed {

class LinearProjections : public Attention {
 public:
  LinearProjections(const LinearConfig& config, const AttentionDims& dims);

 protected:
  Tensor queries_of(const Tensor& x) { return heads_of(query_, x); }  // [R,T,W] -> [R,H,T,D]
  Tensor keys_of(const Tensor& x) { return heads_of(key_, x); }
  Tensor values_of(const Tensor& x) { return heads_of(value_, x); }
  // Joins and projects heads [R,H,T,V]; 0, without the bias, for queries without readable
  // positions.
  Attended finished(const Tensor& heads, const StateView& state);

  int64_t heads_;

 private:
  Tensor heads_of(const Linear& projection, const Tensor& x) const;

  Linear query_, key_, value_, output_;

 protected:
  EmptyRows empty_{layout_};
};

std::shared_ptr<Attention> make_linformer(const LinearConfig& config, const LinformerFeatures& own,
                                          const AttentionDims& dims);

}  // namespace heed
