// The text of a file by its lines: whole lines, a column of a table of tab-separated values (TSV), or a value of JSON objects,
// one a line (JSON lines). Nothing above a view knows of the form: line N of the file is text N.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

struct TextView {
  enum class Form { kLines, kTsv, kJsonLines };
  Form form = Form::kLines;
  // kTsv: the number of the column, from 1, or its name in the first line. kJsonLines: the key; a dot
  // leads into an object: `translation.en`, where no key has this name itself.
  std::string key{};

  bool operator==(const TextView&) const = default;
  // Whether the first line names the columns.
  bool has_header() const;
  // Stable text for keys of caches; "" for whole lines.
  std::string identity() const;
};

// What was found in a line besides its text.
struct LineNotes {
  std::string fault{};     // why the line has no text: "1 column, expected column 2"; "": it has
  bool joined = false;     // line breaks inside of the text became spaces
  bool malformed = false;  // the fault is malformed UTF-8, which is no JSON
};

// The view of the lines of one file.
class LineView {
 public:
  LineView() = default;  // whole lines
  // header: the first line of this file, where the view has one. Throws Error(kData) that lists the
  // columns if there is none of this name.
  LineView(const TextView& view, std::string_view header, const std::filesystem::path& file);

  // Leaves the text alone in the line; nothing where there is a fault.
  LineNotes show(std::string& line) const;

 private:
  TextView view_;
  size_t column_ = 0;  // kTsv, from 0
};

// A file and the view of its lines.
struct TextFile {
  std::filesystem::path path;
  TextView view{};
  // "train.tsv (2)", "train.en"
  std::string name() const;
};

// Files one after the other, all with this view.
struct TextFiles {
  std::vector<std::filesystem::path> paths{};
  TextView view{};
  bool empty() const { return paths.empty(); }
  bool operator==(const TextFiles&) const = default;
};

// The cells of a row. No character is special but the tab: quotes belong to the text.
std::vector<std::string_view> split_row(std::string_view line);

}  // namespace heed
