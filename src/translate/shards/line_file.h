// One of the files that a command reads side by side, a line of each at once.
#pragma once

#include <string>

#include "base/file.h"

namespace heed {

struct LineFile {
  std::string option;  // that names it: "--input"
  std::string path;
  LineReader* reader;
};

}  // namespace heed
