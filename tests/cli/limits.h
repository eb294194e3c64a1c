// A limit for the programs that a test starts, as long as it lives.
#pragma once

#include <sys/resource.h>

#include "cli/started_program.h"

namespace heed {

class Limit {
 public:
  Limit(__rlimit_resource_t resource, rlim_t value) : resource_(resource) {
    getrlimit(resource_, &before_);
    const rlimit lower{value, before_.rlim_max};
    setrlimit(resource_, &lower);
    ++limits_of_tests;
  }
  ~Limit() {
    setrlimit(resource_, &before_);
    --limits_of_tests;
  }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

 private:
  __rlimit_resource_t resource_;
  rlimit before_{};
};

}  // namespace heed
