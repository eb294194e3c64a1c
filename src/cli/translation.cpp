#include "cli/translation.h"

#include <unistd.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/line_progress.h"
#include "base/log.h"
#include "cli/constraint_reader.h"
#include "cli/interruption.h"
#include "cli/minimum_risk.h"
#include "cli/model_path.h"
#include "cli/search_settings.h"
#include "cli/source_reader.h"
#include "cli/translation_lines.h"
#include "cli/worker_count.h"
#include "config/writer.h"
#include "metric/registry.h"
#include "translate/translator.h"

namespace heed {

namespace {

std::string attention_lines(int64_t number, const Translation& translation,
                            const TextModel& model) {
  std::string lines;
  for (const Translated& one : translation.best) {
    nlohmann::ordered_json json;
    json["line"] = number;
    json["source"] = translation.source;
    json["target"] = one.pieces;
    // Rows and columns of the matrix: the pieces, then the end of the sentence.
    if (!one.attention.empty()) {
      json["source"].push_back(model.aligned_codec().vocabulary().piece(kEnd));
      json["target"].push_back(model.target_codec().vocabulary().piece(kEnd));
    }
    json["weights"] = nlohmann::ordered_json::array();
    for (const auto& row : one.attention) {
      auto& weights = json["weights"].emplace_back(nlohmann::ordered_json::array());
      for (float weight : row) weights.push_back(std::round(weight * 1e6) / 1e6);
    }
    lines += json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }
  return lines;
}

// Everything that a translation is written to; the files appear together, when all is done.
class Writer {
 public:
  Writer(const TranslateOptions& options, const TextModel& model)
      : options_(options), model_(model) {
    if (options.collect == nullptr) text_ = std::make_unique<AtomicFile>(options.output);
    if (options.attention) attention_ = std::make_unique<AtomicFile>(*options.attention);
    if (options.alignments) alignments_ = std::make_unique<AtomicFile>(*options.alignments);
  }

  void write(const Translation& translation) {
    if (options_.collect != nullptr) {
      options_.collect->push_back(translation.text());
    } else {
      text_->write(text_of(translation));
    }
    if (attention_) attention_->write(attention_lines(count_ + 1, translation, model_));
    if (alignments_) alignments_->write(pharaoh(translation.best.front().alignment) + "\n");
    ++count_;
    if (translation.best.front().finished) return;
    if (cut_++ == 0) first_cut_ = count_;
  }
  std::string text_of(const Translation& translation) const {
    if (options_.json) return json_line(count_ + 1, translation, options_.alignments.has_value());
    const bool writes_list = options_.nbest && !options_.risk_metric;
    return writes_list ? nbest_lines(count_, translation) : translation.text() + "\n";
  }
  void flush() { text_->flush(); }
  void commit() {
    std::vector<AtomicFile*> files;
    for (const auto* file : {&text_, &attention_, &alignments_}) {
      if (*file) files.push_back(file->get());
    }
    if (!files.empty()) commit_all(files);
    if (cut_ == 0) return;
    spdlog::warn(
        "{} of {} {} were cut at the maximum length, the first at line {}; --max-length N allows "
        "more",
        cut_, count_, options_.summarize ? "summaries" : "translations", first_cut_);
  }

