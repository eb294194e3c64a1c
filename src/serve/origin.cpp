#include "serve/origin.h"

#include <arpa/inet.h>
#include <strings.h>

#include <algorithm>

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

bool has_allowed_origin(const HttpRequest& request, const std::vector<std::string>& origins) {
  const std::string origin = request.header("origin");
  const auto is_it = [&](const std::string& one) { return one == "*" || one == origin; };
  return !origin.empty() && std::ranges::any_of(origins, is_it);
}

HttpReply::Headers headers_for_origin(const HttpRequest& request) {
  HttpReply::Headers headers = {{"Access-Control-Allow-Origin", request.header("origin")},
                                {"Vary", "Origin"}};
  if (request.method != "OPTIONS") return headers;
  headers["Access-Control-Allow-Methods"] = "GET, POST, DELETE";
  headers["Access-Control-Allow-Headers"] = "Authorization, Content-Type";
  headers["Access-Control-Max-Age"] = "600";
  // A public page that asks a server on this machine or in the own network.
  if (!request.header("access-control-request-private-network").empty())
    headers["Access-Control-Allow-Private-Network"] = "true";
  return headers;
}

void check_origin(const HttpRequest& request, bool needs_loopback,
                  const std::vector<std::string>& origins) {
  const std::string origin = request.header("origin"), host = request.header("host");
  if (!origin.empty() && !origin.ends_with("://" + host) && !has_allowed_origin(request, origins))
    throw_http_error(HttpStatus::kForbidden,
                     "requests from pages of {} are not answered; `heed serve --allow-origin {}` "
                     "answers them",
                     origin, origin);
  if (needs_loopback && !host.empty() && !is_loopback(without_port(host)))
    throw_http_error(HttpStatus::kForbidden,
                     "Host: found '{}', expected localhost or a loopback address; other names need "
                     "`heed serve --token-file FILE`",
                     host);
}

}  // namespace heed
