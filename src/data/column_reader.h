// A text that a command line names: the lines of a file, or columns of a table.
//
//   test.en   test.tsv:3   test.tsv.gz:1+2   data.jsonl:translation.en   memory.tmx:en
//
// The ending .tsv, .jsonl or .tmx before the colon makes it a column or key, unless a file has the whole
// name.
#pragma once

#include <string>
#include <vector>

#include "base/file.h"
#include "data/text_view.h"

namespace heed {

// beside: further texts of the command. Where one of them names a column of the same table, the first
// line is names for this one, too.
TextFile text_of_argument(const std::string& argument, const std::vector<std::string>& beside = {});

class ColumnReader {
 public:
  // "-": standard input. Reads the first line of a table whose columns have names. Throws as
  // LineReader and LineView do.
  explicit ColumnReader(const std::string& argument, const std::vector<std::string>& beside = {});
  // False at the end. Throws Error(kData) for a row without the column.
  bool next(std::string& line);
  const fs::path& path() const { return file_.path; }
  bool is_column() const { return file_.view.form != TextView::Form::kLines; }
  LineReader& lines() { return lines_; }

 private:
  TextFile file_;
  LineReader lines_;
  LineView view_;
};

}  // namespace heed
