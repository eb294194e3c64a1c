// The socket of the store that all processes meet at. c10d would open one on all interfaces, where
// whoever reaches the machine could read and change what the processes tell each other.
#pragma once

#include <optional>

#include "distributed/launch.h"

namespace heed {

// Listens at the meeting's port on the address that its host names, and on no other. nullopt where
// the processes may know this host by several addresses: it names none of this machine, or the
// processes are on several hosts and it is a name. Throws Error(kFailure) where the port is taken.
// The caller owns the descriptor.
std::optional<int> listening_socket(const Launch& launch);

}  // namespace heed
