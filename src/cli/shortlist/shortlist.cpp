#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/same_file.h"
#include "base/utf8.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/model_path.h"
#include "config/settings.h"
#include "translate/lexicon.h"

namespace heed {

namespace {

struct LexiconOptions {
  std::string model, source, target, output;
  int64_t sample = 500'000;
};

using Pair = std::pair<Ids, Ids>;

constexpr size_t kLongest = 200;  // tokens of a line

// Reads the next line of each text; false at the end of both. Throws Error(kData) if only one ends.
bool next_pair(LineReader& sources, LineReader& targets, const LexiconOptions& options,
               std::pair<std::string, std::string>& lines) {
  const bool has_source = sources.next(lines.first), has_target = targets.next(lines.second);
  if (has_source == has_target) return has_source;
  throw_error(ErrorKind::kData,
              "{}: has more lines than {}; line N of one must belong to line N of the other",
              has_source ? options.source : options.target,
              has_source ? options.target : options.source);
}

// The first `sample` pairs, without pairs that training would leave out.
std::vector<Pair> read_pairs(const LexiconOptions& options, const TextModel& model) {
  LineReader sources(options.source), targets(options.target);
  std::vector<Pair> pairs;
  std::pair<std::string, std::string> lines;
  int64_t left_out = 0;
  while (std::ssize(pairs) < options.sample && next_pair(sources, targets, options, lines)) {
    const bool is_text = is_utf8(lines.first) && is_utf8(lines.second);
    Pair pair;
    if (is_text)
      pair = {model.aligned_codec().encode(lines.first), model.target_codec().encode(lines.second)};
    const bool is_usable = !pair.first.empty() && !pair.second.empty() &&
                           pair.first.size() <= kLongest && pair.second.size() <= kLongest;
    if (is_usable)
      pairs.push_back(std::move(pair));
    else
      ++left_out;
  }
  if (pairs.empty())
    throw_error(ErrorKind::kData, "{}: has no pair of lines with text", options.source);
  if (left_out > 0)
    spdlog::warn("{} pairs were left out: malformed, empty, or longer than {} tokens",
                 format_count(left_out), kLongest);
  return pairs;
}

int run_shortlist(const LexiconOptions& options) {
  refuse_same_files({{"--source", options.source}, {"--target", options.target}},
                    {{"--output", options.output}});
  refuse_outputs_in_runs({{"--output", options.output}});
  const TextModel model = load_text_model({{options.model}, "cpu"});
  if (model.sources.empty())
    throw_error(ErrorKind::kUsage, "{}: has no source, expected a model that translates",
                options.model);
  const std::vector<Pair> pairs = read_pairs(options, model);
  const Vocabulary &source = model.aligned_codec().vocabulary(),
                   &target = model.target_codec().vocabulary();
  const auto what = [&pairs] {
    return fmt::format("the lexicon of {} pairs; a smaller --sample needs less", pairs.size());
  };
  const Lexicon lexicon = with_memory_for(what, [&] {
    return Lexicon::learn(
        [&pairs](const auto& take) {
          for (const auto& [from, to] : pairs) take(from, to);
        },
        static_cast<int32_t>(source.size()), static_cast<int32_t>(target.size()));
  });
  lexicon.write(options.output, source, target);
  spdlog::info("{}: {} entries of {} pairs", options.output, format_count(lexicon.size()),
               format_count(std::ssize(pairs)));
  return 0;
}

}  // namespace

void add_shortlist(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "shortlist", "Learn which target tokens translate a source token, for translate --shortlist");
  auto options = std::make_shared<LexiconOptions>();
  command
      ->add_option("MODEL", options->model,
                   "A run, checkpoint or model folder, whose tokens these are")
      ->required()
      ->type_name("");
  command
      ->add_option("--source", options->source, "Source text of the training, plain or compressed")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--target", options->target,
                   "Target text; line N belongs to line N of the source")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("-o,--output", options->output,
                   "Lexicon: a line `target source probability` for each entry")
      ->required()
      ->type_name("FILE");
  command->add_option("--sample", options->sample, "Learn from the first N pairs (500000)")
      ->type_name("N")
      ->check(whole_number(kPositive));
  command->callback([&chosen, options] { chosen = [options] { return run_shortlist(*options); }; });
}

}  // namespace heed
