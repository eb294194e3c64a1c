#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <thread>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "temporary_folder.h"

namespace heed {
namespace {

std::vector<std::string> lines_of(const fs::path& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) {
    lines.push_back(line);
    EXPECT_EQ(reader.line_number(), static_cast<int64_t>(lines.size()));
  }
  return lines;
}

std::string gzip(std::string_view text) {
  z_stream stream{};
  HEED_CHECK(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string result(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  HEED_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

TEST(LineReader, SplitsAtLineFeeds) {
  const TemporaryFolder folder;
  const auto path = folder / "text";
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases{
      {"", {}},
      {"\n", {""}},
      {"a", {"a"}},
      {"a\nb\n", {"a", "b"}},
      {"a\n\nb", {"a", "", "b"}},
      {"a\r\nb\r\n", {"a", "b"}},
      {"a\rb\r\n\r\n", {"a\rb", ""}},
      {"a\r", {"a\r"}},
      {std::string("a\0b\xff\n", 5), {std::string("a\0b\xff", 4)}},
      {"\x1f", {"\x1f"}},
      {"a\u2028b\n", {"a\u2028b"}},
  };
  for (const auto& [text, expected] : cases) {
    write_plainly(path, text);
    EXPECT_EQ(lines_of(path), expected);
    write_plainly(path, gzip(text));
    EXPECT_EQ(lines_of(path), expected);
  }
}

TEST(LineReader, ReadsLinesLongerThanItsBuffer) {
  const TemporaryFolder folder;
  const std::vector<std::string> lines{std::string(65535, 'x'), std::string(65536, 'y'),
                                       std::string(3'000'001, 'z'), "end"};
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  write_plainly(folder / "plain", text);
  EXPECT_EQ(lines_of(folder / "plain"), lines);
  write_plainly(folder / "packed", gzip(text));
  EXPECT_EQ(lines_of(folder / "packed"), lines);
}

// Editors on Windows write a byte order mark; it is not part of the first word.
TEST(LineReader, LeavesOutAByteOrderMark) {
  const TemporaryFolder folder;
  for (const std::string& text : {std::string("\xEF\xBB\xBF"
                                              "a b\n\xEF\xBB\xBF"
                                              "c\n"),
                                  gzip("\xEF\xBB\xBF"
                                       "a b\n\xEF\xBB\xBF"
                                       "c\n")}) {
    write_plainly(folder / "text", text);
    EXPECT_EQ(lines_of(folder / "text"), (std::vector<std::string>{"a b",
                                                                   "\xEF\xBB\xBF"
                                                                   "c"}));
  }
}

// Log of reading these files, each twice.
std::string log_of_reading(const std::vector<fs::path>& paths) {
  const TemporaryFolder folder;
  const auto before = spdlog::default_logger();
  log_to_file(folder / "log");
  for (const fs::path& path : paths) {
    lines_of(path);
    lines_of(path);
  }
  spdlog::set_default_logger(before);
  return read_plainly(folder / "log");
}

TEST(LineReader, WarnsOfAByteOrderMarkOnce) {
  const TemporaryFolder folder;
  write_plainly(folder / "marked",
                "\xEF\xBB\xBF"
                "a\nb\n");
  write_plainly(folder / "packed", gzip("\xEF\xBB\xBF"
                                        "a\n"));
  write_plainly(folder / "plain",
                "a\n\xEF\xBB\xBF"
                "b\n");
  const std::string log = log_of_reading({folder / "marked", folder / "packed", folder / "plain"});
  for (const char* name : {"marked", "packed"}) {
    const std::string warning = (folder / name).string() + ": begins with a byte-order mark";
    const size_t found = log.find(warning);
    EXPECT_NE(found, std::string::npos) << log;
    EXPECT_EQ(log.find(warning, found + 1), std::string::npos) << log;
  }
  EXPECT_EQ(log.find((folder / "plain").string()), std::string::npos) << log;
}

// The texts have line ends of old Macs and of Windows.
TEST(LineReader, WarnsOfCarriageReturnsInsideALine) {
  const TemporaryFolder folder;
  write_plainly(folder / "mac", "a\rb\rc\r");
  write_plainly(folder / "one", "a\nb\rc\n");
  write_plainly(folder / "windows", "a\r\nb\r\n\r\n");
  const std::string log = log_of_reading({folder / "mac", folder / "one", folder / "windows"});
  const std::string mac = (folder / "mac").string();
  EXPECT_NE(log.find(mac + ":1: has 3 CR (carriage return) inside the line"), std::string::npos)
      << log;
  EXPECT_NE(log.find("tr '\\r' '\\n' < " + mac + " > NEW"), std::string::npos) << log;
  EXPECT_NE(log.find((folder / "one").string() + ":2: has 1 CR"), std::string::npos) << log;
  EXPECT_EQ(log.find((folder / "windows").string()), std::string::npos) << log;
}

// The files are "Ein Haus.\n" as written on Windows, with and without a byte order mark.
TEST(LineReader, RefusesUtf16) {
  const TemporaryFolder folder;
  std::string little, big;
  for (const char c : std::string("Ein Haus.\n")) {
    little += c, little += '\0';
    big += '\0', big += c;
  }
  const std::string marked = "UTF-16", first = "UTF-16LE", last = "UTF-16BE";
  for (const auto& [bytes, encoding] : {std::pair{"\xFF\xFE" + little, marked},
                                        {"\xFE\xFF" + big, marked},
                                        {little, first},
                                        {big, last},
                                        {gzip(little), first},
                                        {"\xFF\xFE", marked}}) {
    write_plainly(folder / "text", bytes);
    try {
      lines_of(folder / "text");
      ADD_FAILURE() << bytes;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData);
      EXPECT_EQ(
          error.what(),
          fmt::format("{0}: {1}, expected UTF-8; convert it: iconv -f {1} -t UTF-8 {0} > {0}.utf8",
                      (folder / "text").string(), encoding));
    }
  }
  write_plainly(folder / "text", std::string("\0a\nb\0 and so on, a text with zeros\n", 34));
  EXPECT_EQ(lines_of(folder / "text").size(), 2);
}

// The bytes are the output of the programs of these formats for "a\n".
TEST(LineReader, RefusesOtherCompression) {
  const TemporaryFolder folder;
  for (const auto& [bytes, command] :
       {std::pair{std::string("\x42\x5A\x68\x39\x31\x41\x59\x26\x53\x59\x63", 11), "bzip2 -dc"},
        {std::string("7z\xBC\xAF\x27\x1C\x00", 7), "7z x -so"}}) {
    write_plainly(folder / "text", bytes);
    EXPECT_ERROR(lines_of(folder / "text"), ErrorKind::kData,
                 fmt::format("unpack it: {0} {1} > {1}.txt", command, (folder / "text").string()));
  }
  write_plainly(folder / "text", "BZh is no word\nPK\n");
  EXPECT_EQ(lines_of(folder / "text").size(), 2);
}

TEST(LineReader, RefusesBinaryFormatsWithACommand) {
  const TemporaryFolder folder;
  std::string archive(512, '\0');
  archive.replace(257, 5, "ustar");
  archive.replace(0, 5, "a.txt");
  const std::string file = (folder / "a b.bin").string();
  for (const auto& [bytes, message] :
       {std::pair{std::string("PAR1\x15\x04\x15\x10", 8), "a Parquet file, expected lines of text"},
        {std::string("ARROW1\0\0", 8), "an Arrow file"},
        {std::string("\xFF\xFF\xFF\xFF\x10\0\0\0", 8), "an Arrow stream"},
        {std::string("%PDF-1.7\n"), "a PDF"},
        {archive, "a tar archive"},
        {std::string("PK\x03\x04") + std::string(26, 'x') + "[Content_Types].xml", "Office file"},
        {std::string("PK\x03\x04") + std::string(26, 'x') + "[Content_Types].xml word/document.xml",
         "a Word file, expected lines of text; save it as plain text in UTF-8"},
        {std::string("PK\x03\x04") + std::string(26, 'x') + "[Content_Types].xml xl/workbook.xml",
         "an Excel file, expected lines of text; save it as tab-separated text"},
        {"PK\x03\x04 mimetypeapplication/vnd.oasis.opendocument.text", "an OpenDocument text"},
        {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "an Office file"},
        {"{\\rtf1\\ansi Hello}", "an RTF file, expected lines of text; save it as plain text"},
        {"\x89PNG\r\n\x1A\n", "a picture"},
        {std::string("\x7F"
                     "ELF") +
             std::string(60, '\0'),
         "binary data"}}) {
    write_plainly(file, bytes);
    EXPECT_ERROR(lines_of(file), ErrorKind::kData, message);
  }
  write_plainly(file, "PAR1\x15");
  EXPECT_ERROR(lines_of(file), ErrorKind::kData,
               "'" + file + "' '" + (folder / "a b").string() + "'.jsonl");
  write_plainly(file, "PAR1 is a word\nARROW1 too\n");
  EXPECT_EQ(lines_of(file).size(), 2);
}

TEST(LineReader, GoesBackToAnOffset) {
  const TemporaryFolder folder;
  write_plainly(folder / "text", "one\r\ntwo\nthree");
  LineReader reader(folder / "text");
  EXPECT_TRUE(reader.is_plain());
  std::string line;
  EXPECT_EQ(reader.offset(), 0);
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(reader.offset(), 5);
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(reader.offset(), 9);
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(reader.offset(), 14);
  EXPECT_FALSE(reader.next(line));
  reader.seek(5, 1);
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line, "two");
  EXPECT_EQ(reader.offset(), 9);
  EXPECT_EQ(reader.line_number(), 2);
}

TEST(LineReader, ReadsSeveralGzipMembers) {
  const TemporaryFolder folder;
  write_plainly(folder / "text", gzip("a\nb") + gzip("") + gzip("c\nd\n"));
  EXPECT_EQ(lines_of(folder / "text"), (std::vector<std::string>{"a", "bc", "d"}));
  EXPECT_FALSE(LineReader(folder / "text").is_plain());
}

TEST(LineReader, RefusesGzipDataThatAreNotWhole) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 100; ++i) text += std::to_string(i * i) + "\n";
  const std::string whole = gzip(text);
  for (size_t length = 2; length < whole.size(); ++length) {
    write_plainly(folder / "cut", whole.substr(0, length));
    EXPECT_ERROR(lines_of(folder / "cut"), ErrorKind::kIo, "too early");
  }
  std::string damaged = whole;
  damaged[damaged.size() - 6] ^= 1;  // in the checksum
  write_plainly(folder / "damaged", damaged);
  EXPECT_ERROR(lines_of(folder / "damaged"), ErrorKind::kIo, "damaged");
  write_plainly(folder / "tail", whole + "something else");
  EXPECT_ERROR(lines_of(folder / "tail"), ErrorKind::kIo, "damaged");
}

