// Checks the headers of a request before its body is read: a proxy before this server
// could take another end of the body, and with it another next request (RFC 9112, 5.1 and 6.3).
#pragma once

#include <map>
#include <optional>
#include <string>

#include "request/http_error.h"

namespace heed {

using HeaderLines = std::multimap<std::string, std::string>;  // names in lower case

// A name with white space, as in "Transfer-Encoding : chunked"; a transfer encoding other than
// chunked; two lengths of the body; two hosts. libmicrohttpd has refused what it cannot read.
std::optional<HttpError> framing_problem(const HeaderLines& headers);

}  // namespace heed
