#include "data/column_reader.h"

#include "base/descriptor.h"
#include "base/error.h"
#include "base/folder.h"

namespace heed {

namespace {

bool ends_in(std::string_view path, std::string_view ending) {
  if (path.ends_with(".gz")) path.remove_suffix(3);
  return path.ends_with(ending);
}

LineView view_of(const TextFile& file, LineReader& lines) {
  std::string header;
  if (file.view.has_header()) lines.next(header);
  return {file.view, header, file.path};
}

}  // namespace

TextFile text_of_argument(const std::string& argument) {
  const size_t colon = argument.rfind(':');
  if (colon == std::string::npos || colon + 1 == argument.size() || is_there(argument))
    return {argument};
  const std::string path = argument.substr(0, colon), key = argument.substr(colon + 1);
  if (ends_in(path, ".tsv")) return {path, {TextView::Form::kTsv, key}};
  if (ends_in(path, ".jsonl")) return {path, {TextView::Form::kJsonLines, key}};
  return {argument};
}

ColumnReader::ColumnReader(const std::string& argument)
    : file_(text_of_argument(argument)), lines_(file_.path), view_(view_of(file_, lines_)) {}

bool ColumnReader::next(std::string& line) {
  if (!lines_.next(line)) return false;
  const LineNotes notes = view_.show(line);
  if (!notes.fault.empty())
    throw_error(ErrorKind::kData, "{}:{}: {}; correct the line", input_name(file_.path),
                lines_.line_number(), notes.fault);
  return true;
}

}  // namespace heed
