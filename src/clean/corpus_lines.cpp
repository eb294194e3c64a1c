#include "clean/corpus_lines.h"

#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "data/side_text.h"
#include "data/tmx_source.h"

namespace heed {

namespace {

SideText open_side(const TextFile& file) { return SideText(std::vector<fs::path>{file.path}); }

}  // namespace

// The rows of a table, with their views of both sides.
class RowReader {
 public:
  explicit RowReader(const ChosenCorpus& corpus) : reader_(open_lines(corpus.source)) {
    const bool has_header = corpus.source.view.has_header() || corpus.target.view.has_header();
    if (has_header) reader_.next(header_);
    views_ = {LineView(corpus.source.view, header_, corpus.source.path),
              LineView(corpus.target.view, header_, corpus.target.path)};
  }

  bool next(RawPair& pair) {
    if (!reader_.next(pair.row)) return false;
    pair.fault.clear();
    pair.malformed = false;
    for (size_t side = 0; side < views_.size(); ++side) {
      pair.sides[side] = pair.row;
      const LineNotes notes = views_[side].show(pair.sides[side]);
      if (pair.fault.empty()) pair.fault = notes.fault;
      pair.malformed |= notes.malformed;
    }
    return true;
  }
  const std::string& header() const { return header_; }
  int64_t line_number() const { return reader_.line_number(); }

 private:
  LineReader reader_;
  std::string header_{};
  std::array<LineView, 2> views_{};
};

// Line N of both files.
class SidesReader {
 public:
  explicit SidesReader(const std::array<SideText, 2>& sides)
      : readers_{SideText::Reader(sides[0]), SideText::Reader(sides[1])} {}

  bool next(RawPair& pair) {
    uint64_t offset = 0;
    for (size_t side = 0; side < readers_.size(); ++side) {
      if (!readers_[side].next(pair.sides[side], offset)) return false;
    }
    ++number_;
    return true;
  }
  int64_t line_number() const { return number_; }

 private:
  std::array<SideText::Reader, 2> readers_;
  int64_t number_ = 0;
};

struct CorpusLines::Texts {
  std::array<SideText, 2> sides;
};

struct CorpusLines::Reader::Impl {
  std::optional<RowReader> rows{};
  std::optional<SidesReader> sides{};
};

CorpusLines::CorpusLines(const ChosenCorpus& corpus) : corpus_(corpus) {
  if (corpus.is_table()) return;
  texts_ = std::make_unique<Texts>(Texts{{open_side(corpus.source), open_side(corpus.target)}});
  const auto& [source, target] = texts_->sides;
  if (source.lines() == target.lines()) return;
  throw_error(ErrorKind::kData,
              "{}: has {} lines, but {} has {}; line N of one must belong to line N of the other",
              corpus.source.name(), format_count(source.lines()), corpus.target.name(),
              format_count(target.lines()));
}

CorpusLines::~CorpusLines() = default;

CorpusLines::Reader::Reader(const CorpusLines& lines) : impl_(std::make_unique<Impl>()) {
  if (lines.texts_) {
    impl_->sides.emplace(lines.texts_->sides);
  } else {
    impl_->rows.emplace(lines.corpus_);
  }
}

CorpusLines::Reader::~Reader() = default;

bool CorpusLines::Reader::next(RawPair& pair) {
  return impl_->rows ? impl_->rows->next(pair) : impl_->sides->next(pair);
}

int64_t CorpusLines::Reader::line_number() const {
  return impl_->rows ? impl_->rows->line_number() : impl_->sides->line_number();
}

std::string CorpusLines::Reader::header() const { return impl_->rows ? impl_->rows->header() : ""; }

}  // namespace heed
