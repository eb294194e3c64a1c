#include "train/teacher_forced.h"

#include "nn/torch.h"

#include <algorithm>

#include "base/interrupt.h"
#include "data/batch_limit.h"
#include "network/network_threads.h"
#include "train/objective.h"
#include "train/parts.h"
#include "translate/workers.h"

namespace heed {

namespace {

constexpr BatchLimit kLimit{.tokens = 4096};

std::vector<std::vector<Example>> batches_of(const std::vector<Example>& examples) {
  std::vector<int64_t> lengths;
  for (const Example& example : examples) {
    size_t length = example.target.size();
    for (const Ids& source : example.sources) length = std::max(length, source.size());
    lengths.push_back(static_cast<int64_t>(length));
  }
  std::vector<std::vector<Example>> batches;
  for (const auto& group : sorted_batches(lengths, kLimit)) {
    batches.emplace_back();
    for (const size_t i : group) batches.back().push_back(examples[i]);
  }
  return batches;
}

}  // namespace

TokenSums teacher_forced(const NetworkModel& model, const EvaluationSet& set, int64_t workers) {
  const CrossEntropy objective(model.sources);
  const auto batches = batches_of(set.examples);
  std::vector<TokenSums> sums(batches.size());
  const NetworkThreads threads;
  run_in_workers(
      workers, batches.size(),
      [&](size_t i) {
        if (caught_signal() != 0) throw Interrupted();
        const torch::NoGradGuard no_grad;
        sums[i] = objective.loss(*model.networks[0], batches[i], Pass(), 1).sums.read();
      },
      threads);
  TokenSums total;
  for (const TokenSums& part : sums) total += part;
  return total;
}

}  // namespace heed
