#include "base/encoding.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "base/error.h"
#include "base/file.h"
#include "captured_log.h"
#include "temporary_folder.h"

namespace heed {
namespace {

using testing::HasSubstr;
using testing::Not;

// Lines of German, each with an umlaut.
std::string german(int lines) {
  std::string text;
  for (int i = 0; i < lines; ++i)
    text += i % 2 ? "Die Tür ist grün, sagte er.\n" : "Wir hören die schönen Lieder über Bäume.\n";
  return text;
}

std::string latin1(const std::string& utf8) {
  std::string text;
  for (size_t i = 0; i < utf8.size(); ++i)
    text += utf8[i] == '\xC3' ? static_cast<char>(utf8[++i] + 0x40) : utf8[i];
  return text;
}

class Encodings : public testing::Test {
 protected:
  std::string advice() const { return conversion_advice(find_encoding(file), file); }
  // Output of the command in the advice, from the new file that it names.
  std::string converted() const {
    const std::string text = advice();
    const std::string command = text.substr(text.find(": ") + 2);
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return read_plainly(folder / "a.utf8.txt");
  }
  TemporaryFolder folder;
  fs::path file = folder / "a.txt";
};

TEST_F(Encodings, FindsLatin1AndTheCommandThatConvertsIt) {
  write_plainly(file, "ASCII alone\n" + latin1(german(20)));
  const TextEncoding found = find_encoding(file);
  EXPECT_EQ(found.name, "WINDOWS-1252");
  EXPECT_EQ(found.malformed, 20);
  EXPECT_FALSE(found.is_mixed());
  EXPECT_EQ(advice(),
            fmt::format("the file looks like ISO 8859-1 (Windows-1252); convert it: iconv "
                        "-f WINDOWS-1252 -t UTF-8 {} > {}",
                        file.string(), (folder / "a.utf8.txt").string()));
  EXPECT_EQ(converted(), "ASCII alone\n" + german(20));
  EXPECT_EQ(find_encoding(file, 11).malformed, 10);
}

TEST_F(Encodings, FindsLinesOfTwoAndConvertsTheMalformedBytesAlone) {
  write_plainly(file, german(20) + latin1(german(10)));
  EXPECT_TRUE(find_encoding(file).is_mixed());
  EXPECT_THAT(advice(), HasSubstr("the other lines like UTF-8"));
  EXPECT_EQ(converted(), german(30));
}

TEST_F(Encodings, NamesShiftJisAndNothingThatItDoesNotKnow) {
  // 今日はとても寒いです。
  write_plainly(file,
                "\x8d\xa1\x93\xfa\x82\xcd\x82\xc6\x82\xc4\x82\xe0\x8a\xa6\x82\xa2\x82\xc5\x82\xb7"
                "\x81\x42\n");
  EXPECT_EQ(find_encoding(file).name, "Shift_JIS");
  write_plainly(file, "\xff\n");
  EXPECT_THAT(advice(), HasSubstr("iconv -f ENCODING -t UTF-8 "));
  EXPECT_EQ(find_encoding(folder / "nowhere").malformed, 0);
}

TEST_F(Encodings, UnpacksWhatIsCompressed) {
  EXPECT_EQ(utf8_command("UTF-16", "train.de.gz"),
            "gzip -dc train.de.gz | iconv -f UTF-16 -t UTF-8 /dev/stdin > train.utf8.de");
}

TEST_F(Encodings, AFewLinesAreDamagedAndMoreAreAnotherEncoding) {
  EXPECT_FALSE((MalformedLines{file, "a", 100, 9}).are_many());
  EXPECT_TRUE((MalformedLines{file, "a", 100, 10}).are_many());
  EXPECT_FALSE((MalformedLines{file, "a", 10'000, 10}).are_many());
  EXPECT_TRUE((MalformedLines{file, "a", 10'000, 11}).are_many());
  EXPECT_FALSE((MalformedLines{file, "a", 1'100, 11}).are_too_many());
  EXPECT_TRUE((MalformedLines{file, "a", 1'099, 11}).are_too_many());
  EXPECT_FALSE((MalformedLines{file, "a", 4, 2}).are_too_many());
  EXPECT_TRUE((MalformedLines{file, "a", 3, 2}).are_too_many());
}

// The sides of a table.
TEST_F(Encodings, AFileIsNamedOnce) {
  write_plainly(file, latin1(german(20)));
  EXPECT_ERROR(refuse_malformed({{file, "a (1)", 20, 1}, {file, "a (2)", 20, 20}}),
               ErrorKind::kData,
               "a (2): 20 of 20 lines are malformed UTF-8; the file looks like ISO 8859-1");
  CapturedLog captured("warn");
  refuse_malformed({{file, "a (1)", 2'000, 15}, {file, "a (2)", 2'000, 20}});
  const std::string log = captured.end();
  EXPECT_THAT(log, HasSubstr("a (2): 20 of 2,000 lines are malformed UTF-8"));
  EXPECT_THAT(log, Not(HasSubstr("a (1)")));
  refuse_malformed({{file, "a", 20, 1}});
}

}  // namespace
}  // namespace heed
