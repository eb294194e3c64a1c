#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/tensor_library.h"

namespace heed {

void add_attention(CLI::App& app, Chosen& chosen) {
  using What = AttentionOptions::What;
  auto* attention = app.add_subcommand("attention", "Say what attention mechanisms there are");
  attention->require_subcommand(1);
  const auto add = [&](What what, const char* name, const char* help) {
    auto* command = attention->add_subcommand(name, help);
    auto options = std::make_shared<AttentionOptions>();
    options->what = what;
    if (what == What::kShow) {
      command->add_option("NAME", options->name, "A word of a config: additive, window, sparsemax")
          ->required()
          ->type_name("");
    }
    command->callback(
        [&chosen, options] { chosen = [options] { return run_with_tensors(*options); }; });
  };
  add(What::kList, "list", "Name them all, a line each");
  add(What::kShow, "show", "Formula, paper, keys of one, and what it works with");
  add(What::kReference, "reference", "Print the page of all of them");
}

}  // namespace heed
