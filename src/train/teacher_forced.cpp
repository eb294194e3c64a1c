#include "train/teacher_forced.h"

#include "nn/torch.h"

#include <algorithm>

#include "base/interrupt.h"
#include "base/memory.h"
#include "data/batch_limit.h"
#include "network/network_threads.h"
#include "nn/torch_errors.h"
#include "train/objective.h"
#include "train/parts.h"
#include "translate/workers.h"

namespace heed {

namespace {

constexpr BatchLimit kLimit{.tokens = 4096};

std::vector<std::vector<Example>> batches_of(const std::vector<Example>& examples) {
  std::vector<int64_t> lengths;
  for (const Example& example : examples) lengths.push_back(longer_side(example));
  std::vector<std::vector<Example>> batches;
  for (const auto& group : sorted_batches(lengths, kLimit)) {
    batches.emplace_back();
    for (const size_t i : group) batches.back().push_back(examples[i]);
  }
  return batches;
}

// The work, in errors for a lack of memory.
std::string describe(const std::string& set, const std::vector<Example>& batch) {
  const auto longest = std::ranges::max_element(batch, {}, longer_side);
  return fmt::format(
      "the loss on {}, {} lines of which line {} is the longest with {} tokens; split long lines, "
      "or leave them out",
      set, batch.size(), longest->index + 1, longer_side(*longest));
}

// The sums of a batch. [6]
Tensor sums_of(const CrossEntropy& objective, const NetworkModel& model, const std::string& set,
               const std::vector<Example>& batch) {
  return with_memory_for(
      [&] { return describe(set, batch); },
      [&] {
        return with_known_errors(
            [&] { return objective.loss(*model.networks[0], batch, Pass(), 1).sums.values(); });
      });
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
          sums[static_cast<int64_t>(own[i])].copy_(
              sums_of(objective, model, set.name, batches[own[i]]));
        },
        threads);
  });
  parallelism.processes.sum(sums);
  TokenSums total;
  for (int64_t batch = 0; batch < sums.size(0); ++batch) total += LossSums::read(sums[batch]);
  return total;
}

}  // namespace heed
