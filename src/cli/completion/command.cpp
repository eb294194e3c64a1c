// `heed completion`, and the hidden `heed manual`, which the build uses.
#include "cli/completion/completion.h"

#include "base/error.h"
#include "base/file.h"
#include "cli/arguments.h"
#include "cli/command_line.h"

namespace heed {

namespace {

using Writer = std::string (*)(const CommandNode& root);
const std::map<std::string, Writer> kShells = {
    {"bash", bash_completion}, {"fish", fish_completion}, {"zsh", zsh_completion}};

int write_manual(const CommandNode& root, const std::string& folder) {
  std::filesystem::create_directories(folder);
  for (const CommandNode* command : all_commands(root)) {
    AtomicFile out(fs::path(folder) / (manual_name(*command) + ".1"));
    out.write(manual_page(*command, root));
    out.commit();
  }
  return 0;
}

}  // namespace

void add_completion(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "completion", "Print a script that completes commands, options and files in a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->type_name("")
      ->check(CLI::IsMember(kShells));
  command->callback([&app, &chosen, shell] {
    chosen = [&app, shell] {
      print_result(kShells.at(*shell)(command_tree(app)));
      return 0;
    };
  });
}

void add_manual(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("manual", "Write the manual pages of all commands");
  command->group("");
  auto folder = std::make_shared<std::string>();
  command->add_option("FOLDER", *folder, "Where they are written")->required()->type_name("");
  command->callback([&app, &chosen, folder] {
    chosen = [&app, folder] { return write_manual(command_tree(app), *folder); };
  });
}

}  // namespace heed
