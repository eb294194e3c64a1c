#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/line_progress.h"
#include "base/log.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/model_path.h"
#include "cli/search_options.h"
#include "cli/search_settings.h"
#include "cli/translate/interruption.h"
#include "cli/translate/translation_writer.h"
#include "config/sizes.h"
#include "load/worker_count.h"
#include "translate/generator.h"

namespace heed {

namespace {

struct GenerateOptions {
  std::vector<std::string> models;
  std::optional<std::string> input;  // beginnings; unset: `count` texts without one
  int64_t count = 1;
  std::string output = "-";
  std::optional<int64_t> nbest;
  bool json = false;
  SearchOptions search;
  std::optional<SamplingOptions> sampling;
  DecodingOptions decoding;
};

TextModel load_language_model(const GenerateOptions& options) {
  TextModel model =
      load_text_model({options.models, options.decoding.device, options.decoding.precision});
  if (!model.sources.empty())
    throw_error(ErrorKind::kUsage,
                "{}: translates a source; `heed generate` is for language models, use `heed "
                "translate`",
                options.models.front());
  model.search = generation_search(model.search);
  return model;
}

std::vector<std::string> read_beginnings(const GenerateOptions& options) {
  if (!options.input) return std::vector<std::string>(static_cast<size_t>(options.count));
  std::vector<std::string> lines;
  LineReader reader(*options.input);
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

std::string lines_of(const TranslatedLine& texts, int64_t number, const GenerateOptions& options) {
  if (options.json) return json_line(number, texts, false);
  return options.nbest ? nbest_lines(number - 1, texts) : texts.text() + "\n";
}

void generate(const GenerateOptions& options) {
  const std::vector<std::string> beginnings = read_beginnings(options);
  const TextModel model = load_language_model(options);
  LineWarnings warnings;
  std::optional<LineProgress> progress;
  if (stderr_is_terminal() && options.output != "-")
    progress.emplace("generated", std::ssize(beginnings));
  GeneratorOptions how{
      .search = search_config({model.search, false}, options.search, options.nbest),
      .batch = options.decoding.batch.value_or(Engine::kBatch),
      .workers = worker_count(options.decoding.workers, model.on_gpu),
      .warnings = &warnings,
      .before_batch = stop_if_interrupted,
      .after_batch = [&progress](int64_t lines) {
        if (progress) progress->add(lines);
      }};
  how.search.sampling = options.sampling;
  const Generator generator(model, how);
  AtomicFile out(options.output);
  if (options.output != "-") catch_signals();
  constexpr size_t kWindow = 10000;
  for (size_t begin = 0; begin < beginnings.size(); begin += kWindow) {
    const size_t end = std::min(beginnings.size(), begin + kWindow);
    auto number = static_cast<int64_t>(begin);
    const std::vector<std::string> window(beginnings.begin() + static_cast<ptrdiff_t>(begin),
                                          beginnings.begin() + static_cast<ptrdiff_t>(end));
    for (const TranslatedLine& texts : generator.generate(window, number + 1))
      out.write(lines_of(texts, ++number, options));
  }
  warnings.log();
  out.commit();
}

int run_generate(const GenerateOptions& options) {
  refuse_texts(options.models, "heed generate", " -i -");
  const std::vector<NamedFile> outputs{{"-o", options.output}};
  if (options.input) refuse_same_files({{"-i", *options.input}}, outputs);
  refuse_outputs_in_runs(outputs);
  exit_on_signals(options.output == "-" ? "heed: interrupted; the output is incomplete\n"
                                        : "heed: interrupted; nothing was written\n");
  try {
    generate(options);
  } catch (const Stopped& stopped) {
    return report_unwritten(stopped);
  }
  return 0;
}

}  // namespace

void add_generate(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("generate", "Continue texts, by a language model");
  auto options = std::make_shared<GenerateOptions>();
  add_models(*command, options->models);
  auto* input =
      command
          ->add_option("-i,--input", options->input,
                       "Beginnings, a line each, plain or compressed; - is standard input")
          ->type_name("FILE");
  command->add_option("--count", options->count, "Number of texts without a beginning (1)")
      ->type_name("N")
      ->check(whole_number({1, 1'000'000'000}))
      ->excludes(input);
  command->add_option("-o,--output", options->output, "Output file, instead of standard output")
      ->type_name("FILE");
  command
      ->add_option("--nbest", options->nbest,
                   "Write N texts of each beginning: NUMBER ||| TEXT ||| SCORE")
      ->type_name("N")
      ->check(whole_number(kBeams));
  command
      ->add_option_function<std::string>(
          "--format", [options](const std::string& format) { options->json = format == "json"; },
          "text, or json, an object for each line with tokens and scores (text)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"text", "json"}));
  add_search_options(*command, options->search, generation_search({}));
  command->remove_option(command->get_option("--max-source-length"));  // there is no source
  add_sampling_options(*command, options->sampling);
  add_decoding_options(*command, options->decoding, "texts (64)");
  command->callback([&chosen, options] { chosen = [options] { return run_generate(*options); }; });
}

}  // namespace heed
