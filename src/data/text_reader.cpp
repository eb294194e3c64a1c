#include "data/text_reader.h"

#include "data/markup.h"
#include "data/tmx_source.h"

namespace heed {

namespace {

LineView view_of(const TextFile& file, LineReader& reader) {
  std::string header;
  if (file.view.has_header() && reader.next(header)) refuse_markup(file, header, reader);
  return {file.view, header, file.path};
}

}  // namespace

TextReader::TextReader(const TextFile& file, const fs::path& unpacked)
    : file_(file),
      reader_(unpacked.empty() ? open_lines(file) : LineReader(unpacked)),
      view_(view_of(file, reader_)) {}

bool TextReader::next(std::string& line) {
  if (!reader_.next(line)) return false;
  if (reader_.line_number() == 1) refuse_markup(file_, line, reader_);
  notes_ = view_.show(line);
  return true;
}

std::string TextReader::place() const {
  return file_.view.place(file_.path, reader_.line_number());
}

}  // namespace heed
