#include "serve/http_framing.h"

#include <strings.h>

#include <algorithm>

namespace heed {

namespace {

constexpr const char* kTransferEncoding = "transfer-encoding";

bool is_malformed(const std::string& name) {
  return std::ranges::any_of(name, [](unsigned char c) { return c <= ' ' || c == 0x7f; });
}

bool has_unknown_encoding(const HeaderLines& headers) {
  const auto [first, last] = headers.equal_range(kTransferEncoding);
  return std::any_of(first, last, [](const auto& header) {
    return strcasecmp(header.second.c_str(), "chunked") != 0;
  });
}

bool has_two_lengths(const HeaderLines& headers) {
  return headers.count("content-length") + headers.count(kTransferEncoding) > 1;
}

}  // namespace

std::optional<HttpError> framing_problem(const HeaderLines& headers) {
  const auto bad = [](const char* message) { return HttpError(HttpStatus::kBadRequest, message); };
  if (std::ranges::any_of(headers, [](const auto& header) { return is_malformed(header.first); }))
    return bad("the name of a header contains white space");
  if (has_unknown_encoding(headers))
    return bad("Transfer-Encoding: only chunked is known; send Content-Length or chunks");
  if (has_two_lengths(headers)) return bad("the length of the body is given more than once");
  if (headers.count("host") > 1) return bad("Host: is given more than once");
  return std::nullopt;
}

}  // namespace heed
