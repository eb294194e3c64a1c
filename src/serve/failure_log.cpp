#include "serve/failure_log.h"

#include <utility>

#include "base/log.h"

namespace heed {

std::optional<int64_t> LineLimit::take(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  if (!begun_ || now - *begun_ >= std::chrono::minutes(1)) {
    begun_ = now;
    written_ = 0;
  }
  if (written_ == kLines) {
    ++left_out_;
    return std::nullopt;
  }
  ++written_;
  return std::exchange(left_out_, 0);
}

void FailureLog::add(const std::string& path, const HttpError& error) {
  constexpr size_t kOfPath = 100, kOfReason = 1000;  // bytes
  constexpr int kFirstOfServer = 500;
  const auto status = static_cast<int>(error.status());
  const bool is_of_server = status >= kFirstOfServer;
  const auto level = error.status() == HttpStatus::kInternal ? spdlog::level::err
                     : is_of_server                          ? spdlog::level::warn
                                                             : spdlog::level::debug;
  if (!spdlog::should_log(level)) return;
  const std::optional<int64_t> left_out =
      is_of_server ? limit_.take(LineLimit::Clock::now()) : std::optional<int64_t>(0);
  if (!left_out) return;
  const std::string others =
      *left_out > 0 ? fmt::format(" ({} failures before it are not in the log)", *left_out) : "";
  spdlog::log(level, "{}: status {}: {}{}", path.substr(0, kOfPath), status,
              error.reason().substr(0, kOfReason), others);
}

}  // namespace heed
