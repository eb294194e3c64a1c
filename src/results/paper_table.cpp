#include "results/paper_table.h"

#include <algorithm>
#include <functional>

#include "base/columns.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/replace_all.h"
#include "base/utf8.h"
#include "results/cell_text.h"

namespace heed {

namespace {

// Writes the same column in different formats.
struct Markup {
  const char *none, *plus_minus;
  std::string (*text)(std::string_view);
  std::string (*bold)(const std::string&);
  // Space as wide as these characters, so that numbers are aligned; "" where it has no effect.
  std::string (*space)(const std::string&);
  const char *star, *no_star;  // a star takes no room in LaTeX
  const char* minus;
};

std::string as_it_is(std::string_view text) { return printable(text); }
std::string not_bold(const std::string& text) { return text; }
std::string spaces(const std::string& text) { return std::string(display_width(text), ' '); }

std::string markdown_bold(const std::string& text) { return "**" + text + "**"; }
std::string latex_bold(const std::string& text) { return "\\textbf{" + text + "}"; }
std::string phantom(const std::string& text) {
  return text.empty() ? "" : "\\phantom{" + text + "}";
}
std::string no_space(const std::string&) { return ""; }

constexpr Markup kTerminal{"-", " ± ", as_it_is, not_bold, spaces, "*", " ", "-"};
constexpr Markup kMarkdown{"–", " ± ", markdown_text, markdown_bold, no_space, "\\*", "", "-"};
constexpr Markup kLatex{"--", " $\\pm$ ", latex_text, latex_bold, phantom, "\\rlap{*}", "", "$-$"};

size_t rows_of(const PaperTable& table) {
  const PaperColumn& first = table.columns.front();
  return first.is_number() ? first.numbers.size() : first.texts.size();
}

std::string signed_number(const std::string& value, const Markup& markup) {
  return value.starts_with('-') ? markup.minus + value.substr(1) : value;
}

// Widest parts of the numbers of a column.
struct Widths {
  std::string deviation{}, remark{};
  bool has_star = false;
};

Widths widths_of(const PaperColumn& column) {
  Widths widths;
  for (const PaperNumber& number : column.numbers) {
    if (number.deviation.size() > widths.deviation.size()) widths.deviation = number.deviation;
    if (number.remark.size() > widths.remark.size()) widths.remark = number.remark;
    widths.has_star |= number.is_significant;
  }
  return widths;
}

std::string behind(const PaperNumber& number, const Widths& widths, const Markup& markup) {
  if (widths.deviation.empty()) return "";
  if (number.deviation.empty()) return markup.space(markup.plus_minus + widths.deviation);
  const size_t less = widths.deviation.size() - number.deviation.size();
  return markup.plus_minus + markup.space(std::string(less, '0')) + number.deviation;
}

std::string number_text(const PaperNumber& number, const Widths& widths, const Markup& markup) {
  const char* star = number.is_significant ? markup.star : widths.has_star ? markup.no_star : "";
  if (number.value.empty()) return std::string(markup.none) + star;
  const std::string value = signed_number(number.value, markup);
  std::string text = number.is_best ? markup.bold(value) : value;
  text += behind(number, widths, markup);
  text += star;
  if (!number.remark.empty()) return text + " " + markup.text(number.remark);
  return widths.remark.empty() ? text : text + markup.space(" " + widths.remark);
}

std::vector<std::string> cells_of(const PaperColumn& column, const Markup& markup) {
  std::vector<std::string> cells;
  for (const std::string& text : column.texts)
    cells.push_back(text.empty() ? markup.none : markup.text(text));
  const Widths widths = widths_of(column);
  for (const PaperNumber& number : column.numbers)
    cells.push_back(number_text(number, widths, markup));
  return cells;
}

// The heading of a column in one line.
std::string heading_of(const PaperColumn& column, const Markup& markup) {
  const bool both = !column.group.empty() && !column.title.empty();
  return markup.text(column.group) + (both ? " " : "") + markup.text(column.title);
}

std::vector<TextColumn> text_columns(const PaperTable& table, const Markup& markup) {
  std::vector<TextColumn> columns;
  for (const PaperColumn& column : table.columns) {
    TextColumn& text = columns.emplace_back();
    text.right = column.is_number();
    text.cells = cells_of(column, markup);
    text.cells.insert(text.cells.begin(), heading_of(column, markup));
  }
  return columns;
}

// Number of columns from `first` on that have the same group over them.
size_t group_size(const PaperTable& table, size_t first) {
  size_t size = 1;
  const std::string& group = table.columns[first].group;
  while (!group.empty() && first + size < table.columns.size() &&
         table.columns[first + size].group == group)
    ++size;
  return size;
}

bool has_titles(const PaperTable& table) {
  return std::ranges::any_of(table.columns, [](const PaperColumn& column) {
    return !column.group.empty() && !column.title.empty();
  });
}

// The line of groups, and the rules below it if columns have own titles.
std::string latex_groups(const PaperTable& table) {
  std::vector<std::string> cells;
  std::string rules;
  for (size_t i = 0; i < table.columns.size();) {
    const size_t size = group_size(table, i);
    const std::string group = latex_text(table.columns[i].group);
    cells.push_back(group.empty() ? ""
                                  : fmt::format("\\multicolumn{{{}}}{{c}}{{{}}}", size, group));
    if (!group.empty()) rules += fmt::format("\\cmidrule(lr){{{}-{}}}", i + 1, i + size);
    i += size;
  }
  return fmt::format("{} \\\\\n{}\n", fmt::join(cells, " & "), rules);
}

std::string comment_line(const std::string& text) { return "% " + printable(text) + "\n"; }

}  // namespace

void mark_best(PaperColumn& column, const std::vector<std::optional<double>>& values,
               bool higher_is_better) {
  HEED_CHECK(values.size() == column.numbers.size());
  std::optional<size_t> best;
  size_t usable = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) continue;
    ++usable;
    const bool is_better =
        !best || (higher_is_better ? *values[i] > *values[*best] : *values[i] < *values[*best]);
    if (is_better) best = i;
  }
  if (usable < 2) return;
  for (size_t i = 0; i < values.size(); ++i)
    column.numbers[i].is_best = values[i] && column.numbers[i].value == column.numbers[*best].value;
}