 private:
  const TranslateOptions& options_;
  const TextModel& model_;
  std::unique_ptr<AtomicFile> text_, attention_, alignments_;
  int64_t count_ = 0, cut_ = 0, first_cut_ = 0;  // lines from 1
};

// Keeps the translation with the least risk by --mbr; without it nothing is chosen.
std::function<void(std::vector<Translated>&)> choice_of(const TranslateOptions& options) {
  if (!options.risk_metric) return {};
  return [metric = std::shared_ptr(make_metric(*options.risk_metric, of_sentences()))](auto& best) {
    Lines texts;
    for (const Translated& one : best) texts.push_back(one.text);
    const size_t chosen = least_risk(*metric, texts);
    if (chosen > 0) std::swap(best.front(), best[chosen]);
    best.resize(1);
  };
}

TranslatorOptions translator_options(const TranslateOptions& options, const TextModel& model,
                                     std::optional<LineProgress>& progress) {
  SearchConfig search =
      search_config({model.search, model.has_source_weights}, options.search, options.nbest);
  if (options.sampling) {
    search.sampling = options.sampling;
    search.coverage_penalty = 0;
  }
  return {.search = std::move(search),
          .batch = options.decoding.batch,
          .workers = worker_count(options.decoding.workers, model.on_gpu),
          .attention = options.attention.has_value(),
          .alignment = options.alignments.has_value(),
          .replace_unknown = options.replace_unknown,
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

// Not where the translations themselves appear on the terminal.
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

void translate(const TranslateOptions& options) {
  const TextModel model = load_model_of(options);
  LineWarnings warnings;
  SourceReader reader(model, options.inputs, options.tag, &warnings);
  std::optional<LineProgress> progress;
  if (shows_progress(options))
    progress.emplace(options.summarize ? "summarized" : "translated", reader.count_lines());
  TranslatorOptions how = translator_options(options, model, progress);
  how.warnings = &warnings;
  how.shortlist = shortlist_of(options, model);
  ConstraintReader constraints(options.constraints);
  if (constraints.has_files()) how.next_constraints = [&constraints] { return constraints.next(); };
  if (options.constraints.phrases) check_plain_beam_search(how.search);
  if (options.summarize) spdlog::info("search: {}", write_inline(how.search));
  const Translator translator(model, std::move(how));
  Writer writer(options, model);
  // A signal ends a process that only prints, or waits for the reader of a pipe; one that writes files
  // takes the unfinished ones away first.
  if (writes_files(options)) catch_signals();
  const bool at_once = options.interactive || from_terminal(options);
  constexpr int64_t kWindow = 10000;
  translator.translate_all([&](SourceLine& line) { return reader.next(line); },
                           [&](const Translation& translation) {
                             writer.write(translation);
                             if (!at_once) return;
                             writer.flush();
                             warnings.log();
                           },
                           at_once ? 1 : kWindow);
  warnings.log();
  constraints.expect_end();
  writer.commit();
}

void check_files(const TranslateOptions& options) {
  if (options.collect != nullptr) return;
  std::vector<NamedFile> outputs{{"--output", options.output}};
  if (options.attention) outputs.push_back({"--attention", *options.attention});
  if (options.alignments) outputs.push_back({"--alignments", *options.alignments});
  std::vector<NamedFile> inputs = input_files("--input", options.inputs);
  if (options.shortlist) inputs.push_back({"--shortlist", *options.shortlist});
  const std::vector<NamedFile> constraints = named_files(options.constraints);
  inputs.insert(inputs.end(), constraints.begin(), constraints.end());
  std::vector<std::string> standard;  // options that name standard input
  if (options.inputs.empty() || options.inputs.front() == "-") standard.emplace_back("--input");
  for (const NamedFile& file : constraints) {
    if (file.path == "-") standard.push_back(file.option);
  }
  if (standard.size() > 1)
    throw_error(ErrorKind::kUsage,
                "{} - and {} -: only one of them can be standard input; give a file",
                standard.back(), standard.front());
  refuse_same_files(inputs, outputs);
  refuse_outputs_in_runs(outputs);
}

}  // namespace

int run_translate(const TranslateOptions& options) {
  check_files(options);
  leave_on_signals(options.collect != nullptr ? "heed: interrupted\n"
                   : writes_files(options)    ? "heed: interrupted; nothing was written\n"
                                              : "heed: interrupted; the output is incomplete\n");
  try {
    translate(options);
  } catch (const std::bad_alloc&) {
    throw_error(ErrorKind::kFailure,
                "out of memory while translating; smaller batches (--batch), fewer --workers or a "
                "smaller --beam need less");
  } catch (const Stopped& stopped) {
    return leave_unwritten(stopped);
  }
  return 0;
}

}  // namespace heed
