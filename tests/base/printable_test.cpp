#include "base/printable.h"

#include "base/log.h"
#include "temporary_folder.h"

namespace heed {
namespace {

TEST(Printable, EscapesControlsAndMalformedBytes) {
  EXPECT_EQ(printable("\x1b[2J"), "\\x1b[2J");
  EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(printable(std::string("\0\x7f", 2)), "\\x00\\x7f");
  EXPECT_EQ(printable("\u009b2J"), "\\u009b2J");
  EXPECT_EQ(printable("a\u0085b\u2028c\u2029d"), "a\\u0085b\\u2028c\\u2029d");
  EXPECT_EQ(printable("a\xff\xc3"), "a\\xff\\xc3");
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, LeavesTextAsItIs) {
  for (const std::string text : {"Übergröße", "日本語", "C:\\name", "\u00a0\u200d\u00ad", "🙂"})
    EXPECT_EQ(printable(text), text);
}

TEST(Log, ShowsControlCharactersEscaped) {
  const TemporaryFolder folder;
  const auto before = spdlog::default_logger();
  log_to_file(folder / "log");
  spdlog::info("translation: {}", "\x1b[2J\nnext");
  spdlog::set_default_logger(before);
  const std::string log = read_plainly(folder / "log");
  EXPECT_NE(log.find("translation: \\x1b[2J\\nnext\n"), std::string::npos) << log;
  EXPECT_EQ(log.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace heed