TEST(LineReader, SaysWhatCannotBeRead) {
  const TemporaryFolder folder;
  EXPECT_ERROR(LineReader(folder / "none"), ErrorKind::kIo,
               (folder / "none").string() + ": cannot open: No such file");
  EXPECT_ERROR(LineReader(folder.path()), ErrorKind::kIo, "Is a directory");
  EXPECT_ERROR(read_file(folder / "none"), ErrorKind::kIo, "cannot open: No such file");
  EXPECT_ERROR(read_file(folder.path()), ErrorKind::kIo, "Is a directory");
}

// Replaces standard input while it exists.
class Typed {
 public:
  Typed() : saved_(dup(STDIN_FILENO)) {
    HEED_CHECK(pipe(ends_) == 0);
    dup2(ends_[0], STDIN_FILENO);
  }
  ~Typed() {
    dup2(saved_, STDIN_FILENO);
    close(ends_[0]);
    close(saved_);
  }
  void type(std::string_view text) { HEED_CHECK(write(ends_[1], text.data(), text.size()) > 0); }
  void end() { close(ends_[1]); }

 private:
  int ends_[2];
  int saved_;
};

TEST(LineReader, GivesALineOfStandardInputAsSoonAsItHasCome) {
  Typed typed;
  typed.type("first\nsec");
  LineReader reader("-");
  std::string line;
  ASSERT_TRUE(reader.next(line));  // waits forever if it fills a buffer first
  EXPECT_EQ(line, "first");
  typed.type("ond\n");
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line, "second");
  typed.end();
  EXPECT_FALSE(reader.next(line));
}

