// A terminal for tests: what is written to one end is read from the other.
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>

#include "base/error.h"

namespace heed {

struct PseudoTerminal {
  int master = posix_openpt(O_RDWR | O_NOCTTY), terminal = -1;
  PseudoTerminal() {
    HEED_CHECK(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    HEED_CHECK(terminal >= 0);
  }
  ~PseudoTerminal() { close(master); }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  // All that was drawn: what is under way arrives before the end of a terminal that nobody has open.
  std::string shown() const {
    close(terminal);
    std::string text;
    char bytes[4000];
    for (ssize_t count = 0; (count = read(master, bytes, sizeof(bytes))) > 0;)
      text.append(bytes, static_cast<size_t>(count));
    return text;
  }
};

}  // namespace heed
