#include "cli/translate/constraint_reader.h"

#include "base/error.h"
#include "cli/translate/options.h"

namespace heed {

namespace {

std::vector<std::string> split_at_tabs(const std::string& line) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find('\t', begin), line.size());
    parts.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace

ConstraintReader::ConstraintReader(const ConstraintFiles& files) {
  open("--prefix", files.prefix,
       [](std::string line, LexicalConstraints& all) { all.prefix = std::move(line); });
  open("--constraints", files.phrases,
       [](std::string line, LexicalConstraints& all) { all.phrases = split_at_tabs(line); });
  open("--avoid", files.avoided,
       [](std::string line, LexicalConstraints& all) { all.avoided = split_at_tabs(line); });
}

void ConstraintReader::open(const char* option, const std::optional<std::string>& path,
                            void (*take)(std::string line, LexicalConstraints& constraints)) {
  if (path) files_.push_back({option, *path, std::make_unique<LineReader>(*path), take});
}

LexicalConstraints ConstraintReader::next() {
  LexicalConstraints constraints;
  for (File& file : files_) {
    std::string line;
    if (!file.reader->next(line))
      throw_error(ErrorKind::kData, "{}: has {} lines, expected one for each source line",
                  file.path, file.reader->line_number());
    file.take(std::move(line), constraints);
  }
  return constraints;
}

void ConstraintReader::expect_end() {
  for (File& file : files_) {
    const int64_t lines = file.reader->line_number();
    std::string line;
    if (file.reader->next(line))
      throw_error(ErrorKind::kData, "{}: has more lines than the source, expected {}", file.path,
                  lines);
  }
}

std::vector<LineFile> ConstraintReader::files() const {
  std::vector<LineFile> files;
  for (const File& file : files_) files.push_back({file.option, file.path, file.reader.get()});
  return files;
}

std::vector<NamedFile> named_files(const ConstraintFiles& files) {
  std::vector<NamedFile> named;
  if (files.prefix) named.push_back({"--prefix", *files.prefix});
  if (files.phrases) named.push_back({"--constraints", *files.phrases});
  if (files.avoided) named.push_back({"--avoid", *files.avoided});
  return named;
}

}  // namespace heed
