#include "base/error.h"

namespace heed {

std::string first_line(const std::string& message) { return message.substr(0, message.find('\n')); }

void fail_check(const char* condition, const char* file, int line, const std::string& message) {
  throw InternalError(fmt::format("{}:{}: internal error: {} does not hold{}{}", file, line,
                                  condition, message.empty() ? "" : ": ", message));
}

}  // namespace heed
