#include "base/fast_paths.h"

#include <cstdlib>
#include <string_view>

namespace heed {

bool fast_paths() {
  const char* plain = std::getenv("HEED_PLAIN");
  return plain == nullptr || std::string_view(plain) != "1";
}

}  // namespace heed
