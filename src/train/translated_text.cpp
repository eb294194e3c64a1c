#include "train/translated_text.h"

#include <algorithm>

#include "base/interrupt.h"
#include "distributed/gathered.h"
#include "metric/registry.h"
#include "network/engines.h"
#include "search/not_a_number.h"

namespace heed {

namespace {

// The texts of all processes, in the order of the lines.
TranslatedText in_order(const TranslatedText& own, size_t lines, Reducer& processes) {
  TranslatedText all{.lines = std::vector<std::string>(lines), .cut = {}};
  const std::vector<std::vector<std::string>> texts = gathered(processes, own.lines);
  for (size_t line = 0; line < lines; ++line)
    all.lines[line] = texts[line % texts.size()].at(line / texts.size());
  for (const auto& [translated, targets, repeating, sources] : gathered(
           processes,
           std::tuple(own.cut.translated, own.cut.targets, own.cut.repeating, own.cut.sources)))
    all.cut +=
        {.translated = translated, .targets = targets, .repeating = repeating, .sources = sources};
  return all;
}

CutLines cuts_of(const TranslatedLine& translation) {
  const bool is_limited = translation.best.front().limited;
  const bool repeats = std::ranges::any_of(translation.warnings, [](const LineWarning& warning) {
    return warning.kind == WarningKind::kRepeated;
  });
  return {.translated = 1,
          .targets = is_limited ? 1 : 0,
          .repeating = is_limited && repeats ? 1 : 0,
          .sources = translation.whole_source ? 0 : 1};
}

}  // namespace

TranslatedText translate(const NetworkModel& model, const std::vector<SourceLine>& lines,
                         const SearchConfig& search, const Parallelism& parallelism) {
  BatchTranslatorOptions options;
  options.line.search = search;
  options.line.scores = false;
  options.workers = parallelism.workers;
  options.before_batch = [] {
    if (caught_signal() != 0) throw Interrupted();
  };
  std::vector<SourceLine> own;
  for (const size_t i : share_of(lines.size(), parallelism.processes)) own.push_back(lines[i]);
  TranslatedText text;
  bool has_numbers = true;
  together(parallelism.processes, [&] {
    try {
      for (const TranslatedLine& translation :
           BatchTranslator(with_engine(model), options).translate(own)) {
        text.lines.push_back(translation.text());
        text.cut += cuts_of(translation);
      }
    } catch (const NotANumber&) {
      has_numbers = false;
    }
  });
  if (parallelism.processes.any(!has_numbers)) throw_not_a_number();
  return in_order(text, lines.size(), parallelism.processes);
}

std::vector<SourceLine> source_lines(const EvaluationSet& set) {
  std::vector<SourceLine> lines(set.size());
  for (const auto& source : set.sources) {
    for (size_t i = 0; i < lines.size(); ++i) lines[i].push_back(source[i]);
  }
  return lines;
}

TextScore score_text(const ValidateConfig& config, const std::string& metric,
                     const std::vector<std::string>& hypotheses, const EvaluationSet& set) {
  const auto made = make_metric(metric, config.metric_options(set.lower_case));
  const Score score = made->score(hypotheses, {set.references});
  return {.metric = metric,
          .value = score.value,
          .line = format_score(*made, score, 1, 2),
          .signature = made->signature(1)};
}

}  // namespace heed
