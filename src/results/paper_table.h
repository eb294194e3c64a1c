// A table for a paper: texts, and numbers with deviations, as a terminal, LaTeX and Markdown show it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace heed {

// A number as it is printed.
struct PaperNumber {
  std::string value{};      // "38.9"; "": there is none
  std::string deviation{};  // "0.3"; "": there is none
  std::string remark{};     // behind it: "(7 of 8)"
  bool is_best = false, is_significant = false;
};

// A column of texts or of numbers.
struct PaperColumn {
  std::string group{};  // heading over this and the next columns with the same group
  std::string title{};
  std::vector<std::string> texts{};
  std::vector<PaperNumber> numbers{};
  bool is_number() const { return texts.empty(); }
};

struct PaperTable {
  std::vector<PaperColumn> columns{};
  std::vector<std::string> notes{};  // for readers of the table, below it
  std::vector<std::string>
      remarks{};  // for its author: below it, in LaTeX and Markdown as comments
};

// Marks the best number of a column, and all that are printed alike. values: the candidates.
void mark_best(PaperColumn& column, const std::vector<std::optional<double>>& values,
               bool higher_is_better);

// For a terminal of this width. Columns that do not fit follow in a further block, which repeats the
// first `fixed` columns.
std::string text_table(const PaperTable& table, size_t width, size_t fixed);
// A tabular with the rules of booktabs. Needs no other package.
std::string latex_table(const PaperTable& table);
// A table of GitHub and pandoc.
std::string markdown_table(const PaperTable& table);

}  // namespace heed
