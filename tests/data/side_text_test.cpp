#include "data/side_text.h"

#include <sys/stat.h>

#include <thread>

#include "base/file.h"
#include "data_test_tools.h"
#include "holds.h"

namespace heed {
namespace {

using Lines = std::vector<std::string>;

// Every line twice: in order, and by its place.
Lines read_both_ways(const SideText& text) {
  Lines lines;
  std::vector<uint64_t> offsets;
  SideText::Reader reader(text);
  std::string line;
  for (uint64_t offset = 0; reader.next(line, offset);) {
    lines.push_back(line);
    offsets.push_back(offset);
  }
  for (size_t i = lines.size(); i-- > 0;) EXPECT_EQ(text.line(offsets[i]), lines[i]);
  EXPECT_EQ(text.lines(), static_cast<int64_t>(lines.size()));
  return lines;
}

TEST(SideText, ReadsLinesByPlace) {
  const TemporaryFolder folder;
  write_plainly(folder / "a", "one\n\nthree\r\nlast");
  write_plainly(folder / "b", "first\nsecond\n");
  write_plainly(folder / "empty", "");
  const SideText text({folder / "a", folder / "empty", folder / "b"});
  EXPECT_EQ(read_both_ways(text), (Lines{"one", "", "three", "last", "first", "second"}));
  EXPECT_EQ(text.lines(0), 4);
  EXPECT_EQ(text.lines(1), 0);
  EXPECT_EQ(text.lines(2), 2);
}

TEST(SideText, HoldsAnyBytesAndLengths) {
  const TemporaryFolder folder;
  const std::string huge(1 << 20, 'x'), nul("a\0b", 3);
  write_plainly(folder / "a", nul + "\n" + huge + "\n\xFF\xFE\n" + std::string(511, 'y') + "\n" +
                                  std::string(512, 'z') + "\n\r");
  EXPECT_EQ(read_both_ways(SideText({folder / "a"})),
            (Lines{nul, huge, "\xFF\xFE", std::string(511, 'y'), std::string(512, 'z'), "\r"}));
}

TEST(SideText, LeavesOutAByteOrderMark) {
  const TemporaryFolder folder;
  write_plainly(folder / "a", std::string(kByteOrderMark) + "one\ntwo\n");
  write_gzip(folder / "b", std::string(kByteOrderMark) + "three\n");
  EXPECT_EQ(read_both_ways(SideText({folder / "a", folder / "b"})), (Lines{"one", "two", "three"}));
}

TEST(SideText, UnpacksWhatIsCompressed) {
  holds({"data.train[].source"});
  const TemporaryFolder folder;
  write_gzip(folder / "a.gz", "one\r\ntwo");
  write_plainly(folder / "b", "three\n");
  const SideText text({folder / "a.gz", folder / "b"});
  EXPECT_EQ(read_both_ways(text), (Lines{"one", "two", "three"}));
  EXPECT_EQ(folder.names(), (Lines{"a.gz", "b"}));
}

TEST(SideText, UnpacksAPipe) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::thread writer([&] { write_plainly(folder / "pipe", "one\ntwo\n"); });
  EXPECT_EQ(read_both_ways(SideText({folder / "pipe"})), (Lines{"one", "two"}));
  writer.join();
}

TEST(SideText, SaysWhatCannotBeRead) {
  const TemporaryFolder folder;
  EXPECT_ERROR(SideText({folder / "missing"}), ErrorKind::kIo, "missing");
  write_gzip(folder / "a.gz", std::string(100'000, 'x') + "\n");
  const std::string whole = read_plainly(folder / "a.gz");
  write_plainly(folder / "cut.gz", whole.substr(0, whole.size() / 2));
  EXPECT_ERROR(SideText({folder / "cut.gz"}), ErrorKind::kIo, "cut.gz");
}

TEST(SideText, NamesPlaces) {
  const TemporaryFolder folder;
  write_plainly(folder / "a", "1\n2\n");
  write_plainly(folder / "b", "3\n");
  const SideText text({folder / "a", folder / "b"});
  EXPECT_EQ(text.place(1), (folder / "a").string() + ":2");
  EXPECT_EQ(text.place(2), (folder / "b").string() + ":1");
}

}  // namespace
}  // namespace heed
