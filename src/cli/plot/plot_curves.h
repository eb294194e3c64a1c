// `heed plot curves`.
#pragma once

#include "cli/command_line.h"

namespace heed {

void add_plot_curves(CLI::App& plot, Chosen& chosen);

}  // namespace heed
