// Finds a free TCP port. It is below the ports that the system chooses for connections, and tests
// that run at the same time start their search at different numbers.
#pragma once

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>

namespace heed {

inline bool is_free(uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  address.sin_port = htons(port);
  const bool free = bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
  close(socket);
  return free;
}

inline uint16_t free_port() {
  constexpr int kFirst = 10'000, kCount = 20'000;
  static int next = getpid() * 37;
  for (int tried = 0; tried < kCount; ++tried) {
    const auto port = static_cast<uint16_t>(kFirst + next++ % kCount);
    if (is_free(port)) return port;
  }
  ADD_FAILURE() << "no free port";
  return 0;
}

}  // namespace heed
