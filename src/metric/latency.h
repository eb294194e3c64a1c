// Latency of simultaneous translation, from the delays g(t) of its tokens: the number of source tokens
// that were read before target token t, counted from 1.
#pragma once

#include <string>
#include <vector>

#include "metric/metric.h"

namespace heed {

struct Delays {
  double source_length = 0;  // |x|
  std::vector<double> read;  // g(1), …, g(|y|)
};

// Ma et al. 2019 (STACL), equations 8 and 9, with r = |y| / |x| of the translation itself:
//   AL = 1/τ Σ_{t=1}^τ (g(t) - (t - 1) / r),  τ = the first t with g(t) = |x|
// τ = |y| if the translation ends before the source, as in SimulEval. At least one target token.
double average_lagging(const Delays& delays);

// Cherry and Foster 2019:
//   DAL = 1/|y| Σ_t (g'(t) - (t - 1) / r),  g'(1) = g(1), g'(t) = max(g(t), g'(t - 1) + 1 / r)
// At least one target token.
double differentiable_average_lagging(const Delays& delays);

// Mean latency of the sentences, in the unit of the delays. A line of the hypotheses is a JSON object
// with `source_length` and `delays`, a list; other keys are ignored, as those of a log of SimulEval.
// Lines without target tokens are left out of the mean. References are not used.
class Latency final : public Metric {
 public:
  using Function = double(const Delays& delays);
  Latency(std::string name, Function& latency) : name_(std::move(name)), latency_(latency) {}
  std::string name() const override { return name_; }
  std::string signature(size_t references) const override;
  bool higher_is_better() const override { return false; }
  std::string fault_of(std::string_view line, LineRole role) const override;
  // {latency, 1}; zeros for a line without target tokens. Throws Error(kData) for a line that
  // fault_of() rejects.
  Statistics statistics(std::string_view hypothesis,
                        const LineReferences& references) const override;
  // Parts: the number of lines with target tokens.
  Score from_sum(const Statistics& sum) const override;

 private:
  std::string name_;
  Function& latency_;
};

}  // namespace heed
