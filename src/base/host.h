// The computer that this process runs on.
#pragma once

#include <optional>
#include <string>

namespace heed {

// nullopt: it has none, or the system does not say it.
std::optional<std::string> host_name();

}  // namespace heed
