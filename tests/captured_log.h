// Everything that is logged while it lives. The log of a test program writes to stdout until
// set_up_log() is called, so a test that captures stderr alone depends on the tests before it.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/log.h"

namespace heed {

class CapturedLog {
 public:
  explicit CapturedLog(const std::string& level = "info") {
    testing::internal::CaptureStderr();
    set_up_log(level);
  }
  CapturedLog(const CapturedLog&) = delete;
  CapturedLog& operator=(const CapturedLog&) = delete;
  ~CapturedLog() { end(); }

  // Ends the capture at the first call.
  const std::string& end() {
    if (!ended_) {
      text_ = testing::internal::GetCapturedStderr();
      set_up_log("info");
      ended_ = true;
    }
    return text_;
  }

 private:
  std::string text_;
  bool ended_ = false;
};

}  // namespace heed
