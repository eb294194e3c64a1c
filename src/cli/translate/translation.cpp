#include "cli/translate/translation.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>

#include "base/address_space.h"
#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/line_progress.h"
#include "base/line_separators.h"
#include "base/log.h"
#include "cli/model_path.h"
#include "cli/search_settings.h"
#include "cli/source_reader.h"
#include "cli/translate/constraint_reader.h"
#include "cli/translate/interruption.h"
#include "cli/translate/minimum_risk.h"
#include "cli/translate/options.h"
#include "cli/translate/shard_job.h"
#include "cli/translate/translation_settings.h"
#include "cli/translate/translation_writer.h"
#include "config/writer.h"
#include "load/worker_count.h"
#include "metric/registry.h"
#include "translate/batch_translator.h"
#include "translate/split_line.h"
#include "translate/translation_outputs.h"

namespace heed {

namespace {

// Chooses the translation with the least risk for --mbr; otherwise keeps all.
std::function<void(std::vector<Translated>&)> choice_of(const TranslateOptions& options) {
  if (!options.risk_metric) return {};
  MetricOptions settings = of_sentences();
  if (options.risk_tokenizer) {
    if (*options.risk_metric != "bleu")
      throw_error(ErrorKind::kUsage, "--mbr-tokenize is an option of --mbr bleu, found --mbr {}",
                  *options.risk_metric);
    settings.bleu.tokenizer = *options.risk_tokenizer;
  }
  return [metric = std::shared_ptr(make_metric(*options.risk_metric, settings)),
          told = std::make_shared<std::atomic_flag>()](auto& best) {
    Lines texts;
    for (const Translated& one : best) texts.push_back(one.text);
    if (!told->test()) {
      const std::string caveat = metric->caveat({}, {texts});
      if (!caveat.empty() && !told->test_and_set())
        spdlog::warn("--mbr: {}: {}", metric->name(), caveat);
    }
    const size_t chosen = least_risk(*metric, texts);
    if (chosen > 0) std::swap(best.front(), best[chosen]);
    best.resize(1);
  };
}

// True if lines are split into sentences.
bool splits(const TranslateOptions& options, const TextModel& model) {
  if (!options.split) return false;
  if (!can_split(model)) throw_error(ErrorKind::kUsage, "--split: {}", kCannotSplit);
  if (reads_sentences(model)) return true;
  spdlog::warn(
      "--split: {:.0f} % of the training lines of the model have several sentences; lines are left "
      "whole",
      100 * model.source_lines->several_sentences.value_or(1));
  return false;
}

BatchTranslatorOptions translator_options(const TranslateOptions& options, const TextModel& model,
                                          std::optional<LineProgress>& progress) {
  SearchConfig search =
      search_config({model.search, model.has_source_weights}, options.search, options.nbest);
  if (options.sampling) {
    search.sampling = options.sampling;
    search.coverage_penalty = 0;
  }
  const int64_t batch =
      options.decoding.batch.value_or(model.engine->best_batch(search.hypotheses()));
  return {.line = {.search = std::move(search),
                   .scores = options.json || options.nbest,
                   .attention = options.attention.has_value(),
                   .alignment = options.alignments.has_value(),
                   .replace_unknown = options.replace_unknown,
                   .split = splits(options, model)},
          .batch = batch,
          .workers = worker_count(options.decoding.workers, model.on_gpu),
          .choose = choice_of(options),
          .before_batch = stop_if_interrupted,
          .after_batch = [&progress](int64_t lines) {
            if (progress) progress->add(lines);
          }};
}

std::shared_ptr<const Shortlist> shortlist_of(const TranslateOptions& options,
                                              const TextModel& model) {
  if (!options.shortlist) return nullptr;
  if (model.sources.empty())
    throw_error(ErrorKind::kUsage, "--shortlist: the model has no source to choose tokens by");
  const Vocabulary &source = model.aligned_codec().vocabulary(),
                   &target = model.target_codec().vocabulary();
  return std::make_shared<const Shortlist>(Lexicon::read(*options.shortlist, source, target),
                                           options.shortlist_sizes, source, target);
}

void check_plain_beam_search(const SearchConfig& search) {
  if (search.sampling)
    throw_error(ErrorKind::kUsage, "--constraints: needs beam search; leave --sample out");
  if (search.diversity_groups > 1)
    throw_error(ErrorKind::kUsage,
                "--constraints: needs one group of hypotheses; give --diversity-groups 1");
}

bool from_terminal(const TranslateOptions& options) {
  return options.inputs.empty() && options.collect == nullptr && isatty(STDIN_FILENO) == 1;
}

// True if a program or a user can read translations while the others are computed.
bool is_followed(const TranslateOptions& options) {
  struct stat status {};
  return options.collect == nullptr && options.output == "-" &&
         (isatty(STDOUT_FILENO) == 1 || (::fstat(STDOUT_FILENO, &status) == 0 &&
                                         (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))));
}

// False if the translations themselves appear on the terminal.
bool shows_progress(const TranslateOptions& options) {
  const bool on_terminal =
      options.collect == nullptr && options.output == "-" && isatty(STDOUT_FILENO) == 1;
  return stderr_is_terminal() && !on_terminal && !options.inputs.empty();
}

TextModel load_model_of(const TranslateOptions& options) {
  TextModel model =
      load_text_model({options.models, options.decoding.device, options.decoding.precision});
  if (options.summarize)
    model.search = summary_search({model.search, model.has_source_weights}, options.search);
  return model;
}

bool writes_files(const TranslateOptions& options) {
  return options.collect == nullptr &&
         (options.output != "-" || options.attention || options.alignments);
}

// Gives the references the form of the model's translations; letter case is kept.
void make_comparable(CollectedTranslations& texts, const Tokenizer& target) {
  int64_t changed = 0;
  for (std::vector<std::string>& lines : texts.references) {
    for (std::string& line : lines) {
      std::string text = on_one_line(target.joined(line));
      changed += text != line ? 1 : 0;
      line = std::move(text);
    }
  }
  if (changed > 0)
    spdlog::info(
        "{} lines of the references: the joiner of the model's subwords is removed and line "
        "separators are spaces, as in its translations and its validation",
        format_count(changed));
  if (target.lowers() && !texts.ignores_case)
    spdlog::warn("the model writes lower case; --lowercase compares as its validation did");
}

// Reads lines and writes their translations.
class Work {
 public:
  explicit Work(const TranslateOptions& options)
      : options_(options),
        model_(load_model_of(options)),
        reader_(model_, options.inputs, options.tag, &warnings_),
        constraints_(options.constraints),
        how_(translator_options(options, model_, progress_)) {
    how_.warnings = &warnings_;
    how_.line.shortlist = shortlist_of(options, model_);
    if (constraints_.has_files()) how_.next_constraints = [this] { return constraints_.next(); };
    if (options.constraints.phrases) check_plain_beam_search(how_.line.search);
    if (options.summarize) spdlog::info("search: {}", write_inline(how_.line.search));
    if (options.collect != nullptr)
      make_comparable(*options.collect, model_.target_codec().tokenizer());
  }

