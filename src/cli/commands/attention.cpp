#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/tensor_library.h"

namespace heed {

void add_attention(CLI::App& app, Chosen& chosen) {
  using What = AttentionOptions::What;
  auto* attention = app.add_subcommand("attention", "List and describe the attention mechanisms");
  attention->require_subcommand(1);
  const auto add = [&](What what, const char* name, const char* help) {
    auto* command = attention->add_subcommand(name, help);
    auto options = std::make_shared<AttentionOptions>();
    options->what = what;
    if (what == What::kShow) {
      command->add_option("NAME", options->name, "Name of a mechanism: additive, window, sparsemax")
          ->required()
          ->type_name("");
    }
    command->callback(
        [&chosen, options] { chosen = [options] { return run_with_tensors(*options); }; });
  };
  add(What::kList, "list", "List all of them, one a line");
  add(What::kShow, "show", "Describe one: formula, paper, keys, and what it combines with");
  add(What::kReference, "reference", "Print docs/attention.md");
}

}  // namespace heed
