#include <gtest/gtest.h>

#include "base/file.h"
#include "base/line_offsets.h"
#include "temporary_folder.h"

namespace heed {
namespace {

// The offset of each line as LineReader reads them, and of the end.
std::vector<int64_t> starts_of(const fs::path& path) {
  LineReader reader(path);
  std::vector<int64_t> starts{0};
  for (std::string line; reader.next(line);) starts.push_back(reader.offset());
  return starts;
}

void expect_lines_as_they_are_read(const std::string& text) {
  SCOPED_TRACE(text.substr(0, 40));
  const TemporaryFolder folder;
  const fs::path path = folder / "text";
  write_plainly(path, text);
  const std::vector<int64_t> starts = starts_of(path);
  for (int64_t offset = 0; offset <= std::ssize(text); offset += text.size() > 1000 ? 9973 : 1)
    EXPECT_EQ(line_start_from(path, offset),
              *std::lower_bound(starts.begin(), starts.end(), offset))
        << offset;
  for (size_t lines = 0; lines < starts.size(); ++lines) {
    EXPECT_EQ(count_lines_before(path, starts[lines]), static_cast<int64_t>(lines));
    EXPECT_EQ(offset_behind_lines(path, static_cast<int64_t>(lines)), starts[lines]);
  }
  EXPECT_EQ(offset_behind_lines(path, static_cast<int64_t>(starts.size())), std::nullopt);
}

TEST(LineOffsets, AreThoseOfTheLinesThatAreRead) {
  for (const char* text : {"", "\n", "a", "a\n", "a\nb", "a\r\nb\r\n", "\n\n\nlong line\n\nend",
                           "\xEF\xBB\xBF"
                           "one\ntwo\n"})
    expect_lines_as_they_are_read(text);
}

TEST(LineOffsets, OfFilesLargerThanWhatIsReadAtOnce) {
  std::string text;
  for (size_t length = 1; text.size() < (size_t{3} << 20); length = length * 7 % 100'003)
    text += std::string(length, 'x') + "\n";
  expect_lines_as_they_are_read(text);
  expect_lines_as_they_are_read(text + std::string(size_t{2} << 20, 'y'));
}

}  // namespace
}  // namespace heed
