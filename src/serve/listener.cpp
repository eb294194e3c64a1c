#include "serve/listener.h"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/system/system.h"

namespace heed {

namespace {

using AddressList = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

AddressList find_address(const std::string& host, int64_t port) {
  addrinfo wanted{}, *found = nullptr;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found);
  if (error != 0)
    throw_error(ErrorKind::kUsage, "--host {}: {}; expected an address or name of this machine",
                host, gai_strerror(error));
  return {found, &freeaddrinfo};
}

[[noreturn]] void throw_no_listener(const std::string& host, int64_t port, int reason) {
  if (reason == EADDRNOTAVAIL)
    throw_error(ErrorKind::kUsage, "--host {}: is not an address of this machine", host);
  throw_error(ErrorKind::kIo,
              "--port {}: cannot listen on {} ({}); another program may use the port: give "
              "another --port, or 0 for a free one",
              port, host, std::strerror(reason));
}

bool listen_at(int socket, const addrinfo& address) {
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  if (address.ai_family == AF_INET6)
    setsockopt(socket, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof(yes));
  return bind(socket, address.ai_addr, address.ai_addrlen) == 0 && listen(socket, SOMAXCONN) == 0;
}

}  // namespace

Listener::Listener(const std::string& host, int64_t port) {
  const AddressList address = find_address(host, port);
  is_ipv6_ = address->ai_family == AF_INET6;
  socket_ = open_socket(address->ai_family, Waiting::kReturns);
  if (socket_ >= 0 && listen_at(socket_, *address)) return;
  const int reason = errno;
  if (socket_ >= 0) close(socket_);
  throw_no_listener(host, port, reason);
}

int64_t Listener::port() const {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(is_ipv6_ ? reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port
                        : reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

void Listener::start(Take take, std::function<void()> tick) {
  take_ = std::move(take);
  tick_ = std::move(tick);
  thread_ = std::thread([this] { accept_all(); });
}

void Listener::end() {
  has_ended_ = true;
  if (thread_.joinable()) thread_.join();
  if (socket_ >= 0) close(std::exchange(socket_, -1));
}

void Listener::accept_all() {
  constexpr auto kTick = std::chrono::milliseconds(100);
  auto next_tick = std::chrono::steady_clock::now();
  while (!has_ended_) {
    pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, kTick.count()) > 0) accept_one();
    const auto now = std::chrono::steady_clock::now();
    if (now < next_tick) continue;
    next_tick = now + kTick;
    tick_();
  }
}

void Listener::accept_one() {
  constexpr auto kPause = std::chrono::milliseconds(20);
  Accepted accepted{.socket = -1, .address = {}, .address_size = sizeof(sockaddr_storage)};
  accepted.socket = accept_connection(socket_, reinterpret_cast<sockaddr*>(&accepted.address),
                                      &accepted.address_size);
  if (accepted.socket >= 0) return take_(accepted);
  // File descriptors or memory are exhausted; the connection stays in the queue of the socket.
  if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
    std::this_thread::sleep_for(kPause);
}

}  // namespace heed
