#include "base/file.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "run/attention_pages.h"

namespace heed {

void add_attention(CLI::App& app, Chosen& chosen) {
  auto* attention = app.add_subcommand("attention", "List and describe the attention mechanisms");
  attention->require_subcommand(1);
  auto* list = attention->add_subcommand("list", "List all of them, one a line");
  list->callback([&chosen] {
    chosen = [] {
      print_result(attention_list());
      return 0;
    };
  });
  auto* show = attention->add_subcommand(
      "show", "Describe one: formula, paper, keys, and what it combines with");
  auto name = std::make_shared<std::string>();
  show->add_option("NAME", *name, "Name of a mechanism: additive, window, sparsemax")
      ->required()
      ->type_name("");
  show->callback([&chosen, name] {
    chosen = [name] {
      print_result(attention_entry(*name));
      return 0;
    };
  });
  auto* reference = attention->add_subcommand("reference", "Print docs/attention.md");
  reference->callback([&chosen] {
    chosen = [] {
      print_result(attention_reference());
      return 0;
    };
  });
}

}  // namespace heed
