#include "data/column_reader.h"

#include "base/compression/compressed_name.h"
#include "base/error.h"
#include "base/folder.h"
#include "data/tmx_source.h"

namespace heed {

namespace {

LineView view_of(const TextFile& file, LineReader& lines) {
  std::string header;
  if (file.view.has_header()) lines.next(header);
  return {file.view, header, file.path};
}

TextFile text_alone(const std::string& argument) {
  const size_t colon = argument.rfind(':');
  if (colon == std::string::npos || colon + 1 == argument.size() || is_there(argument))
    return {argument};
  const std::string path = argument.substr(0, colon), key = argument.substr(colon + 1);
  const std::string ending = without_compression(path).extension().string();
  if (ending == ".tsv") return {path, {TextView::Form::kTsv, key}};
  if (ending == ".jsonl") return {path, {TextView::Form::kJsonLines, key}};
  if (ending == ".tmx") return {path, {TextView::Form::kTmx, key}};
  return {argument};
}

}  // namespace

TextFile text_of_argument(const std::string& argument, const std::vector<std::string>& beside) {
  TextFile file = text_alone(argument);
  for (const std::string& other : beside) {
    TextFile further = text_alone(other);
    if (further.path == file.path) share_header({&file.view, &further.view});
    if (file.view.has_header()) break;
  }
  return file;
}

ColumnReader::ColumnReader(const std::string& argument, const std::vector<std::string>& beside)
    : file_(text_of_argument(argument, beside)),
      lines_(open_lines(file_)),
      view_(view_of(file_, lines_)) {}

bool ColumnReader::next(std::string& line) {
  if (!lines_.next(line)) return false;
  const LineNotes notes = view_.show(line);
  if (!notes.fault.empty())
    throw_error(ErrorKind::kData, "{}: {}; correct the line",
                file_.view.place(file_.path, lines_.line_number()), notes.fault);
  return true;
}

}  // namespace heed
