#include "cli/translate/interruption.h"

#include "base/interrupt.h"
#include "base/log.h"

namespace heed {

void stop_if_interrupted() {
  if (caught_signal() != 0) throw Stopped{caught_signal()};
}

namespace {

int leave_with(const char* message, const Stopped& stopped) {
  end_progress();
  spdlog::warn("interrupted; {}", message);
  return exit_code_of(stopped.signal);
}

}  // namespace

int report_unwritten(const Stopped& stopped) { return leave_with("nothing was written", stopped); }

int report_continuable(const Stopped& stopped) {
  return leave_with("what is done is kept, the same command continues", stopped);
}

}  // namespace heed