  void translate_all() {
    if (shows_progress(options_)) show_progress(reader_.count_lines());
    const auto outputs = options_.collect != nullptr ? list_of_lines(options_.collect->lines)
                                                     : files_at_the_end(output_files(options_));
    ReadPlan plan;
    if (is_followed(options_)) plan.windows.first = 64;
    plan.at_once = options_.interactive || from_terminal(options_);
    if (plan.at_once) plan.windows = {.first = 1, .most = 1};
    translate(plan, *outputs);
  }

  void translate_shard() {
    ShardJob job = shard_job(options_, how_, reader_, constraints_);
    const int64_t window = job.window;
    ShardOutputs outputs(std::move(job));
    if (outputs.is_complete()) {
      spdlog::info("{}: is complete", options_.shard->file(options_.output).string());
      return;
    }
    if (const auto end = outputs.end()) reader_.end_at(*end);
    if (shows_progress(options_)) show_progress(std::nullopt);
    translate({.first_line = outputs.next_line(),
               .windows = {.first = window, .most = window},
               .reads_to_end = !outputs.end()},
              outputs);
  }

 private:
  struct ReadPlan {
    int64_t first_line = 1;
    Windows windows{};
    bool at_once = false;  // whether each line is translated as soon as it is read
    bool reads_to_end = true;
  };

