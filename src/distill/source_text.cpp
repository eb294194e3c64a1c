#include "distill/source_text.h"

#include "base/file.h"
#include "base/log.h"
#include "base/utf8.h"
#include "data/evaluation_set.h"
#include "data/text_reader.h"

namespace heed {

namespace {

class SourceTextWriter {
 public:
  explicit SourceTextWriter(const TextAndReference& files)
      : source_(files.source), reference_(files.reference) {}

  void add(const std::string& source, const std::string& reference) {
    if (trimmed(source, " \t").empty()) {
      ++left_out_;
      return;
    }
    source_.write(source + "\n");
    reference_.write(reference + "\n");
    ++lines_;
  }

  // Two files side by side.
  void add_pairs(const TextFile& source, const TextFile& reference) {
    TextReader sources(source), references(reference);
    std::string line, other;
    for (;;) {
      const bool more = sources.next(line);
      if (more != references.next(other))
        throw_error(ErrorKind::kData,
                    "{}: has {} lines than {}; line N of one must belong to line N of the other",
                    source.name(), more ? "more" : "fewer", reference.name());
      if (!more) return;
      add(is_utf8(line) ? line : "", is_utf8(other) ? other : "");
    }
  }

  void add_text(const TextFile& text) {
    TextReader reader(text);
    for (std::string line; reader.next(line);) add(is_utf8(line) ? line : "", "");
  }

  int64_t commit() {
    if (lines_ == 0)
      throw Error(ErrorKind::kData, "data.train and distill.text: no line has source text");
    if (left_out_ > 0)
      spdlog::warn("{} lines have no source text, or malformed UTF-8, and are left out",
                   format_count(left_out_));
    commit_all({&source_, &reference_});
    return lines_;
  }

 private:
  AtomicFile source_, reference_;
  int64_t lines_ = 0, left_out_ = 0;
};

}  // namespace

int64_t write_source_text(const SourceParts& parts, const TextAndReference& files) {
  SourceTextWriter writer(files);
  for (const CorpusFiles& corpus : parts.corpora) {
    const TextFiles &source = corpus.sides.front(), &target = corpus.sides.back();
    for (size_t i = 0; i < source.paths.size(); ++i)
      writer.add_pairs({source.paths[i], source.view}, {target.paths[i], target.view});
  }
  for (const fs::path& source : parts.sources) writer.add_text({.path = source});
  for (const auto& [source, target] : parts.translated_back)
    writer.add_pairs({.path = source}, {.path = target});
  return writer.commit();
}

void write_test_set(const CorpusFiles& set, const TextAndReference& files) {
  const std::vector<std::vector<std::string>> sides = read_sides(set);
  const auto text_of = [](const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
  };
  write_file(files.source, text_of(sides.front()));
  write_file(files.reference, text_of(sides.back()));
}

}  // namespace heed
