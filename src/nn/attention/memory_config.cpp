#include "nn/attention/memory_config.h"

#include "config/idle.h"
#include "config/sizes.h"
#include "nn/attention/stage_config.h"

namespace heed {

void MemoryConfig::fields(Fields& f) {
  static const Words<Initial> initials = {{"source", Initial::kSource},
                                          {"learned", Initial::kLearned},
                                          {"constant", Initial::kConstant}};
  static const Words<Order> orders = {{"read_first", Order::kReadFirst},
                                      {"write_first", Order::kWriteFirst}};
  f.choice("initial", initial, initials,
           "initial memory: a row for each position of the source, learned rows, or rows of 1e-6; "
           "without rows of the source it needs no source");
  f.field("rows", rows, kLengths, "number of rows of a learned or constant memory");
  if (!has_own_rows()) idle(f, "rows", "with the rows of the source");
  f.field("heads", heads, kHeads, "number of read heads");
  f.field(
      "width", width, kWidthsOrNone,
      "width of a memory row; 0: the width of the encoder output, or of the query without rows of "
      "the source");
  f.field("shift", shift, kLengthsOrNone,
          "maximum shift of a head, in positions; 0: content addressing only");
  f.field("write", write, "add a write head");
  f.choice("order", order, orders,
           "read the memory that the last query has written, then write; or write, then read what "
           "this query has written (Graves 2014, equation 2)");
}

void MemoryConfig::check(const AttentionDims& dims, Problems& problems) const {
  if (dims.place != Place::kCross) {
    problems.add("", "memory is of a decoder: use it in decoder.attention");
  } else if (shift > 0 && !has_own_rows()) {
    check_order(*this, dims, problems);
  }
  if (!write && has_own_rows())
    problems.add("write", "a memory without rows of the source needs a write head: leave it out");
  if (!write && order == Order::kWriteFirst)
    problems.add("order", "write_first needs a write head, and `write` is false");
}

namespace kinds {
Kind<AttentionConfig> memory() {
  return kind<MemoryConfig, AttentionConfig>(
      "memory",
      "memory of a neural Turing machine: read and write heads with content and location "
      "addressing (Graves 2014)");
}
}  // namespace kinds

}  // namespace heed
