#include "cli/translate/batch_options.h"

#include <atomic>
#include <map>

#include "base/error.h"
#include "base/log.h"
#include "cli/search_settings.h"
#include "cli/translate/interruption.h"
#include "glossary/glossary_file.h"
#include "glossary/stemmer.h"
#include "load/worker_count.h"
#include "metric/registry.h"
#include "translate/split_line.h"

namespace heed {

namespace {

// Minimum Bayes risk decoding (Kumar and Byrne 2004; with samples Eikema and Aziz 2020): the index of
// the candidate with the best mean sentence score against all of them as references, each as often as
// it was found; of equal ones the first.
size_t least_risk(const Metric& metric, const Lines& candidates) {
  std::map<std::string_view, double> counts;
  for (const std::string& text : candidates) ++counts[text];
  std::map<std::string_view, double> sums;  // of the scores of each
  for (const auto& [hypothesis, unused] : counts) {
    for (const auto& [reference, count] : counts)
      sums[hypothesis] += count * metric.score_line(hypothesis, {reference}).value;
  }
  const double sign = metric.higher_is_better() ? 1 : -1;
  size_t best = 0;
  for (size_t i = 1; i < candidates.size(); ++i) {
    if (sign * sums.at(candidates[i]) > sign * sums.at(candidates[best])) best = i;
  }
  return best;
}

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
  if (options.document) return reads_sentences(model);
  if (!options.split) return false;
  if (!can_split(model)) throw_error(ErrorKind::kUsage, "--split: {}", kCannotSplit);
  if (reads_sentences(model)) return true;
  spdlog::warn(
      "--split: {:.0f} % of the training lines of the model have several sentences; lines are left "
      "whole",
      100 * model.source_lines->several_sentences.value_or(1));
  return false;
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

void check_plain_beam_search(const char* option, const SearchConfig& search) {
  if (search.sampling)
    throw_error(ErrorKind::kUsage, "{}: needs beam search; leave --sample out", option);
  if (search.diversity_groups > 1)
    throw_error(ErrorKind::kUsage, "{}: needs one group of hypotheses; give --diversity-groups 1",
                option);
}

std::shared_ptr<const Glossary> glossary_of(const TranslateOptions& options,
                                            const TextModel& model) {
  if (!options.glossary) return nullptr;
  const GlossaryLanguages languages{model.source_language, model.target_language};
  GlossaryStems stems;
  if (glossary_match_of(options.glossary_match) == GlossaryMatch::kStem)
    stems = glossary_stems(languages, model.target_codec());
  return std::make_shared<const Glossary>(read_glossary(*options.glossary, languages),
                                          std::move(stems));
}

// Refuses options that have no effect beside the others and the settings of the model.
void check_effects(const SearchOptions& options, const SearchConfig& search) {
  if (options.values.contains("diversity_strength") && search.diversity_groups == 1)
    throw Error(ErrorKind::kUsage,
                "--diversity-strength needs --diversity-groups 2 or more, found one group");
  if (options.values.contains("length_normalization") && search.length_penalty == 0)
    throw Error(ErrorKind::kUsage,
                "--length-normalization needs a --length-penalty above 0, found 0");
}

void check_source_weights(const TranslateOptions& options, const TextModel& model) {
  if (model.has_source_weights) return;
  if (options.document &&
      (options.markup.format != MarkupFormat::kNone || options.markup.protects.any()))
    throw Error(ErrorKind::kUsage,
                "--document: tags and placeholders of this format need attention weights over the "
                "source, which this model does not have");
  for (const auto& [option, is_given] :
       {std::pair{"--alignments", options.alignments.has_value()},
        std::pair{"--replace-unknown", options.replace_unknown},
        std::pair{"--markup", options.markup.format != MarkupFormat::kNone},
        std::pair{"--protect", options.markup.protects.any()}}) {
    if (is_given)
      throw_error(ErrorKind::kUsage,
                  "{} needs attention weights over the source, which this model does not have; "
                  "leave it out",
                  option);
  }
}

void check_markup(const MarkupOptions& markup, const TextModel& model) {
  const bool is_given = markup.format != MarkupFormat::kNone || markup.protects.any();
  if (is_given && !can_split(model))
    throw_error(ErrorKind::kUsage,
                "{}: the model has several inputs, or marks sentences itself; expected one text as "
                "its input",
                markup.format != MarkupFormat::kNone ? "--markup" : "--protect");
}

}  // namespace

void check_document(const TranslateOptions& options, const TextModel& model) {
  if (options.document && (!can_split(model) || (!model.tags.empty() && !options.tag)))
    throw_error(ErrorKind::kUsage,
                "--document: the model has several inputs, or marks sentences itself; expected one "
                "text as its input, and --tag where it has tags");
}

BatchTranslatorOptions batch_options(const TranslateOptions& options, const TextModel& model) {
  check_source_weights(options, model);
  check_document(options, model);
  check_markup(options.markup, model);
  SearchConfig search =
      search_config({model.search, model.has_source_weights}, options.search, options.nbest);
  check_effects(options.search, search);
  if (options.sampling) {
    search.sampling = options.sampling;
    search.coverage_penalty = 0;
  }
  const int64_t batch =
      options.decoding.batch.value_or(model.engine->best_batch(search.hypotheses()));
  BatchTranslatorOptions result{.line = {.search = std::move(search),
                                         .scores = is_json(options.format) || options.nbest,
                                         .attention = options.attention.has_value(),
                                         .alignment = options.alignments.has_value(),
                                         .replace_unknown = options.replace_unknown,
                                         .shortlist = shortlist_of(options, model),
                                         .split = splits(options, model),
                                         .markup = options.markup,
                                         .glossary = glossary_of(options, model)},
                                .batch = batch,
                                .workers = worker_count(options.decoding.workers, model.on_gpu),
                                .choose = choice_of(options),
                                .before_batch = stop_if_interrupted};
  if (options.constraints.phrases) check_plain_beam_search("--constraints", result.line.search);
  if (options.glossary) check_plain_beam_search("--glossary", result.line.search);
  if (options.delays && model.tokens_read && result.line.search.beam > 1)
    spdlog::warn(
        "--delays: a beam of {} may still change tokens when more of the source is read; for "
        "tokens "
        "that are final when they are written use --beam 1",
        result.line.search.beam);
  return result;
}

}  // namespace heed
