#include "serve/origin.h"

#include <arpa/inet.h>
#include <strings.h>

#include "request/http_error.h"

namespace heed {

bool is_loopback(const std::string& host) {
  in_addr address{};
  if (inet_pton(AF_INET, host.c_str(), &address) == 1) return (ntohl(address.s_addr) >> 24) == 127;
  return host == "::1" || strcasecmp(host.c_str(), "localhost") == 0;
}

namespace {

// Host of a header without the port, and without the brackets around an IPv6 address.
std::string without_port(const std::string& host) {
  if (!host.starts_with('[')) return host.substr(0, host.find(':'));
  const size_t end = host.find(']');
  return end == std::string::npos ? host : host.substr(1, end - 1);
}

}  // namespace

void check_origin(const HttpRequest& request, bool needs_loopback) {
  const std::string origin = request.header("origin"), host = request.header("host");
  if (!origin.empty() && !origin.ends_with("://" + host))
    throw_http_error(HttpStatus::kForbidden, "requests from pages of {} are not answered", origin);
  if (needs_loopback && !host.empty() && !is_loopback(without_port(host)))
    throw_http_error(HttpStatus::kForbidden,
                     "Host: found '{}', expected localhost or a loopback address; other names need "
                     "`heed serve --token-file FILE`",
                     host);
}

}  // namespace heed
