// `heed join`.
#include "base/interrupt.h"
#include "base/log.h"
#include "cli/command_line.h"
#include "cli/model_path.h"
#include "translate/shards/shard_join.h"

namespace heed {

namespace {

int run_join(const std::string& output) {
  refuse_outputs_in_runs({{"OUTPUT", output}});
  exit_on_signals("heed: interrupted; nothing was written\n");
  const int64_t lines = join_shards(output);
  spdlog::info("{}: {} lines", output, format_count(lines));
  return 0;
}

}  // namespace

void add_join(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("join", "Join the files that `translate --shard` has written");
  auto output = std::make_shared<std::string>();
  command
      ->add_option("OUTPUT", *output,
                   "The -o of the shards, which is written from OUTPUT.1-of-N and the others")
      ->required()
      ->type_name("");
  command->callback([&chosen, output] { chosen = [output] { return run_join(*output); }; });
}

}  // namespace heed
