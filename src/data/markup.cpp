#include "data/markup.h"

#include "base/descriptor.h"
#include "base/error.h"
#include "base/shell.h"

namespace heed {

namespace {

// {0}: the file, {1}: a new one.
constexpr const char* kTmx =
    R"~(python3 -c "import sys, xml.etree.ElementTree as T; )~"
    R"~([(print(*[' '.join(''.join(s.itertext()).split()) for s in u.iter('seg')], sep='\t'), )~"
    R"~(u.clear()) for _, u in T.iterparse(sys.argv[1]) if u.tag == 'tu']" {0} > {1}.tsv)~";
constexpr const char* kXml =
    R"(python3 -c "import sys, xml.etree.ElementTree as T; [print(' '.join(e.text.split())) for _, e )"
    R"(in T.iterparse(sys.argv[1]) if e.text and e.text.strip()]" {0} > {1}.txt)";
constexpr const char* kJson =
    R"(python3 -c "import json, sys; [print(json.dumps(x, ensure_ascii=False)) for x in )"
    R"(json.load(open(sys.argv[1]))]" {0} > {1}.jsonl)";

[[noreturn]] void refuse(const fs::path& path, const char* found, const char* command) {
  const std::string base = fs::path(path).replace_extension().string();
  throw_error(ErrorKind::kData, "{}: {}; convert it: {}", input_name(path), found,
              fmt::format(fmt::runtime(command), shell_word(path.string()), shell_word(base)));
}

std::string without_space(const std::string& line) {
  return line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
}

bool is_xml(const std::string& line) {
  for (const char* start : {"<?xml", "<tmx", "<!DOCTYPE", "<!doctype"}) {
    if (line.starts_with(start)) return true;
  }
  return false;
}

bool is_tmx(std::string line, LineReader& reader) {
  constexpr int kLines = 50;
  for (int i = 0; i < kLines; ++i) {
    if (line.find("<tmx") != std::string::npos) return true;
    if (!reader.next(line)) return false;
  }
  return false;
}

}  // namespace

void refuse_markup(const TextFile& file, const std::string& first_line, LineReader& reader) {
  const std::string line = without_space(first_line);
  if (is_xml(line)) {
    if (is_tmx(line, reader))
      refuse(file.path, "a translation memory (TMX), expected a sentence a line or a table", kTmx);
    refuse(file.path, "XML, expected a sentence a line; this writes each element's text as a line",
           kXml);
  }
  if (file.view.form == TextView::Form::kJsonLines && line.starts_with('['))
    refuse(file.path, "a JSON list, expected one JSON object a line", kJson);
}

}  // namespace heed
