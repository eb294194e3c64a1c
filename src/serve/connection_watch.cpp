#include "serve/connection_watch.h"

#include <sys/socket.h>

namespace heed {

void ConnectionWatch::expect(int socket, Clock::time_point deadline) {
  const std::lock_guard lock(mutex_);
  deadlines_[socket] = deadline;
}

void ConnectionWatch::forget(int socket) {
  const std::lock_guard lock(mutex_);
  deadlines_.erase(socket);
}

void ConnectionWatch::close_late() {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  std::erase_if(deadlines_, [&](const auto& connection) {
    const auto& [socket, deadline] = connection;
    if (now < deadline) return false;
    shutdown(socket, SHUT_RDWR);
    return true;
  });
}

}  // namespace heed
