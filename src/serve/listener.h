// A socket that listens, and the thread that accepts its connections. Where no file descriptor is left
// it waits until there is one: libmicrohttpd accepts none then until one of its connections ends.
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
    int socket;  // whoever takes it closes it
    sockaddr_storage address;
    socklen_t address_size;
  };
  using Take = std::function<void(const Accepted&)>;

  // Throws Error(kUsage) for a host that is no address of this machine, Error(kIo) for a port that
  // cannot be had. port: 0: a free one.
  Listener(const std::string& host, int64_t port);
  ~Listener() { end(); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int64_t port() const;
  bool is_ipv6() const { return is_ipv6_; }
  // From now on take() gets each connection, and tick() is called several times a second, both in the
  // thread of the listener.
  void start(Take take, std::function<void()> tick);
  // Accepts no connection any more.
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
