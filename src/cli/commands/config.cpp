#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/corpus_options.h"
#include "cli/new_config.h"
#include "cli/tensor_library.h"

namespace heed {

namespace {

using What = ConfigOptions::What;

CLI::App* add_question(CLI::App& config, Chosen& chosen, What what, const char* name,
                       const char* help, const char* argument, const char* argument_help) {
  auto* command = config.add_subcommand(name, help);
  auto options = std::make_shared<ConfigOptions>();
  options->what = what;
  if (argument != nullptr) {
    command->add_option(argument, options->argument, argument_help)
        ->required(what != What::kExplain)
        ->type_name("");
  }
  if (what == What::kCheck || what == What::kShow) {
    add_repeated(*command, "--set", options->set, "KEY=VALUE instead of the value in the config")
        ->type_name("KEY=VALUE");
  }
  command->callback(
      [&chosen, options] { chosen = [options] { return run_with_tensors(*options); }; });
  return command;
}

void add_new(CLI::App& config, Chosen& chosen) {
  auto* command = config.add_subcommand("new", "Write a commented config for your own corpus");
  auto options = std::make_shared<NewConfigOptions>();
  add_corpus_options(*command, options->corpus);
  command->add_option("--valid", options->valid, "Validation set in the form of TABLE")
      ->type_name("FILE");
  command->add_option("--valid-source", options->valid_source, "Source sentences for validation")
      ->type_name("FILE");
  command->add_option("--valid-target", options->valid_target, "Their translations")
      ->type_name("FILE");
  add_list(*command, "--test", options->test,
           "Test sets: files in the form of TABLE; of two files source, target, source, target …")
      ->type_name("FILE");
  command->add_option("-o,--output", options->output, "Output file, instead of standard output")
      ->type_name("FILE");
  command->callback(
      [&chosen, options] { chosen = [options] { return run_new_config(*options); }; });
}

}  // namespace

void add_config(CLI::App& app, Chosen& chosen) {
  auto* config = app.add_subcommand("config", "Check, show, explain and create configs");
  config->require_subcommand(1);
  constexpr const char* kFile = "The config, YAML";
  add_question(*config, chosen, What::kCheck, "check", "Report all mistakes in a config", "CONFIG",
               kFile);
  add_question(*config, chosen, What::kShow, "show", "Print a config with all defaults", "CONFIG",
               kFile);
  add_question(*config, chosen, What::kExplain, "explain",
               "Explain a key of a config; without a key, list all", "KEY",
               "A key, or the end of one: train.schedule, dropout (explains all that end so)");
  add_question(*config, chosen, What::kReference, "reference",
               "Print docs/config.md, the reference of all keys", nullptr, nullptr);
  add_new(*config, chosen);
}

}  // namespace heed
