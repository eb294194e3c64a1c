// An ensemble: one or more models that decode the same batch.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/seq2seq.h"

namespace heed {

// Begins with one hypothesis per sentence, as State does.
class Ensemble {
 public:
  // Encodes the sources. The models share a target vocabulary and a device.
  Ensemble(const std::vector<std::shared_ptr<Seq2Seq>>& models, const SourceBatches& sources,
           bool keep_weights);
  // tokens [R,T] -> [R,T,V], the logarithm of the mean of the models' probabilities.
  Tensor advance(const Tensor& tokens);
  // [R,T,S] of the last call, mean over heads and models; undefined if no model has weights.
  Tensor attention() const;
  // The source that it is over; empty: the first.
  const std::string& attention_source() const { return attention_source_; }

  int64_t hypotheses() const { return states_.front().hypotheses(); }
  void gather(const Tensor& rows, int64_t hypotheses);  // State's
  void join(Ensemble more);                             // of the same models

 private:
  std::vector<std::shared_ptr<Seq2Seq>> models_;
  std::vector<State> states_;
  std::vector<Tensor> weights_;  // [R,T,S] of each model that has them
  std::string attention_source_;
};

}  // namespace heed
