#include "cli/translate/prepared_translation.h"

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <deque>

#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/line_separators.h"
#include "base/log.h"
#include "cli/model_path.h"
#include "cli/search_settings.h"
#include "cli/translate/batch_options.h"
#include "cli/translate/shard_job.h"
#include "cli/translate/translation_settings.h"
#include "cli/translate/translation_writer.h"
#include "config/writer.h"
#include "translate/directions.h"

namespace heed {

namespace {

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
  if (options.direction.is_chosen()) model = Directions(model).choose(options.direction);
  if (options.summarize)
    model.search = summary_search({model.search, model.has_source_weights}, options.search);
  return model;
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

}  // namespace

PreparedTranslation::PreparedTranslation(const TranslateOptions& options)
    : options_(options),
      model_(load_model_of(options)),
      constraints_(options.constraints),
      how_(batch_options(options, model_)) {
  if (options.texts == nullptr)
    reader_.emplace(model_, options.inputs, options.tag, &warnings_);
  else
    check_tag(model_, options.tag);
  if (reader_ && options.markup.format != MarkupFormat::kNone) reader_->expect_markup();
  how_.warnings = &warnings_;
  how_.after_batch = [this](int64_t lines) {
    if (progress_) progress_->add(lines);
  };
  if (constraints_.has_files()) how_.next_constraints = [this] { return constraints_.next(); };
  if (options.summarize) spdlog::info("search: {}", write_inline(how_.line.search));
  if (options.collect != nullptr)
    make_comparable(*options.collect, model_.target_codec().tokenizer());
}

void PreparedTranslation::translate_all() {
  if (shows_progress(options_))
    show_progress(reader_ ? reader_->count_lines() : std::ssize(*options_.texts));
  const auto outputs = options_.collect != nullptr ? list_of_lines(options_.collect->lines)
                                                   : files_at_the_end(output_files(options_));
  ReadPlan plan;
  if (is_followed(options_)) plan.windows.first = 64;
  plan.at_once = options_.interactive || from_terminal(options_);
  if (plan.at_once) plan.windows = {.first = 1, .most = 1};
  std::optional<AtomicFile> seconds;
  if (options_.seconds) seconds.emplace(*options_.seconds);
  const auto begin = std::chrono::steady_clock::now();
  translate(plan, *outputs);
  if (!seconds) return;
  seconds->write(fmt::format(
      "{:.6f}\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()));
  seconds->commit();
}

void PreparedTranslation::translate_shard() {
  ShardJob job = shard_job(options_, how_, *reader_, constraints_);
  const int64_t window = job.window;
  ShardOutputs outputs(std::move(job));
  if (outputs.is_complete()) {
    spdlog::info("{}: is complete", options_.shard->file(options_.output).string());
    return;
  }
  if (const auto end = outputs.end()) reader_->end_at(*end);
  if (shows_progress(options_)) show_progress(std::nullopt);
  translate({.first_line = outputs.next_line(),
             .windows = {.first = window, .most = window},
             .reads_to_end = !outputs.end()},
            outputs);
}

void PreparedTranslation::show_progress(std::optional<int64_t> lines) {
  progress_.emplace(options_.summarize ? "summarized" : "translated", lines);
}

bool PreparedTranslation::next(SourceLine& line) {
  if (reader_) return reader_->next(line);
  if (next_text_ == options_.texts->size()) return false;
  line = {options_.texts->at(next_text_++)};
  if (options_.tag) line.push_back(*options_.tag);
  return true;
}

void PreparedTranslation::translate(ReadPlan plan, TranslationOutputs& outputs) {
  TranslationWriter writer(options_, model_, plan.first_line, outputs);
  // A signal ends a process that only prints, or that waits for the reader of a pipe. A process
  // that writes files first removes the unfinished ones.
  if (writes_files(options_)) catch_signals();
  plan.windows.written = [&] {
    writer.flush();
    if (plan.at_once) warnings_.log();
  };
  const bool keeps_source = options_.format == TranslationFormat::kTsv;
  std::deque<SourceLine> read;  // and not yet written
  BatchTranslator(model_, how_)
      .translate_all(
          [&](SourceLine& line) {
            if (!next(line)) return false;
            if (keeps_source) read.push_back(line);
            return true;
          },
          [&](const TranslatedLine& translation) {
            writer.write(translation, keeps_source ? read.front() : SourceLine());
            if (keeps_source) read.pop_front();
          },
          plan.windows, plan.first_line);
  warnings_.log();
  if (plan.reads_to_end) constraints_.expect_end();
  writer.commit();
}

}  // namespace heed
