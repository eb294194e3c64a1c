// A page that compares systems: tables of scores, scores of parts of the text as bars, and the lines
// that differ most. It refers to no other files.
#pragma once

#include <string>
#include <vector>

namespace heed {

struct PageTable {
  std::string caption;
  // The first row is the head; the first column is aligned to the left, the others to the right.
  std::vector<std::vector<std::string>> rows;
};

// Bars side by side, one for each system in each group, from 0.
struct BarChart {
  std::string title, group_title;  // "BLEU", "words of the reference"
  std::vector<std::string> groups;
  std::vector<int64_t> sizes;               // of each group, written below its name
  std::vector<std::vector<double>> values;  // [group][system]
};

struct ShownWord {
  std::string text;
  bool differs = false;  // from the reference
  bool spaced = true;    // a space stands before it, unless it is the first
};

struct ExampleLine {
  size_t number = 0;                 // from 1
  std::string source{};              // empty: not shown
  std::vector<std::string> names{};  // of the texts: systems, and the reference last
  std::vector<std::vector<ShownWord>> texts{};
  std::vector<std::string> scores{};  // of the systems
};

struct ExampleList {
  std::string title;
  std::vector<ExampleLine> lines{};
};

struct ComparisonPage {
  std::string title;
  std::vector<std::string> systems{};  // the baseline first
  std::vector<PageTable> tables{};
  std::vector<BarChart> charts{};
  std::vector<ExampleList> examples{};
};

std::string html_comparison(const ComparisonPage& page);

}  // namespace heed
