#include "cli/metric_options.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "cli/arguments.h"
#include "config/sizes.h"
#include "metric/bleu_tokenizers.h"

namespace heed {

namespace {

constexpr const char* kMetricsGroup = "Metrics";
constexpr IntRange kOrders{0, 100}, kSamples{1, 1'000'000};

std::vector<std::string> tokenizer_names() {
  std::vector<std::string> names;
  for (const BleuTokenizer& tokenizer : bleu_tokenizers()) names.push_back(tokenizer.name);
  return names;
}

// Describes each metric, for the end of the help.
std::string list_metrics() {
  std::string text = "Names of metrics for -m:\n";
  for (const std::string& name : metric_names()) {
    text += fmt::format("  {:<17} {}\n", name, metric_help(name));
  }
  return text;
}

void add_bleu_options(CLI::App& command, BleuOptions& bleu) {
  command
      .add_option("--tokenize", bleu.tokenizer,
                  fmt::format("BLEU: {} (13a)", fmt::join(tokenizer_names(), ", ")))
      ->type_name("NAME");
  command
      .add_option_function<std::string>(
          "--smooth",
          [&bleu](const std::string& name) { bleu.smoothing = parse_bleu_smoothing(name); },
          fmt::format("BLEU: {} (exp)", fmt::join(bleu_smoothing_names(), ", ")))
      ->type_name("NAME");
  command.add_option("--smooth-value", bleu.smooth_value, "BLEU: for floor (0.1) and add-k (1)")
      ->type_name("VALUE")
      ->check(real_number(kWeights));
  command.add_flag("--effective-order", bleu.effective_order,
                   "BLEU: leave out n-gram orders without any n-gram");
}

void add_chrf_options(CLI::App& command, ChrfOptions& chrf) {
  const auto add = [&command](const char* name, int64_t& value, const IntRange& range,
                              const char* help) {
    command.add_option(name, value, help)
        ->type_name("N")
        ->check(whole_number(range))
        ->group(kMetricsGroup);
  };
  add("--chrf-char-order", chrf.char_order, kOrders, "chrF: longest character n-grams (6)");
  add("--chrf-word-order", chrf.word_order, kOrders,
      "chrF: longest word n-grams (0; chrf++: always 2)");
  add("--chrf-beta", chrf.beta, kRounds, "chrF: weight of recall (2)");
  command.add_flag("--chrf-whitespace", chrf.whitespace, "chrF: count the spaces between words")
      ->group(kMetricsGroup);
}

void add_ter_options(CLI::App& command, TercomOptions& ter) {
  const auto add = [&command](const char* name, bool& value, const char* help) {
    command.add_flag(name, value, help)->group(kMetricsGroup);
  };
  add("--ter-normalized", ter.normalized, "TER: separate punctuation, replace XML entities");
  add("--ter-no-punct", ter.no_punctuation, "TER: remove punctuation");
  add("--ter-asian-support", ter.asian_support,
      "TER: with --ter-normalized, separate Chinese characters; with --ter-no-punct, remove Asian "
      "punctuation");
  add("--ter-case-sensitive", ter.case_sensitive, "TER: do not ignore case");
}

void add_rouge_options(CLI::App& command, RougeOptions& rouge) {
  command.add_flag("--stem", rouge.stem, "ROUGE: compare word stems");
  command
      .add_option("--sentence-break", rouge.sentence_break,
                  "ROUGE-Lsum: separator of the sentences of a line (none: a line is one sentence)")
      ->type_name("TEXT");
}

// Options, and the metrics that take them.
struct TakenBy {
  std::vector<const char*> options;
  std::vector<std::string> metrics;
};

const std::vector<TakenBy>& options_of_metrics() {
  static const std::vector<TakenBy> list = {
      {{"--tokenize", "--smooth", "--smooth-value", "--effective-order"}, {"bleu"}},
      {{"--chrf-char-order", "--chrf-beta", "--chrf-whitespace"}, {"chrf", "chrf++"}},
      {{"--chrf-word-order"}, {"chrf"}},
      {{"--ter-normalized", "--ter-no-punct", "--ter-asian-support", "--ter-case-sensitive"},
       {"ter"}},
      {{"--stem"}, members_of("rouge")},
      {{"--sentence-break"}, {"rougeLsum", "rougeLsum-unicode"}},
      {{"--lowercase"}, single_metric_names()}};
  return list;
}

std::vector<std::string> chosen_metrics(const MetricChoice& choice) {
  std::vector<std::string> all;
  for (const std::string& name : choice.metrics) {
    for (const std::string& member : members_of(name)) all.push_back(member);
  }
  return all;
}

}  // namespace

void refuse_idle_options(const CLI::App& command, const MetricChoice& choice,
                         const std::vector<std::string>& also) {
  const std::vector<std::string> chosen = chosen_metrics(choice);
  const auto is_chosen = [&](const std::string& name) {
    return std::ranges::find(chosen, name) != chosen.end();
  };
  std::vector<std::string> faults;
  for (const TakenBy& own : options_of_metrics()) {
    if (std::ranges::any_of(own.metrics, is_chosen)) continue;
    const bool all_text = own.metrics.size() == single_metric_names().size();
    for (const char* option : own.options) {
      if (command.get_option(option)->count() == 0 || std::ranges::count(also, option) > 0)
        continue;
      faults.push_back(fmt::format("{} is an option of {}, and the metric is {}: leave it out",
                                   option,
                                   all_text ? std::string("metrics of text")
                                            : fmt::format("{}", fmt::join(own.metrics, ", ")),
                                   fmt::join(choice.metrics, ", ")));
    }
  }
  const TercomOptions& ter = choice.settings.ter;
  if (ter.asian_support && !ter.normalized && !ter.no_punctuation)
    faults.emplace_back(
        "--ter-asian-support has no effect without --ter-normalized or --ter-no-punct");
  if (!faults.empty()) throw_error(ErrorKind::kUsage, "{}", fmt::join(faults, "; "));
}

CLI::Validator spelled_as_a_metric() {
  return {[](std::string& word) {
            word = metric_name(word);
            return std::string();
          },
          ""};
}

void add_metric_options(CLI::App& command, MetricChoice& choice, AddValues add_values) {
  MetricOptions& settings = choice.settings;
  add_values(command, "-r,--reference", choice.references,
             "Reference texts; several files are several references for each line")
      ->required()
      ->type_name("FILE");
  add_values(command, "-m,--metric", choice.metrics, "One or more of the metrics below (bleu)")
      ->delimiter(',')
      ->transform(spelled_as_a_metric())
      ->type_name("NAME");
  command.add_flag_callback(
      "--lowercase", [&settings] { settings.ignore_case(); },
      "Ignore case, in every metric of text (ROUGE does anyway, TER without "
      "--ter-case-sensitive)");
  add_bleu_options(command, settings.bleu);
  add_chrf_options(command, settings.chrf);
  add_ter_options(command, settings.ter);
  add_rouge_options(command, settings.rouge);
  command.footer(list_metrics());
}

std::vector<CLI::Option*> add_resampling(CLI::App& command, std::optional<int64_t>& samples,
                                         uint32_t& seed, const char* help_of_samples) {
  auto* number = command.add_option("--samples", samples, help_of_samples);
  number->check(whole_number(kSamples));
  auto* start = command.add_option("--seed", seed, "Seed of the samples (12345)");
  start->check(whole_number({0, std::numeric_limits<uint32_t>::max()}));
  for (CLI::Option* option : {number, start}) option->type_name("N")->group(kSignificanceGroup);
  return {number, start};
}

void add_score_output(CLI::App& command, MetricChoice& choice) {
  command
      .add_option_function<std::string>(
          "--format",
          [&choice](const std::string& name) {
            choice.format = name == "json" ? ScoreFormat::kJson : ScoreFormat::kText;
          },
          "text or json (text)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"text", "json"}));
  command.add_option("--digits", choice.digits, "Decimal places (1)")
      ->type_name("N")
      ->check(whole_number({0, 15}));
}

std::vector<std::unique_ptr<Metric>> make_metrics(const MetricChoice& choice) {
  std::vector<std::unique_ptr<Metric>> all;
  for (const std::string& name : choice.metrics) {
    for (auto& metric : make_metrics(name, choice.settings)) {
      const auto same = [&](const auto& other) { return other->name() == metric->name(); };
      if (std::none_of(all.begin(), all.end(), same)) all.push_back(std::move(metric));
    }
  }
  return all;
}

}  // namespace heed
