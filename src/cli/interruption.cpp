#include "cli/interruption.h"

#include "base/interrupt.h"
#include "base/log.h"

namespace heed {

void stop_if_interrupted() {
  if (caught_signal() != 0) throw Stopped{caught_signal()};
}

int leave_unwritten(const Stopped& stopped) {
  end_progress();
  spdlog::warn("interrupted; nothing was written");
  return exit_code_of(stopped.signal);
}

}  // namespace heed
