#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/log.h"
#include "metric/registry.h"
#include "results/pivot_table.h"
#include "results/run_columns.h"

namespace heed {

namespace {

using Record = std::vector<std::string>;

// Figures of the rows in a column, one of each row.
using InRows = std::vector<const PivotFigures*>;

InRows in_rows(const PivotTable& table, size_t column) {
  InRows all;
  for (const auto& row : table.figures) all.push_back(&row[column]);
  return all;
}

// "BLEU" of "bleu". The accuracy of a validation is not the metric of this name.
std::string printed_metric(const RunScore& score) {
  const auto known = single_metric_names();
  const bool is_of_tokens = score.set.empty() && score.metric == "accuracy";
  const bool is_known = std::ranges::count(known, score.metric) > 0;
  return is_known && !is_of_tokens ? make_metric(score.metric)->name() : score.metric;
}

std::string title_of(const RunScore& score) {
  const std::string metric = printed_metric(score);
  if (!score.set.empty()) return score.set + " " + metric;
  return (score.name == "best" ? "best " : "validation ") + metric;
}

const char* word_of(CellNumber number) {
  switch (number) {
    case CellNumber::kMin:
      return "min";
    case CellNumber::kMax:
      return "max";
    case CellNumber::kRuns:
      return "runs";
    case CellNumber::kParameters:
      return "parameters";
    case CellNumber::kSeconds:
      return "time";
    case CellNumber::kMean:
      break;
  }
  return "mean";
}

bool is_score(CellNumber number) {
  return number == CellNumber::kMean || number == CellNumber::kMin || number == CellNumber::kMax;
}

std::string count_in_words(double count, const PivotStyle& style) {
  constexpr double kThousand = 1e3, kMillion = 1e6;
  if (!style.for_paper || count < kThousand) return format_count(std::llround(count));
  if (count < kMillion) return fmt::format("{:.0f}k", count / kThousand);
  return fmt::format("{:.1f}M", count / kMillion);
}

PaperNumber plain_number(const PivotFigures& figures, CellNumber number, const PivotStyle& style) {
  if (number == CellNumber::kRuns)
    return {.value = figures.runs.empty() ? "" : format_count(std::ssize(figures.runs))};
  const auto& mean = number == CellNumber::kSeconds ? figures.seconds : figures.parameters;
  if (!mean) return {};
  return {.value = number == CellNumber::kSeconds ? format_duration(mean->mean)
                                                  : count_in_words(mean->mean, style)};
}

// Makes the columns of a table.
class TableColumns {
 public:
  TableColumns(const PivotTable& table, const PivotStyle& style) : table_(table), style_(style) {}

  std::vector<PaperColumn> all() const {
    std::vector<PaperColumn> columns = headings();
    for (size_t c = 0; c < table_.pivot.columns.size(); ++c) {
      for (const CellNumber number : style_.shown) {
        if (!is_score(number)) columns.push_back(plain(c, number));
      }
      for (size_t s = 0; s < table_.scores.size(); ++s) {
        for (const CellNumber number : style_.shown) {
          if (is_score(number)) columns.push_back(score(c, s, number));
        }
      }
    }
    return columns;
  }

 private:
  std::vector<PaperColumn> headings() const {
    const Pivot& pivot = table_.pivot;
    const auto names = pivot.request.by.empty() ? Record{"run"} : short_keys(pivot.request.by);
    std::vector<PaperColumn> columns;
    for (size_t i = 0; i < names.size(); ++i) {
      PaperColumn& column = columns.emplace_back();
      column.title = names[i];
      for (const PivotRow& row : pivot.rows) column.texts.push_back(row.labels[i]);
    }
    return columns;
  }

  // A score of a column with a heading is named only if there are several.
  std::string title(const PivotColumn& column, size_t score, CellNumber number) const {
    const bool is_mean = number == CellNumber::kMean;
    std::string name =
        column.value.empty() || table_.scores.size() > 1 ? title_of(table_.scores[score]) : "";
    if (column.is_average && column.value.empty()) name = "average " + name;
    if (!is_mean) return name + (name.empty() ? "" : " ") + word_of(number);
    return name.empty() && style_.shown.size() > 1 ? word_of(number) : name;
  }

