// Rows of tables and JSON lines: a line has a text without line breaks, or a fault and no text.
#include "data/text_view.h"
#include "base/line_separators.h"
#include "fuzz/fuzzing.h"

namespace heed {

namespace {

void try_view(const TextView& view, std::string line) {
  const LineView shown(view, "a\tb", "file");
  const LineNotes notes = shown.show(line);
  HEED_CHECK(notes.fault.empty() || line.empty());
  if (view.form == TextView::Form::kJsonLines || view.form == TextView::Form::kTmx)
    HEED_CHECK(!has_line_separator(line));
}

}  // namespace

void try_input(std::string_view bytes) {
  using Form = TextView::Form;
  while (!bytes.empty()) {
    const std::string line(take_until(bytes, '\n'));
    for (const TextView& view :
         {TextView{Form::kTsv, "b"}, TextView{Form::kTsv, "3"}, TextView{Form::kJsonLines, "a.b"},
          TextView{Form::kTmx, "a"}, TextView{}})
      try_view(view, line);
  }
}

}  // namespace heed