std::string text_table(const PaperTable& table, size_t width, size_t fixed) {
  std::string text = column_blocks(text_columns(table, kTerminal), fixed, width);
  if (!table.notes.empty() || !table.remarks.empty()) text += "\n";
  for (const auto* lines : {&table.notes, &table.remarks}) {
    for (const std::string& line : *lines) text += printable(line) + "\n";
  }
  return text;
}

std::string latex_table(const PaperTable& table) {
  std::string alignment;
  std::vector<std::vector<std::string>> columns;
  std::vector<std::string> titles;
  const bool in_two_lines = has_titles(table);
  for (const PaperColumn& column : table.columns) {
    alignment += column.is_number() ? 'r' : 'l';
    columns.push_back(cells_of(column, kLatex));
    titles.push_back(in_two_lines ? latex_text(column.title) : heading_of(column, kLatex));
    if (column.is_number()) titles.back() = "\\multicolumn{1}{c}{" + titles.back() + "}";
  }
  std::string text = "% needs \\usepackage{booktabs}\n\\begin{tabular}{" + alignment +
                     "}\n\\toprule\n" + (in_two_lines ? latex_groups(table) : "");
  text += fmt::format("{} \\\\\n\\midrule\n", fmt::join(titles, " & "));
  for (size_t row = 0; row < rows_of(table); ++row) {
    std::vector<std::string> cells;
    for (const auto& column : columns) cells.push_back(column[row]);
    text += fmt::format("{} \\\\\n", fmt::join(cells, " & "));
  }
  text += "\\bottomrule\n\\end{tabular}\n";
  for (const auto* lines : {&table.notes, &table.remarks}) {
    for (const std::string& line : *lines) text += comment_line(line);
  }
  return text;
}

std::string markdown_table(const PaperTable& table) {
  std::vector<TextColumn> columns = text_columns(table, kMarkdown);
  std::vector<size_t> widths;
  for (const TextColumn& column : columns) widths.push_back(std::max<size_t>(column.width(), 3));
  std::string text;
  const auto add_line = [&](size_t line) {
    for (size_t i = 0; i < columns.size(); ++i) {
      const std::string& cell = columns[i].cells[line];
      const std::string rest(widths[i] - display_width(cell), ' ');
      text += columns[i].right ? "| " + rest + cell + " " : "| " + cell + rest + " ";
    }
    text += "|\n";
  };
  add_line(0);
  for (size_t i = 0; i < columns.size(); ++i)
    text += "|" + std::string(widths[i] + 1, '-') + (columns[i].right ? ":" : "-");
  text += "|\n";
  for (size_t row = 0; row < rows_of(table); ++row) add_line(row + 1);
  for (const std::string& note : table.notes) text += "\n" + markdown_text(note) + "\n";
  if (table.remarks.empty()) return text;
  text += "\n<!--\n";
  for (const std::string& line : table.remarks)
    text += replace_all(printable(line), "--", "- -") + "\n";
  return text + "-->\n";
}

}  // namespace heed