  PaperColumn plain(size_t c, CellNumber number) const {
    PaperColumn column{.group = table_.pivot.columns[c].value, .title = word_of(number)};
    for (const PivotFigures* figures : in_rows(table_, c))
      column.numbers.push_back(plain_number(*figures, number, style_));
    return column;
  }

  PaperColumn score(size_t c, size_t s, CellNumber number) const {
    const PivotColumn& pivot_column = table_.pivot.columns[c];
    PaperColumn column{.group = pivot_column.value, .title = title(pivot_column, s, number)};
    std::vector<std::optional<double>> values;
    for (const PivotFigures* figures : in_rows(table_, c)) {
      column.numbers.push_back(score_number(*figures, pivot_column, s, number));
      // An average over fewer values cannot be compared.
      const CellScores& figure = figures->scores[s];
      const bool is_whole = figure.score && !is_partial(table_.pivot, pivot_column, figure);
      values.push_back(is_whole ? std::optional(figure.score->mean) : std::nullopt);
    }
    if (style_.bold && number == CellNumber::kMean)
      mark_best(column, values, higher_is_better(table_.scores[s].metric));
    return column;
  }

  PaperNumber score_number(const PivotFigures& figures, const PivotColumn& column, size_t s,
                           CellNumber number) const {
    const CellScores& figure = figures.scores[s];
    if (!figure.score) return {};
    if (number == CellNumber::kMin) return {.value = text(figure.lowest, s)};
    if (number == CellNumber::kMax) return {.value = text(figure.highest, s)};
    PaperNumber result{.value = text(figure.score->mean, s),
                       .deviation = text(figure.score->deviation, s)};
    if (is_partial(table_.pivot, column, figure))
      result.remark = fmt::format("({} of {})", figure.values, table_.pivot.averaged.size());
    result.is_significant = figures.tests[s].p.value_or(1) < kSignificant;
    return result;
  }

  std::string text(const std::optional<double>& value, size_t score) const {
    const std::string& metric = table_.scores[score].metric;
    const int decimals = style_.decimals.value_or(style_.for_paper ? paper_decimals_of(metric)
                                                                   : decimals_of(metric));
    return value ? fmt::format("{:.{}f}", *value, decimals) : "";
  }

  const PivotTable& table_;
  const PivotStyle& style_;
};

bool has_deviations(const PivotTable& table) {
  for (const auto& row : table.figures) {
    for (const PivotFigures& figures : row) {
      for (const CellScores& figure : figures.scores)
        if (figure.score && figure.score->deviation) return true;
    }
  }
  return false;
}

size_t tests_in(const PivotTable& table) {
  size_t count = 0;
  for (const auto& row : table.figures) {
    for (const PivotFigures& figures : row)
      count += static_cast<size_t>(
          std::ranges::count_if(figures.tests, [](const TestResult& one) { return !!one.p; }));
  }
  return count;
}

Record notes_of(const PivotTable& table, const PivotStyle& style) {
  Record names, notes;
  for (const RunScore& score : table.scores) names.push_back(score.name);
  const bool has_mean = std::ranges::count(style.shown, CellNumber::kMean) > 0;
  notes.push_back(fmt::format("{}{}", fmt::join(names, ", "),
                              has_mean && has_deviations(table)
                                  ? ": mean ± standard deviation over the seeds (n - 1)"
                                  : ""));
  if (const size_t tests = tests_in(table); tests > 0)
    notes.push_back(fmt::format("* p < {} against {}: {}; {} tests, not corrected for their number",
                                kSignificant, table.pivot.rows[table.baseline->row].name(),
                                describe(table.baseline->test), tests));
  return notes;
}

// The runs that are merged in each row.
Record remarks_of(const Pivot& pivot) {
  if (pivot.request.by.empty()) return {};
  Record lines;
  for (const PivotRow& row : pivot.rows) {
    Record names;
    for (const RunSummary& run : row.runs()) names.push_back(run.name);
    lines.push_back(fmt::format("{}: {}", row.name(), common_name(names)));
  }
  return lines;
}

}  // namespace

size_t row_headings(const Pivot& pivot) { return std::max<size_t>(1, pivot.request.by.size()); }

PaperTable paper_table(const PivotTable& table, const PivotStyle& style) {
  return {.columns = TableColumns(table, style).all(),
          .notes = notes_of(table, style),
          .remarks = remarks_of(table.pivot)};
}

}  // namespace heed
