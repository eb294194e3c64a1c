#include <cmath>
#include <functional>

#include "base/error.h"
#include "base/log.h"
#include "results/run_score.h"
#include "results/run_table.h"

namespace heed {

namespace {

PaperColumn text_column(const RunTable& table, const std::string& title,
                        const std::function<std::string(const RunGroup&)>& text) {
  PaperColumn column{.title = title};
  for (const RunGroup& row : table.rows) column.texts.push_back(text(row));
  return column;
}

PaperColumn number_column(const RunTable& table, const std::string& title,
                          const std::function<std::string(const RunGroup&)>& text) {
  PaperColumn column{.title = title};
  for (const RunGroup& row : table.rows) {
    const std::string value = text(row);
    column.numbers.push_back({.value = value == kNoValue ? "" : value});
  }
  return column;
}

// Makes columns of scores of one metric.
struct PaperScores {
  const RunTable& table;
  const std::optional<int>& decimals;
  bool bold;

  PaperColumn column(const std::string& title, const std::string& metric,
                     const std::function<std::optional<Spread>(const RunGroup&)>& score) const {
    const int digits = decimals.value_or(paper_decimals_of(metric));
    PaperColumn column{.title = title};
    std::vector<std::optional<double>> values;
    for (const RunGroup& row : table.rows) {
      const auto spread = score(row);
      values.push_back(spread ? std::optional(spread->mean) : std::nullopt);
      PaperNumber& number = column.numbers.emplace_back();
      if (spread) number.value = fmt::format("{:.{}f}", spread->mean, digits);
      if (spread && spread->deviation)
        number.deviation = fmt::format("{:.{}f}", *spread->deviation, digits);
    }
    if (bold) mark_best(column, values, higher_is_better(metric));
    return column;
  }
};

}  // namespace

PaperTable paper_table(const RunTable& table, const std::optional<int>& decimals, bool bold) {
  PaperTable paper;
  const auto add = [&paper](PaperColumn column) { paper.columns.push_back(std::move(column)); };
  const PaperScores scores{table, decimals, bold};
  add(text_column(table, "run", [](const RunGroup& row) { return row.name; }));
  if (table.grouped)
    add(number_column(table, "runs",
                      [](const RunGroup& row) { return format_count(std::ssize(row.runs)); }));
  add(text_column(table, "state", state_of));
  add(number_column(table, "updates",
                    [](const RunGroup& row) { return count_text(number_of(row, updates_of)); }));
  add(number_column(table, "time", time_text));
  if (const std::string metric = common_metric(table); metric.empty()) {
    add(text_column(table, "best", [](const RunGroup& row) {
      return best_of(row) ? metric_of(row) + " " + score_text(best_of(row), metric_of(row)) : "";
    }));
  } else {
    add(scores.column("best " + metric, metric, best_of));
  }
  add(number_column(table, "at update", [](const RunGroup& row) {
    return count_text(number_of(row, best_update_of));
  }));
  for (const TestName& test : test_names(table))
    add(scores.column(test.set + " " + test.metric, test.metric,
                      [&](const RunGroup& row) { return test_of(row, test); }));
  const auto keys = differing_settings(table);
  const auto names = short_keys(keys);
  for (size_t i = 0; i < keys.size(); ++i)
    add(text_column(table, names[i],
                    [&](const RunGroup& row) { return setting_text(row, keys[i]); }));
  return paper;
}

}  // namespace heed