TEST(LineReader, UnpacksStandardInput) {
  Typed typed;
  const std::string packed = gzip("a\nb\n");
  typed.type(packed.substr(0, 1));
  std::thread rest([&] {
    typed.type(packed.substr(1));
    typed.end();
  });
  EXPECT_EQ(lines_of("-"), (std::vector<std::string>{"a", "b"}));
  rest.join();
}

TEST(LineReader, ALineWithoutEndIsADataErrorThatNamesIt) {
  LineReader endless("/dev/zero");
  std::string line;
  EXPECT_ERROR(endless.next(line), ErrorKind::kData,
               "/dev/zero: binary data, expected lines of text");
  const TemporaryFolder folder;
  write_plainly(folder / "bomb.gz", gzip("short\n" + std::string(kLongestLine + 1, 'x')));
  LineReader bomb(folder / "bomb.gz");
  ASSERT_TRUE(bomb.next(line));
  EXPECT_ERROR(bomb.next(line), ErrorKind::kData, "bomb.gz:2: this line has more than 16 MiB");
}

TEST(LineReader, TheLongestLineIsRead) {
  const TemporaryFolder folder;
  write_plainly(folder / "text", std::string(kLongestLine, 'x') + "\nnext\n");
  LineReader reader(folder / "text");
  std::string line;
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line.size(), kLongestLine);
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line, "next");
}

}  // namespace
}  // namespace heed
