#include "distributed/listening_socket.h"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "base/system/system.h"

namespace heed {

namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Addresses addresses_of(const MeetingPoint& meeting, bool only_numbers) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_NUMERICSERV | (only_numbers ? AI_NUMERICHOST : 0);
  addrinfo* found = nullptr;
  const int error =
      ::getaddrinfo(meeting.host.c_str(), std::to_string(meeting.port).c_str(), &wanted, &found);
  return {error == 0 ? found : nullptr, ::freeaddrinfo};
}

// IPv6 addresses first, because c10d connects in this order.
std::vector<const addrinfo*> in_order(const Addresses& addresses) {
  std::vector<const addrinfo*> list;
  for (const addrinfo* one = addresses.get(); one != nullptr; one = one->ai_next)
    list.push_back(one);
  std::stable_partition(list.begin(), list.end(),
                        [](const auto* one) { return one->ai_family == AF_INET6; });
  return list;
}

// Returns nullopt if the address does not belong to this machine.
std::optional<int> listen_on(const addrinfo& address) {
  constexpr int kYes = 1;
  const int number = open_socket(address.ai_family, Waiting::kBlocks);
  if (number < 0) return std::nullopt;
  ::setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &kYes, sizeof(kYes));
  if (::bind(number, address.ai_addr, address.ai_addrlen) == 0 && ::listen(number, SOMAXCONN) == 0)
    return number;
  const int error = errno;
  ::close(number);
  if (error == EADDRINUSE || error == EACCES)
    throw_error(ErrorKind::kFailure, "cannot listen there: {}",
                std::generic_category().message(error));
  return std::nullopt;
}

}  // namespace

std::optional<int> listening_socket(const Launch& launch) {
  const bool on_several_hosts = launch.local_processes < launch.processes;
  const Addresses addresses = addresses_of(launch.meeting, on_several_hosts);
  for (const addrinfo* address : in_order(addresses)) {
    if (const auto number = listen_on(*address)) return number;
  }
  return std::nullopt;
}

}  // namespace heed
