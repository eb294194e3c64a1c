// `heed export page`.
#pragma once

#include "cli/command_line.h"

namespace heed {

void add_page_export(CLI::App& parent, Chosen& chosen);

}  // namespace heed
