// A text as a value of YAML.
#pragma once

#include <string>

namespace heed {

// Plain where no reader takes it for anything else, else in quotes; the reader gives it back unchanged.
std::string print_text(const std::string& text);

}  // namespace heed
