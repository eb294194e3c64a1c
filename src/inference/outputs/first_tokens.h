// The rows whose next token is their first one, for outputs of one token and kEnd.
#pragma once

#include <cstdint>
#include <vector>

namespace heed {

class FirstTokens {
 public:
  explicit FirstTokens(size_t rows) : steps_(rows, 0) {}
  void step() {
    for (int64_t& steps : steps_) ++steps;
  }
  // After a step.
  bool is_first(int64_t row) const { return steps_[row] == 1; }
  void gather(const std::vector<int64_t>& rows) {
    std::vector<int64_t> taken;
    for (const int64_t row : rows) taken.push_back(steps_[row]);
    steps_ = taken;
  }
  void join(const FirstTokens& more) {
    steps_.insert(steps_.end(), more.steps_.begin(), more.steps_.end());
  }

 private:
  std::vector<int64_t> steps_;  // of each row
};

}  // namespace heed
