#include "train/translated_text.h"

#include "base/interrupt.h"
#include "metric/registry.h"
#include "network/engines.h"

namespace heed {

namespace {

// Texts of lines, each behind its length.
std::string packed(const std::vector<std::string>& texts) {
  std::string bytes;
  for (const std::string& text : texts) bytes += fmt::format("{} {}", text.size(), text);
  return bytes;
}

std::vector<std::string> unpacked(const std::string& bytes) {
  std::vector<std::string> texts;
  for (size_t at = 0; at < bytes.size();) {
    const size_t space = bytes.find(' ', at);
    const size_t length = std::stoul(bytes.substr(at, space - at));
    texts.push_back(bytes.substr(space + 1, length));
    at = space + 1 + length;
  }
  return texts;
}

// The texts of all processes, in the order of the lines.
std::vector<std::string> gathered(const std::vector<std::string>& own, size_t lines,
                                  Reducer& processes) {
  std::vector<std::string> all(lines);
  const auto count = static_cast<size_t>(processes.processes());
  size_t rank = 0;
  for (const std::string& bytes : processes.gather(packed(own))) {
    size_t line = rank++;
    for (std::string& text : unpacked(bytes)) {
      all.at(line) = std::move(text);
      line += count;
    }
  }
  return all;
}

}  // namespace

std::vector<std::string> translate(const NetworkModel& model, const std::vector<SourceLine>& lines,
                                   const SearchConfig& search, const Parallelism& parallelism) {
  TranslatorOptions options;
  options.search = search;
  options.workers = parallelism.workers;
  options.before_batch = [] {
    if (caught_signal() != 0) throw Interrupted();
  };
  std::vector<SourceLine> own;
  for (const size_t i : share_of(lines.size(), parallelism.processes)) own.push_back(lines[i]);
  std::vector<std::string> texts;
  together(parallelism.processes, [&] {
    for (const Translation& translation : Translator(with_engine(model), options).translate(own))
      texts.push_back(translation.text());
  });
  return gathered(texts, lines.size(), parallelism.processes);
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
