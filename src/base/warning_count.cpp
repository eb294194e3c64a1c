#include "base/warning_count.h"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <atomic>

namespace heed {

struct WarningCount::Sink final : spdlog::sinks::base_sink<spdlog::details::null_mutex> {
  void sink_it_(const spdlog::details::log_msg& message) override {
    count += message.level == spdlog::level::warn;
  }
  void flush_() override {}
  std::atomic<int64_t> count = 0;
};

WarningCount::WarningCount() : sink_(std::make_shared<Sink>()) {
  spdlog::default_logger()->sinks().push_back(sink_);
}

WarningCount::~WarningCount() {
  std::erase(spdlog::default_logger()->sinks(), spdlog::sink_ptr(sink_));
}

int64_t WarningCount::value() const { return sink_->count; }

}  // namespace heed
