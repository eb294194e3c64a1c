// A translation memory (TMX) as JSON lines: an object for each translation unit, with a text for each
// language, `{"en": "A house.", "de": "Ein Haus."}`. The file is read in one pass, in constant memory.
#pragma once

#include <filesystem>
#include <memory>

#include "base/byte_source.h"
#include "base/file.h"
#include "data/text_view.h"

namespace heed {

// A line break in a text, with the spaces around it, becomes a line feed. The codes of inline elements
// (bpt, ept, ph, it, ut) are left out. Of several texts of a language the first is read, and texts
// without a language are left out; warnings count both, once for each file. External DTDs are not
// read. Throws Error(kData) with line and column for XML that is not well-formed, another root than
// <tmx>, declared entities and a unit of more than kLongestLine.
class TmxSource final : public ByteSource {
 public:
  explicit TmxSource(const std::filesystem::path& path);
  ~TmxSource() override;
  bool is_plain() const override { return false; }
  size_t read(char* bytes, size_t size) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// True if the root of an XML file is <tmx>. A file that is not XML is none.
bool is_tmx(const std::filesystem::path& path);

// The lines of a text that a view shows; for TMX those of TmxSource.
LineReader open_lines(const TextFile& text);

}  // namespace heed
