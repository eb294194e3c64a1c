// Bytes that wait to be sent, in pieces, none of which is copied or moved when others are added or
// taken.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <string>
#include <utility>

namespace heed {

class ByteQueue {
 public:
  void add(std::string piece) {
    size_ += piece.size();
    if (!piece.empty()) pieces_.push_back(std::move(piece));
  }
  size_t size() const { return size_; }
  // Moves up to `size` of the first bytes to the buffer, and returns their number.
  size_t take(char* buffer, size_t size) {
    size_t count = 0;
    while (count < size && !pieces_.empty()) {
      const std::string& first = pieces_.front();
      const size_t now = std::min(size - count, first.size() - taken_);
      std::copy_n(first.data() + taken_, now, buffer + count);
      count += now;
      taken_ += now;
      if (taken_ < first.size()) break;
      pieces_.pop_front();
      taken_ = 0;
    }
    size_ -= count;
    return count;
  }
  std::string take_all() {
    std::string all(size_, '\0');
    take(all.data(), all.size());
    return all;
  }
  void clear() {
    pieces_.clear();
    size_ = taken_ = 0;
  }

 private:
  std::deque<std::string> pieces_;  // none is empty
  size_t taken_ = 0;                // bytes of the first
  size_t size_ = 0;                 // bytes that are left of all
};

}  // namespace heed
