#include "run/train_entry.h"

#include <ATen/Parallel.h>

#include "nn/torch.h"

#include <atomic>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "distributed/launch.h"
#include "nn/torch_errors.h"
#include "train/prepare.h"

namespace heed {

namespace {

// Held by the only training of this process: log and stop are those of the process.
class OnlyTraining {
 public:
  OnlyTraining() {
    if (runs_.exchange(true))
      throw_error(ErrorKind::kUsage,
                  "another training runs in this process; wait for its end, or train in another "
                  "process");
  }
  ~OnlyTraining() { runs_ = false; }
  OnlyTraining(const OnlyTraining&) = delete;
  OnlyTraining& operator=(const OnlyTraining&) = delete;

 private:
  static inline std::atomic<bool> runs_ = false;
};

TrainingOutcome train_run(const RunRequest& request, const TrainingCalls& calls) {
  const OnlyTraining only;
  const LogToFunction log(calls.log);
  const StopIf stop(calls.stop);
  const auto run = prepare_in_all(request, find_launch());
  const int exit_code = run->run();
  return {.folder = run->training().job().folder.folder().string(),
          .finished = exit_code == 0,
          .updates = run->training().progress().update};
}

}  // namespace

}  // namespace heed

void heed_train_run(const heed::RunRequest& request, const heed::TrainingCalls& calls,
                    heed::TrainingOutcome& outcome) {
  at::set_num_threads(1);  // workers share the cores, not the operations
  outcome = heed::with_known_errors([&] { return heed::train_run(request, calls); });
}
