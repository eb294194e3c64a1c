// libheed_network, in the folder of the library.
#pragma once

#include <string>

#include "base/shared_library.h"

namespace heed {

// what: needs it, the subject of the error messages. Throws the errors of open_with_libtorch().
SharedLibrary open_network_library(const std::string& what);

}  // namespace heed
