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

TokenSums teacher_forced(const NetworkModel& model, const EvaluationSet& set,
                         const Parallelism& parallelism) {
  const CrossEntropy objective(model.sources);
  const auto batches = batches_of(set.examples);
  const std::vector<size_t> own = share_of(batches.size(), parallelism.processes);
  Tensor sums = torch::zeros({static_cast<int64_t>(batches.size()), LossSums::kNumbers},
                             torch::kDouble);  // [batches, 6]: those of other processes are 0
  const NetworkThreads threads;
  together(parallelism.processes, [&] {
    run_in_workers(
        parallelism.workers, own.size(),
        [&](size_t i) {
          if (caught_signal() != 0) throw Interrupted();
          const torch::NoGradGuard no_grad;
          const auto batch = static_cast<int64_t>(own[i]);
          sums[batch].copy_(
              objective.loss(*model.networks[0], batches[own[i]], Pass(), 1).sums.values());
        },
        threads);
  });
  parallelism.processes.sum(sums);
  TokenSums total;
  for (int64_t batch = 0; batch < sums.size(0); ++batch) total += LossSums::read(sums[batch]);
  return total;
}

}  // namespace heed
