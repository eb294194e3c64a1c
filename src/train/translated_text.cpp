#include "train/translated_text.h"

#include <algorithm>

#include "base/interrupt.h"
#include "base/utf8.h"
#include "distributed/gathered.h"
#include "metric/registry.h"
#include "network/engines.h"
#include "search/not_a_number.h"

namespace heed {

namespace {

// The texts of all processes, in the order of the lines.
std::vector<std::string> in_order(const std::vector<std::string>& own, size_t lines,
                                  Reducer& processes) {
  std::vector<std::string> all(lines);
  const std::vector<std::vector<std::string>> texts = gathered(processes, own);
  for (size_t line = 0; line < lines; ++line)
    all[line] = texts[line % texts.size()].at(line / texts.size());
  return all;
}

}  // namespace

std::vector<std::string> translate(const NetworkModel& model, const std::vector<SourceLine>& lines,
                                   const SearchConfig& search, const Parallelism& parallelism) {
  TranslatorOptions options;
  options.line.search = search;
  options.line.scores = false;
  options.workers = parallelism.workers;
  options.before_batch = [] {
    if (caught_signal() != 0) throw Interrupted();
  };
  std::vector<SourceLine> own;
  for (const size_t i : share_of(lines.size(), parallelism.processes)) own.push_back(lines[i]);
  std::vector<std::string> texts;
  bool has_numbers = true;
  together(parallelism.processes, [&] {
    try {
      for (const Translation& translation : Translator(with_engine(model), options).translate(own))
        texts.push_back(translation.text());
    } catch (const NotANumber&) {
      has_numbers = false;
    }
  });
  if (parallelism.processes.any(!has_numbers)) throw_not_a_number();
  return in_order(texts, lines.size(), parallelism.processes);
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
  std::vector<std::string> compared = hypotheses;
  if (set.lower_case) std::ranges::transform(compared, compared.begin(), lower_case);  // copies too
  const Score score = made->score(compared, {set.references});
  return {.metric = metric,
          .value = score.value,
          .line = format_score(*made, score, 1, 2),
          .signature = made->signature(1)};
}

}  // namespace heed
