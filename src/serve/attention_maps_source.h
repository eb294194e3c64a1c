// Attention maps by layer and head, which the engines of translation do not keep: whoever computes
// them reads a translation once more.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "report/attention_map.h"
#include "translate/text_model.h"

namespace heed {

class AttentionMapsSource {
 public:
  virtual ~AttentionMapsSource() = default;
  // Every map of the model while it reads `target` as the translation of `line`; none: the model has
  // no attention. Throws Error.
  virtual std::vector<AttentionMap> maps(const SourceLine& line,
                                         const std::string& target) const = 0;
  virtual int64_t bytes() const = 0;  // of memory that its parameters take
};

// The maps of a model, which are loaded for the first request that needs them and live as long as the
// model.
class AttentionMapsOnUse {
 public:
  // load: may take a second, and throws Error or HttpError if no maps can be made.
  using Load = std::function<std::unique_ptr<AttentionMapsSource>()>;
  explicit AttentionMapsOnUse(Load load) : load_(std::move(load)) {}
  // Called by one thread at a time. Throws what `load` throws.
  const AttentionMapsSource& get() {
    if (maps_ == nullptr) {
      maps_ = load_();
      bytes_ = maps_->bytes();
    }
    return *maps_;
  }
  int64_t bytes() const { return bytes_; }  // 0 before they are loaded. From any thread

 private:
  const Load load_;
  std::unique_ptr<AttentionMapsSource> maps_;
  std::atomic<int64_t> bytes_ = 0;
};

}  // namespace heed
