// `heed translate` and `heed summarize`.
#include "base/error.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/metric_options.h"
#include "cli/search_options.h"
#include "cli/search_settings.h"
#include "cli/translate/options.h"
#include "cli/translate/translation.h"
#include "config/sizes.h"
#include "metric/registry.h"

namespace heed {

namespace {

const std::map<std::string, TranslationFormat> kFormats = {
    {"text", TranslationFormat::kText},
    {"json", TranslationFormat::kJson},
    {"json-texts", TranslationFormat::kJsonTexts},
    {"tsv", TranslationFormat::kTsv}};

void add_shortlist_options(CLI::App& command, TranslateOptions& options) {
  auto* shortlist =
      command
          .add_option("--shortlist", options.shortlist,
                      "Lexicon, made by `heed shortlist`: compute scores only of the tokens that "
                      "are probable translations of the source tokens: faster on a CPU, for one "
                      "Transformer or "
                      "recurrent model of the usual form")
          ->type_name("FILE")
          ->group(kSearchGroup);
  command
      .add_option("--shortlist-best", options.shortlist_sizes.best,
                  "Translations of each source token on the list (50)")
      ->type_name("N")
      ->check(whole_number(kPositive))
      ->needs(shortlist)
      ->group(kSearchGroup);
  command
      .add_option("--shortlist-frequent", options.shortlist_sizes.frequent,
                  "Frequent tokens on every list (100)")
      ->type_name("N")
      ->check(whole_number(kNotNegative))
      ->needs(shortlist)
      ->group(kSearchGroup);
}

void add_markup_options(CLI::App& command, TranslateOptions& options) {
  command
      .add_option_function<std::string>(
          "--markup",
          [&options](const std::string& format) {
            options.markup.format = markup_format_of(format);
          },
          "Lines have tags of html or xml: they are taken out of the source and put back at the "
          "words that attention links to theirs")
      ->type_name("NAME")
      ->check(CLI::IsMember({"html", "xml"}))
      ->group(kInputGroup);
  command
      .add_option_function<std::string>(
          "--protect",
          [&options](const std::string& kinds) {
            options.markup.protects = *parse_protected_kinds(kinds);
          },
          "Keep placeholders, urls, emails, numbers as they are in the source, each once; several "
          "with commas between them")
      ->type_name("KINDS")
      ->check(CLI::Validator(
          [](std::string& text) {
            if (parse_protected_kinds(text)) return std::string();
            return fmt::format(
                "found '{}', expected some of placeholders, urls, emails, numbers, with commas "
                "between them",
                text);
          },
          ""))
      ->group(kInputGroup);
}

void add_document_option(CLI::App& command, TranslateOptions& options) {
  command
      .add_option("--document", options.document,
                  "The input is a document: its texts are translated, the rest of it stays. text, "
                  "markdown, html, subtitles or po; auto: by the ending of its name")
      ->type_name("FORMAT")
      ->group(kInputGroup);
}

CLI::Validator shard_number() {
  return CLI::Validator(
      [](std::string& text) {
        if (parse_shard(text)) return std::string();
        return fmt::format("found '{}', expected I/N with I from 1 to N, such as 2/8", text);
      },
      "");
}

// `heed translate` and `heed summarize`: the same work with other defaults.
CLI::App* add_translation(CLI::App& app, Chosen& chosen, const char* name, const char* what,
                          const TranslateOptions& defaults, const SearchConfig& usual) {
  auto* command = app.add_subcommand(name, what);
  auto options = std::make_shared<TranslateOptions>(defaults);
  add_models(*command, options->models);
  add_repeated(*command, "-i,--input", options->inputs,
               "Source text, plain or compressed (standard input); NAME=FILE for several sources")
      ->type_name("FILE");
  add_tag(*command, options->tag);
  add_direction(*command, options->direction);
  if (!defaults.summarize)
    command
        ->add_flag(
            "--split", options->split,
            "Translate each sentence of a line by itself; line N of the output is still that "
            "of line N")
        ->group(kInputGroup);
  if (!defaults.summarize) {
    add_markup_options(*command, *options);
    add_document_option(*command, *options);
  }
  auto* output =
      command->add_option("-o,--output", options->output, "Output file, instead of standard output")
          ->type_name("FILE");
  auto* nbest =
      command
          ->add_option("--nbest", options->nbest,
                       "Write the N best translations of each line: NUMBER ||| TEXT ||| SCORE")
          ->type_name("N")
          ->check(whole_number(kBeams));
  command
      ->add_option_function<std::string>(
          "--format",
          [options](const std::string& format) { options->format = kFormats.at(format); },
          "text; json, an object for each line with tokens, scores and the n-best list; "
          "json-texts, "
          "the same with only texts and scores; or tsv, a row for each line with the source and "
          "the translation (text)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"text", "json", "json-texts", "tsv"}));
  auto* interactive =
      command->add_flag("--interactive", options->interactive,
                        "Translate each line as soon as it is read, as on a terminal");
  command
      ->add_option_function<std::string>(
          "--shard", [options](const std::string& shard) { options->shard = parse_shard(shard); },
          "Translate part I of N of the lines into OUTPUT.I-of-N, as one of N processes; when it "
          "was interrupted, the same command continues. `heed join OUTPUT` joins the parts")
      ->type_name("I/N")
      ->check(shard_number())
      ->needs(output)
      ->excludes(interactive)
      ->group("Output");
  command->add_flag("--replace-unknown", options->replace_unknown,
                    "Replace <unk> with the source word of the highest attention weight");
  command
      ->add_option("--attention", options->attention,
                   "Write tokens and attention weights, a JSON object for each line")
      ->type_name("FILE");
  command
      ->add_option("--alignments", options->alignments,
                   "Write word alignments, the source word of the highest weight for each target "
                   "word: 0-0 1-2 …; a line for each translation")
      ->type_name("FILE");
  if (!defaults.summarize)
    command
        ->add_option(
            "--delays", options->delays,
            "Write the delay of each target token, the number of source tokens that a "
            "model with wait_k has read before it, and any other model all of them: a JSON "
            "object for each translation, for `heed evaluate --delays`")
        ->type_name("FILE")
        ->excludes("--split")
        ->excludes("--markup");
  auto* seconds =
      command
          ->add_option("--seconds", options->seconds,
                       "Write the seconds that the translation took, without the start of the "
                       "program and the loading of the model")
          ->type_name("FILE")
          ->excludes("--shard");
  if (!defaults.summarize) seconds->excludes("--document");
  command
      ->add_option("--prefix", options->constraints.prefix,
                   "File with the beginning of each translation, a line for each source line")
      ->type_name("FILE")
      ->group(kInputGroup);
  command
      ->add_option(
          "--constraints", options->constraints.phrases,
          "File with words and phrases that each translation has to contain, with tabs "
          "between them (Post and Vilar 2018); a --beam of more than their tokens is better")
      ->type_name("FILE")
      ->group(kInputGroup);
  if (!defaults.summarize)
    command
        ->add_option("--glossary", options->glossary,
                     "Terms as a table (source term, tab, target term) or as TBX; where a line has "
                     "a source term, its translation has to contain the target term")
        ->type_name("FILE")
        ->group(kInputGroup);
  if (!defaults.summarize)
    command
        ->add_option("--glossary-match", options->glossary_match,
                     "Words of a term: exact, or stem for inflected forms too, by the languages of "
                     "the model (exact)")
        ->type_name("WORD")
        ->check(CLI::IsMember({"exact", "stem"}))
        ->needs("--glossary")
        ->group(kInputGroup);
  command
      ->add_option("--avoid", options->constraints.avoided,
                   "File with phrases that must not occur, with tabs between them, as the tokens "
                   "that they are: also where a longer word begins with them")
      ->type_name("FILE")
      ->group(kInputGroup);
  command
      ->add_option(
          "--mbr", options->risk_metric,
          "Minimum Bayes risk: of the --nbest N translations or samples of each line write "
          "the one with the highest mean score against all of them by this metric: chrf, "
          "bleu, …")
      ->type_name("METRIC")
      ->transform(spelled_as_a_metric())
      ->check(CLI::IsMember(single_metric_names()).description(""))
      ->needs(nbest)
      ->group(kSearchGroup);
  command
      ->add_option("--mbr-tokenize", options->risk_tokenizer,
                   "Tokenizer of --mbr bleu, as --tokenize of `heed evaluate` (13a)")
      ->type_name("NAME")
      ->needs("--mbr")
      ->group(kSearchGroup);
  add_shortlist_options(*command, *options);
  add_search_options(*command, options->search, usual);
  add_sampling_options(*command, options->sampling);
  add_decoding_options(*command, options->decoding, kTranslatedLines);
  add_precision(*command, options->decoding.precision);
  command->callback([&chosen, options] {
    if (options->format == TranslationFormat::kTsv && options->nbest && !options->risk_metric)
      throw Error(
          ErrorKind::kUsage,
          "--format tsv has one translation for each line, found --nbest; --format json has "
          "the list");
    chosen = [options] { return run_translate(*options); };
  });
  return command;
}

}  // namespace

void add_translate(CLI::App& app, Chosen& chosen) {
  add_translation(app, chosen, "translate", "Translate raw text, one sentence a line", {}, {});
}

void add_summarize(CLI::App& app, Chosen& chosen) {
  TranslateOptions options;
  options.summarize = true;
  auto* command =
      add_translation(app, chosen, "summarize", "Summarize raw text, one document a line", options,
                      summary_search({}, {}));
  command->footer(
      "`heed translate` with other defaults: an option counts first, then a value in\n"
      "`search` of the model's config that differs from the default of every config,\n"
      "then the values above; without attention weights there is no coverage penalty.\n" +
      app.get_footer());
}

}  // namespace heed
