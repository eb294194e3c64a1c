#include <algorithm>
#include <optional>

#include "base/columns.h"
#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/log.h"
#include "base/model_folder.h"
#include "base/shell.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/new_output.h"
#include "run/run_codecs.h"
#include "run/run_files.h"
#include "text/text_folder.h"

namespace heed {

namespace {

struct VocabOptions {
  std::string config;
  std::vector<std::string> set;  // key=value, each overrides the config
  std::string output;            // folder
};

constexpr int64_t kCountedLines = 100'000;

// Counts of the training text of one side, as encoded by its codec.
struct SideCounts {
  int64_t lines = 0, words = 0, tokens = 0, unknown = 0;

  void add(const Codec& codec, std::string_view line) {
    const Ids ids = codec.encode(line);
    ++lines;
    words += codec.tokenizer().count_words(line);
    tokens += std::ssize(ids);
    unknown += std::ranges::count(ids, kUnknown);
  }
};

SideCounts count_side(const Codec& codec, const LineSource& lines) {
  SideCounts counts;
  lines([&](std::string_view line) {
    if (counts.lines < kCountedLines) counts.add(codec, line);
  });
  return counts;
}

double ratio(int64_t part, int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// A row for each side: its name, the size of its vocabulary, and the counts.
std::string table(const RunConfig& config, const TrainingText& text, const Codecs& codecs) {
  std::vector<TextColumn> columns = {{{"side"}},
                                     {{"vocabulary"}, /*right=*/true},
                                     {{"tokens/word"}, /*right=*/true},
                                     {{"unknown"}, /*right=*/true},
                                     {{"tokenizer"}}};
  const std::vector<std::string> sides = config.data.sides();
  for (size_t side = 0; side < sides.size(); ++side) {
    const Codec& codec = *codecs.at(sides[side]);
    const SideCounts counts = count_side(codec, text.side_lines(side, config.data.cleaning));
    const std::string& owner = owner_of(config.text, sides[side]);
    const std::vector<std::string> cells = {
        sides[side], format_count(codec.vocabulary().size()),
        fmt::format("{:.2f}", ratio(counts.tokens, counts.words)),
        fmt::format("{:.2f}%", 100 * ratio(counts.unknown, counts.tokens)),
        owner == sides[side] ? config.text.at(owner).tokenizer->type
                             : fmt::format("that of {}", owner)};
    for (size_t i = 0; i < cells.size(); ++i) columns[i].cells.push_back(cells[i]);
  }
  return fmt::format("{}\n", fmt::join(align_columns(columns), "\n"));
}

int learn(const VocabOptions& options) {
  refuse_existing("-o ", options.output, "folder");
  check_output_path(without_last_slash(options.output));
  const RunConfig config = read_run_config(options.config, options.set);
  if (config.init.model && !config.init.extend_vocabulary)
    throw_error(ErrorKind::kUsage,
                "init.model: {} has vocabularies, which training takes over; to extend them, set "
                "init.extend_vocabulary: true; to learn others, leave init.model out by --set "
                "init.model=~",
                *config.init.model);
  const TrainingText text(find_run_files(config).training_texts());
  std::optional<ModelText> initial;
  if (config.init.model)
    read_model(*config.init.model, [&](const fs::path& folder) {
      initial = read_model_text(folder);
      resolve_text_paths(initial->config.text, folder);
    });
  const Codecs codecs = new_codecs(config, text, initial ? &*initial : nullptr);
  AtomicDirectory output(options.output);
  save_text(output.temporary(), options.output, config.text, codecs);
  output.commit();
  print_result(table(config, text, codecs));
  spdlog::info(
      "done; a config takes them over by the section in {}; try: heed tokenize {} --side {}",
      (fs::path(options.output) / kTextConfig).string(), shell_word(options.output),
      config.data.sides().front());
  return 0;
}

}  // namespace

void add_vocab(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "vocab", "Learn the tokenizers and vocabularies of a config once, for several runs");
  auto options = std::make_shared<VocabOptions>();
  command->add_option("CONFIG", options->config, "Config of a training run: its data and text")
      ->required()
      ->type_name("");
  add_repeated(*command, "--set", options->set, "Set a key of the config: text.source.size=4000")
      ->type_name("KEY=VALUE");
  command
      ->add_option("-o,--output", options->output,
                   "Folder of tokenizers, vocabularies and text.yaml, a section `text` for configs")
      ->required()
      ->type_name("FOLDER");
  command->callback([&chosen, options] { chosen = [options] { return learn(*options); }; });
}

}  // namespace heed
