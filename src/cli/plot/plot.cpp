#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/model_path.h"
#include "cli/plot/options.h"
#include "cli/search_options.h"
#include "cli/source_reader.h"
#include "cli/tensor_library.h"
#include "config/sizes.h"
#include "results/learning_curves.h"
#include "results/run_axis.h"

namespace heed {

namespace {

// --svg FILE, --html FILE
void add_picture(CLI::App& command, const std::string& format, PlotAttentionOptions& options) {
  command
      .add_option_function<std::string>(
          "--" + format, [&options](const std::string& path) { options.pictures.push_back(path); },
          fmt::format("The same as -o FILE; the file ends in .{}", format))
      ->type_name("FILE")
      ->check(picture_name({format}));
}

// Lines of "4", or of "4-6" from the first to the last; none: it is neither.
std::vector<int64_t> lines_in(const std::string& text) {
  constexpr int64_t kMost = 1'000;  // lines of a range
  const auto number = [](std::string_view part) {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    return error == std::errc() && end == part.data() + part.size() ? value : 0;
  };
  const size_t dash = text.find('-');
  const int64_t first = number(std::string_view(text).substr(0, dash));
  const int64_t last =
      dash == std::string::npos ? first : number(std::string_view(text).substr(dash + 1));
  std::vector<int64_t> lines;
  if (first < 1 || last - first >= kMost) return lines;
  for (int64_t line = first; line <= last; ++line) lines.push_back(line);
  return lines;
}

void add_lines(CLI::App& command, PlotAttentionOptions& options) {
  command
      .add_option_function<std::vector<std::string>>(
          "--line",
          [&options](const std::vector<std::string>& parts) {
            options.lines.clear();
            for (const std::string& part : parts)
              std::ranges::copy(lines_in(part), std::back_inserter(options.lines));
          },
          "Lines of the input, from 1: 3, 1,4,2 or 1-3 (1)")
      ->allow_extra_args(false)
      ->delimiter(',')
      ->type_name("N")
      ->check(CLI::Validator(
          [](std::string& part) {
            return lines_in(part).empty()
                       ? fmt::format("found '{}', expected a line from 1, or some: 1,4,2 or 1-3",
                                     part)
                       : std::string();
          },
          ""));
}

void add_titles(CLI::App& command, PlotAttentionOptions& options) {
  auto* title = command
                    .add_option("--title", options.title,
                                "Title instead of the source line; of several lines, above all")
                    ->type_name("TEXT");
  command.add_flag("--no-title", options.no_title, "No title")->excludes(title);
}

void check_files(const PlotAttentionOptions& options) {
  std::vector<NamedFile> inputs, outputs;
  // A language model reads the target alone.
  const bool reads_source = !options.inputs.empty() || options.target != "-";
  if (reads_source) inputs = input_files("--input", options.inputs);
  if (options.target) inputs.push_back({"--target", *options.target});
  for (const std::string& path : options.pictures) outputs.push_back({"--output", path});
  refuse_same_files(inputs, outputs);
  refuse_outputs_in_runs(outputs);
}

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

}  // namespace

void add_plot(CLI::App& app, Chosen& chosen) {
  auto* plot = app.add_subcommand("plot", "Visualize attention and training");
  plot->require_subcommand(1);
  add_plot_curves(*plot, chosen);
  auto* command = plot->add_subcommand(
      "attention", "Draw the attention weights of sentences, in the terminal or as a file");
  auto options = std::make_shared<PlotAttentionOptions>();
  add_models(*command, options->models);
  add_repeated(*command, "-i,--input", options->inputs,
               "Source text (standard input); NAME=FILE for each of several inputs")
      ->type_name("FILE");
  add_tag(*command, options->tag);
  add_direction(*command, options->direction);
  command
      ->add_option("--target", options->target,
                   "Draw the attention of these translations, instead of the model's own")
      ->type_name("FILE");
  add_lines(*command, *options);
  add_pictures(*command, options->pictures,
               "Write a picture: .svg, .pdf or .png, or .html, a page of every layer and head");
  add_picture(*command, "svg", *options);
  add_picture(*command, "html", *options);
  command->add_flag("--words", options->words, "Join the subwords of a word");
  command
      ->add_option("--layer", options->place,
                   "Draw this attention: decoder.cross.2 or 2, encoder.self.1, … (the decoder's "
                   "last over the source)")
      ->type_name("NAME");
  command->add_option("--head", options->head, "Draw this head, from 1 (the mean of all heads)")
      ->type_name("N")
      ->check(whole_number(kPositive));
  add_titles(*command, *options);
  command
      ->add_option("--width", options->width,
                   "Columns of a map in the terminal (its own; 80 elsewhere), or pixels of a "
                   "picture (points of a PDF), whose height is in proportion (as large as the "
                   "labels need it)")
      ->type_name("N")
      ->check(whole_number(kWidths));
  add_search_options(*command, options->search);
  add_device(*command, options->device);
  command->callback([&chosen, options] {
    chosen = [options] {
      refuse_texts(options->models, "heed plot attention");
      check_files(*options);
      return run_with_tensors(*options);
    };
  });
}

}  // namespace heed