  void show_progress(std::optional<int64_t> lines) {
    progress_.emplace(options_.summarize ? "summarized" : "translated", lines);
  }

  void translate(ReadPlan plan, TranslationOutputs& outputs) {
    TranslationWriter writer(options_, model_, plan.first_line, outputs);
    // A signal ends a process that only prints, or that waits for the reader of a pipe. A process
    // that writes files first removes the unfinished ones.
    if (writes_files(options_)) catch_signals();
    plan.windows.written = [&] {
      writer.flush();
      if (plan.at_once) warnings_.log();
    };
    BatchTranslator(model_, how_)
        .translate_all([this](SourceLine& line) { return reader_.next(line); },
                       [&](const TranslatedLine& translation) { writer.write(translation); },
                       plan.windows, plan.first_line);
    warnings_.log();
    if (plan.reads_to_end) constraints_.expect_end();
    writer.commit();
  }

  const TranslateOptions& options_;
  const TextModel model_;
  LineWarnings warnings_;
  SourceReader reader_;
  std::optional<LineProgress> progress_;
  ConstraintReader constraints_;
  BatchTranslatorOptions how_;
};

std::vector<NamedFile> files_of_shard(const LineShard& shard,
                                      const std::vector<NamedFile>& outputs) {
  std::vector<NamedFile> files = outputs;  // that `heed join` replaces
  for (const NamedFile& output : outputs) {
    for (const char* ending : {"", ".part", ".json"})
      files.push_back({output.option, shard.file(output.path).string() + ending});
  }
  return files;
}

void check_files(const TranslateOptions& options) {
  if (options.collect != nullptr) return;
  if (options.shard) refuse_standard_streams(options);
  std::vector<NamedFile> outputs = output_files(options);
  if (options.shard) outputs = files_of_shard(*options.shard, outputs);
  std::vector<NamedFile> inputs = input_files("--input", options.inputs);
  if (options.shortlist) inputs.push_back({"--shortlist", *options.shortlist});
  const std::vector<NamedFile> constraints = named_files(options.constraints);
  inputs.insert(inputs.end(), constraints.begin(), constraints.end());
  refuse_same_files(inputs, outputs);
  refuse_outputs_in_runs(outputs);
}

const char* last_words(const TranslateOptions& options) {
  return options.collect != nullptr ? "heed: interrupted\n"
         : options.shard            ? "heed: interrupted; the same command continues the shard\n"
         : writes_files(options)    ? "heed: interrupted; nothing was written\n"
                                    : "heed: interrupted; the output is incomplete\n";
}

void translate(const TranslateOptions& options) {
  if (!options.shard) return Work(options).translate_all();
  const TranslateOptions fixed = with_fixed_models(options);
  Work(fixed).translate_shard();
}

}  // namespace

int run_translate(const TranslateOptions& options) {
  if (options.collect == nullptr)
    refuse_texts(options.models, options.summarize ? "heed summarize" : "heed translate");
  check_files(options);
  exit_on_signals(last_words(options));
  try {
    translate(options);
  } catch (const std::bad_alloc&) {
    throw_error(ErrorKind::kFailure,
                "out of memory while translating; smaller batches (--batch), fewer --workers or a "
                "smaller --beam need less{}",
                address_space_advice());
  } catch (const Stopped& stopped) {
    return options.shard ? report_continuable(stopped) : report_unwritten(stopped);
  }
  return 0;
}

}  // namespace heed
