// Counts the warnings that are logged while it lives (warnings below the log level are not).
#pragma once

#include <cstdint>
#include <memory>

namespace heed {

class WarningCount {
 public:
  // One at a time; before threads log.
  WarningCount();
  ~WarningCount();
  WarningCount(const WarningCount&) = delete;
  WarningCount& operator=(const WarningCount&) = delete;
  int64_t value() const;

 private:
  struct Sink;
  std::shared_ptr<Sink> sink_;
};

}  // namespace heed
