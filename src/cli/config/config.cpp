#include "base/file.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/config/check.h"
#include "cli/corpus_options.h"
#include "config/reference.h"
#include "config/writer.h"
#include "run/config_file.h"
#include "run/new_config.h"

namespace heed {

namespace {

std::shared_ptr<CheckOptions> add_file(CLI::App& command) {
  auto options = std::make_shared<CheckOptions>();
  command.add_option("CONFIG", options->config, "The config, YAML")->required()->type_name("");
  add_repeated(command, "--set", options->set, "KEY=VALUE instead of the value in the config")
      ->type_name("KEY=VALUE");
  return options;
}

void add_check(CLI::App& config, Chosen& chosen) {
  auto* command = config.add_subcommand("check", "Report all mistakes in a config");
  auto options = add_file(*command);
  command->callback([&chosen, options] { chosen = [options] { return run_check(*options); }; });
}

void add_show(CLI::App& config, Chosen& chosen) {
  auto* command = config.add_subcommand("show", "Print a config with all defaults");
  auto options = add_file(*command);
  command->callback([&chosen, options] {
    chosen = [options] {
      const ConfigFile file = read_whole_config(options->config, options->set);
      print_result(file.sweep || file.distill ? write_config(file) : write_config(file.run));
      return 0;
    };
  });
}

void add_explain(CLI::App& config, Chosen& chosen) {
  auto* command =
      config.add_subcommand("explain", "Explain a key of a config; without a key, list all");
  auto key = std::make_shared<std::string>();
  command
      ->add_option("KEY", *key,
                   "A key, or the end of one: train.schedule, dropout (explains all that end so)")
      ->type_name("");
  command->callback([&chosen, key] {
    chosen = [key] {
      const ConfigFile defaults;
      print_result(key->empty() ? explain_all(defaults) : explain_key(defaults, *key));
      return 0;
    };
  });
}

void add_reference(CLI::App& config, Chosen& chosen) {
  auto* command =
      config.add_subcommand("reference", "Print docs/config.md, the reference of all keys");
  command->callback([&chosen] {
    chosen = [] {
      print_result(config_reference(ConfigFile()));
      return 0;
    };
  });
}

void add_migration(CLI::App& config, Chosen& chosen) {
  auto* command = config.add_subcommand(
      "migration", "Print docs/migration.md, the keys of JoeyNMT, OpenNMT-py and Marian");
  command->callback([&chosen] {
    chosen = [] {
      print_result(migration_page(ConfigFile()));
      return 0;
    };
  });
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
  command->callback([&chosen, options] {
    chosen = [options] {
      write_new_config(*options);
      return 0;
    };
  });
}

}  // namespace

void add_config(CLI::App& app, Chosen& chosen) {
  auto* config = app.add_subcommand("config", "Check, show, explain and create configs");
  config->require_subcommand(1);
  add_check(*config, chosen);
  add_show(*config, chosen);
  add_explain(*config, chosen);
  add_reference(*config, chosen);
  add_migration(*config, chosen);
  add_new(*config, chosen);
}

}  // namespace heed
