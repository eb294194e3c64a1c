#include "report/compared_systems.h"

#include <algorithm>

#include "base/error.h"
#include "metric/longest_common.h"
#include "metric/ngrams.h"
#include "metric/words.h"
#include "report/comparison_page.h"
#include "text/word_unit.h"

namespace heed {

namespace {

PageTable table_of(const Comparison& comparison, int64_t digits) {
  PageTable table{comparison.name + "|" + comparison.signature,
                  {{"system", comparison.name, "95 % interval", "p"}}};
  for (const ComparedSystem& system : comparison.systems) {
    table.rows.push_back({system.name, fmt::format("{:.{}f}", system.score, digits),
                          format_interval(system.confidence, digits),
                          system.p ? fmt::format("{:.4f}", *system.p) : "baseline"});
  }
  return table;
}

BarChart chart_of(const Breakdown& parts) {
  return {
      parts.title,
      fmt::format("{} ({}); second row: {}", parts.group_title, parts.signature, parts.size_title),
      parts.groups, parts.sizes, parts.scores};
}

// Words between spaces, or characters for text without spaces between words.
std::vector<std::string> shown_words(const std::string& text, WordUnit unit) {
  if (unit == WordUnit::kCharacters) return split_words(text, unit);
  const std::vector<std::string_view> words = words_of(text);
  return {words.begin(), words.end()};
}

// The words of a text. Words outside the longest common subsequence with the reference are marked
// as different.
std::vector<ShownWord> marked(const std::string& text, const std::string& reference) {
  const WordUnit unit = unit_of(WordUnit::kByLine, reference);
  const std::vector<std::string> words = shown_words(text, unit),
                                 wanted = shown_words(reference, unit);
  WordIds ids;
  const auto own = ids.of({words.begin(), words.end()}),
             right = ids.of({wanted.begin(), wanted.end()});
  std::vector<ShownWord> shown;
  size_t end = 0;  // end of the previous word
  for (const std::string& word : words) {
    const size_t begin = text.find(word, end);
    shown.push_back({.text = word, .differs = true, .spaced = begin > end});
    end = begin + word.size();
  }
  for (const size_t position : longest_common_positions(own, right))
    shown[position].differs = false;
  return shown;
}

struct Difference {
  size_t line = 0;
  double baseline = 0, system = 0;
  double gain = 0;  // above 0: the system is better
};

// The score of each line.
std::vector<double> line_scores(const ComparedTexts& texts, size_t system, const Metric& metric) {
  std::vector<double> scores;
  for (size_t i = 0; i < texts.systems[system].size(); ++i) {
    LineReferences references;
    for (const Lines& lines : texts.references) references.emplace_back(lines[i]);
    scores.push_back(metric.score_line(texts.systems[system][i], references).value);
  }
  return scores;
}

// Lines by the gain of the system over the baseline, the largest gain first.
std::vector<Difference> differences(const std::vector<double>& baseline,
                                    const std::vector<double>& system, bool higher_is_better) {
  std::vector<Difference> list;
  for (size_t i = 0; i < system.size(); ++i)
    list.push_back(
        {i, baseline[i], system[i], (system[i] - baseline[i]) * (higher_is_better ? 1 : -1)});
  std::ranges::stable_sort(list, std::greater(), &Difference::gain);
  return list;
}

ExampleLine example_of(const Difference& difference, const ComparedTexts& texts, size_t system,
                       const PageOptions& options) {
  const size_t i = difference.line;
  const std::string& reference = texts.references.front()[i];
  ExampleLine line{.number = i + 1, .source = options.source ? (*options.source)[i] : ""};
  line.names = {texts.names.front(), texts.names[system], "reference"};
  line.texts = {marked(texts.systems.front()[i], reference),
                marked(texts.systems[system][i], reference), marked(reference, reference)};
  for (const double score : {difference.baseline, difference.system})
    line.scores.push_back(fmt::format("{:.{}f}", score, options.digits));
  return line;
}

// The lines in which the system is better, and the lines in which it is worse.
std::vector<ExampleList> examples_of(const ComparedTexts& texts, size_t system,
                                     const std::vector<double>& baseline, const Metric& metric,
                                     const PageOptions& options) {
  const std::vector<Difference> all =
      differences(baseline, line_scores(texts, system, metric), metric.higher_is_better());
  ExampleList better{fmt::format("{} is better than {} by {}", texts.names[system],
                                 texts.names.front(), metric.name()),
                     {}},
      worse{fmt::format("{} is worse than {} by {}", texts.names[system], texts.names.front(),
                        metric.name()),
            {}};
  const auto count = std::min(static_cast<size_t>(options.examples), all.size());
  for (size_t i = 0; i < count; ++i) {
    const Difference &first = all[i], &last = all[all.size() - 1 - i];
    if (first.gain > 0) better.lines.push_back(example_of(first, texts, system, options));
    if (last.gain < 0) worse.lines.push_back(example_of(last, texts, system, options));
  }
  return {better, worse};
}

}  // namespace

std::string comparison_page(const ComparedTexts& texts, const std::vector<Comparison>& comparisons,
                            const std::optional<Breakdown>& by_frequency, const Metric& metric,
                            const PageOptions& options) {
  ComparisonPage page{.title = "Comparison with " + texts.names.front(), .systems = texts.names};
  for (const Comparison& comparison : comparisons) {
    page.tables.push_back(table_of(comparison, options.digits));
    if (comparison.by_length) page.charts.push_back(chart_of(*comparison.by_length));
  }
  if (by_frequency) page.charts.push_back(chart_of(*by_frequency));
  const std::vector<double> baseline = line_scores(texts, 0, metric);
  for (size_t system = 1; system < texts.systems.size(); ++system) {
    for (ExampleList& list : examples_of(texts, system, baseline, metric, options))
      page.examples.push_back(std::move(list));
  }
  return html_comparison(page);
}

}  // namespace heed
