// Deadlines of connections on which the server waits for its client: for a request, for a body, or
// until an answer is taken. A client that sends or reads a byte now and then does not keep one open.
#pragma once

#include <chrono>
#include <map>
#include <mutex>

namespace heed {

class ConnectionWatch {
 public:
  using Clock = std::chrono::steady_clock;

  // The client of this socket has until then.
  void expect(int socket, Clock::time_point deadline);
  // The server does not wait for it any more; called before the socket is closed too.
  void forget(int socket);
  // Shuts down the connections that are late. Their server, which then reads the end of the stream,
  // closes them.
  void close_late();

 private:
  std::mutex mutex_;
  std::map<int, Clock::time_point> deadlines_;
};

}  // namespace heed
