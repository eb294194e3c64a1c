#include "train/translated_text.h"

#include "base/interrupt.h"
#include "metric/registry.h"
#include "network/engines.h"
#include "train/parts.h"

namespace heed {

std::vector<std::string> translate(const NetworkModel& model, const std::vector<SourceLine>& lines,
                                   const SearchConfig& search, int64_t workers) {
  TranslatorOptions options;
  options.search = search;
  options.workers = workers;
  options.before_batch = [] {
    if (caught_signal() != 0) throw Interrupted();
  };
  std::vector<std::string> texts;
  for (const Translation& translation : Translator(with_engine(model), options).translate(lines)) {
    texts.push_back(translation.text());
  }
  return texts;
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
  const auto made = make_metric(metric, config.metric_options());
  std::vector<std::string> references = set.references;
  references.resize(hypotheses.size());
  const Score score = made->score(hypotheses, {references});
  return {.metric = metric,
          .value = score.value,
          .line = format_score(*made, score, 1, 2),
          .signature = made->signature(1)};
}

}  // namespace heed
