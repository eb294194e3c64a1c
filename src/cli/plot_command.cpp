#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/tensor_library.h"

namespace heed {

void add_plot(CLI::App& app, Chosen& chosen) {
  auto* plot = app.add_subcommand("plot", "Draw what a model does");
  plot->require_subcommand(1);
  auto* command = plot->add_subcommand(
      "attention", "Draw the attention map of one sentence, in the terminal unless told otherwise");
  auto options = std::make_shared<PlotAttentionOptions>();
  command->add_option("MODEL", options->model, "A run, a checkpoint or a model folder")
      ->required()
      ->type_name("");
  add_repeated(*command, "-i,--input", options->inputs,
               "Source text; standard input if none. NAME=FILE for each of several inputs")
      ->type_name("FILE");
  add_tag(*command, options->tag);
  command
      ->add_option("--target", options->target,
                   "Draw the map of these translations instead of the model's own")
      ->type_name("FILE");
  command->add_option("--line", options->line, "Which line of the input, from 1 (1)")
      ->type_name("N")
      ->check(whole_number(1));
  command->add_option("--svg", options->svg, "Write an SVG picture")->type_name("FILE");
  command->add_option("--html", options->html, "Write a page to look at in a browser")
      ->type_name("FILE");
  command->add_option("--beam", options->search.beam, "Hypotheses kept at each step (5)")
      ->type_name("N")
      ->check(whole_number(1));
  add_device(*command, options->search.device);
  command->callback(
      [&chosen, options] { chosen = [options] { return run_with_tensors(*options); }; });
}

}  // namespace heed
