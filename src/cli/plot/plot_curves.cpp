#include "cli/plot/plot_curves.h"

#include "cli/arguments.h"
#include "config/sizes.h"
#include "results/learning_curves.h"
#include "results/run_axis.h"

namespace heed {

void add_plot_curves(CLI::App& plot, Chosen& chosen) {
  auto* command =
      plot.add_subcommand("curves", "Draw the learning curves of runs, laid over each other");
  auto options = std::make_shared<PlotCurvesOptions>();
  add_positionals(*command, "RUN", options->runs, "Folders of runs, also of runs in progress")
      ->required()
      ->type_name("");
  add_repeated(*command, "-m,--metric", options->metrics,
               "Figures of metrics.jsonl, each in a panel: train.loss, validation.bleu, … or bleu "
               "(train.loss and the metric of validation)")
      ->delimiter(',')
      ->type_name("NAME");
  command
      ->add_option("--x-axis", options->x_axis,
                   "updates, seconds of training, target tokens or epochs (updates)")
      ->type_name("NAME")
      ->check(CLI::IsMember(run_axes()));
  command
      ->add_option(
          "--smoothing", options->smoothing,
          "Weight of an exponential moving average of the training figures, whose values are "
          "then drawn lighter (0)")
      ->type_name("WEIGHT")
      ->check(real_number(kDropout));
  command->add_flag("--log-x", options->log_x, "Logarithmic horizontal axis");
  command->add_flag("--log-y", options->log_y, "Logarithmic vertical axes");
  command->add_flag("--group", options->group,
                    "One curve for runs that differ by `seed` alone: their mean, with a band of "
                    "one standard deviation");
  add_repeated(*command, "--label", options->labels,
               "Name of a curve in the legend, for each in the order of the runs (names of the "
               "runs)")
      ->type_name("TEXT");
  command->add_option("--title", options->title, "Title above the curves (none)")
      ->type_name("TEXT");
  command
      ->add_option("--width", options->width,
                   "Width in pixels (points of a PDF), the height in proportion (640)")
      ->type_name("N")
      ->check(whole_number(kWidths));
  add_pictures(*command, options->pictures,
               "Write a picture: .svg, .pdf or .png, or .html, a page that shows values under the "
               "pointer")
      ->required();
  command->callback([&chosen, options] {
    chosen = [options] {
      plot_curves(*options);
      return 0;
    };
  });
}

}  // namespace heed
