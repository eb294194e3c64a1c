// A listening socket, and the thread that accepts its connections. Without a free file descriptor
// the thread waits until there is one; libmicrohttpd would accept no connection until one of its
// connections ends.
#pragma once

#include <sys/socket.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

namespace heed {

class Listener {
 public:
  struct Accepted {
    int socket;  // the receiver closes it
    sockaddr_storage address;
    socklen_t address_size;
  };
  using Take = std::function<void(const Accepted&)>;

  // Throws Error(kUsage) for a host that is not an address of this machine, Error(kIo) for a port
  // that is not available. port: 0: any free port.
  Listener(const std::string& host, int64_t port);
  ~Listener() { end(); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int64_t port() const;
  bool is_ipv6() const { return is_ipv6_; }
  // Starts the thread, which calls take() for each connection and tick() several times a second.
  void start(Take take, std::function<void()> tick);
  // Stops accepting connections.
  void end();

 private:
  void accept_all();
  void accept_one();

  int socket_ = -1;
  bool is_ipv6_ = false;
  Take take_;
  std::function<void()> tick_;
  std::atomic<bool> has_ended_ = false;
  std::thread thread_;
};

}  // namespace heed
