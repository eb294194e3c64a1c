// `heed convert`. Python reads what it writes: lzma, gzip, zipfile, json and xml.etree.
#include <gmock/gmock.h>

#include "cli/program.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Prints the pairs of a file as JSON lists, a line each.
constexpr const char* kReadPairs = R"(
import gzip, json, lzma, sys, xml.etree.ElementTree as T
def opened(name):
    return (gzip.open if name.endswith('.gz') else lzma.open if name.endswith('.xz') else open)(name, 'rb')
def lines(name):
    return opened(name).read().decode().split('\n')[:-1]
def pairs(name, *more):
    if more: return zip(lines(name), lines(*more))
    if '.tsv' in name: return (line.split('\t') for line in lines(name))
    if '.jsonl' in name: return (json.loads(line).values() for line in lines(name))
    return ([tuv.find('seg').text or '' for tuv in tu.iter('tuv')] for tu in T.parse(opened(name)).iter('tu'))
for pair in pairs(*sys.argv[1:]): print(json.dumps(list(pair)))
)";

class Convert : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    write_plainly(folder_ / name, text);
  }
  std::string read(const std::string& name) const { return read_plainly(folder_ / name); }
  Outcome convert(const Arguments& arguments) const {
    return run_heed(joined({"convert"}, arguments), {.folder = folder_.path()});
  }
  std::string python(const std::string& program, const Arguments& arguments) const {
    write("program.py", program);
    std::string command = fmt::format("cd {} && python3 program.py", folder_.path().string());
    for (const std::string& argument : arguments) command += " " + argument;
    command += " > output";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return read("output");
  }
  std::string pairs(const Arguments& files) const { return python(kReadPairs, files); }

  TemporaryFolder folder_;
};

// Texts with all that the formats escape.
constexpr const char* kSource =
    "one\n\n \"a\" <b> & \\ 'c' ]]>\n\xC3\xA4\xF0\x9F\x98\x80 \xC2\xA0|\n";
constexpr const char* kTarget = "eins\nzwei\n  drei  \nvier\n";

TEST_F(Convert, EachFormatToEachOther) {
  holds({"heed convert", "--source", "--target", "--output"});
  write("a.en", kSource);
  write("a.de", kTarget);
  const std::string expected = pairs({"a.en", "a.de"});
  ASSERT_EQ(lines_of(expected).size(), 4U);
  const std::vector<Arguments> files{
      {"b.en.gz", "b.de.xz"}, {"b.tsv.xz"}, {"b.jsonl.gz"}, {"b.tmx"}, {"b.tmx.xz"}};
  for (const Arguments& one : files) {
    const Outcome outcome = convert(joined({"a.en", "a.de", "-o"}, one));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("wrote 4 pairs"));
    EXPECT_EQ(pairs(one), expected) << one.front();
    for (const Arguments& other :
         {Arguments{"c.en", "c.de"}, {"c.tsv"}, {"c.jsonl"}, {"c.tmx.gz"}}) {
      Arguments arguments = joined(one, joined({"-o"}, other));
      if (one.front() == "b.tsv.xz")  // its columns have no names
        arguments = joined(arguments, {"--source-name", "en", "--target-name", "de"});
      const Outcome back = convert(arguments);
      ASSERT_EQ(back.exit_code, 0) << back.err;
      EXPECT_EQ(pairs(other), expected) << one.front() << " " << other.front();
    }
  }
  EXPECT_EQ(convert({"a.en", "a.de", "-o", "d.tsv.zst"}).exit_code, 0);
  EXPECT_EQ(read("d.tsv.zst").substr(0, 4), "\x28\xB5\x2F\xFD");
  EXPECT_EQ(convert({"d.tsv.zst", "-o", "d.en", "d.de"}).exit_code, 0);
  EXPECT_EQ(read("d.en"), kSource);
  EXPECT_EQ(read("d.de"), kTarget);
}

TEST_F(Convert, ChoosesColumnsKeysAndLanguages) {
  holds({"--to", "--source-name", "--target-name"});
  write("a.tsv", "id\ten\tde\n1\tone\teins\n");
  const Outcome table =
      convert({"a.tsv", "--source", "de", "--target", "en", "-o", "-", "--to", "jsonl"});
  EXPECT_EQ(table.out, "{\"de\":\"eins\",\"en\":\"one\"}\n") << table.err;
  write("a.jsonl", R"({"translation": {"en": "one", "de": "eins", "fr": "un"}})"
                   "\n");
  EXPECT_EQ(convert({"a.jsonl", "--source", "translation.fr", "--target", "translation.de",
                     "--source-name", "text", "--target-name", "label", "-o", "-", "--to", "jsonl"})
                .out,
            "{\"text\":\"un\",\"label\":\"eins\"}\n");
  write("a.tmx",
        "<tmx><tu><tuv lang='EN'><seg>one</seg></tuv><tuv lang='de'><seg>eins</seg></tuv>"
        "<tuv lang='fr'><seg>un</seg></tuv></tu></tmx>");
  EXPECT_EQ(convert({"a.tmx", "--source", "en", "--target", "fr", "-o", "-", "--to", "tsv"}).out,
            "one\tun\n");
  EXPECT_FAILS(convert({"a.tmx", "-o", "b.tsv"}), 2,
               "a.tmx: found 3 languages: EN ('one'), de ('eins'), fr ('un'); name the two sides: "
               "heed convert a.tmx --source EN --target de");
  EXPECT_EQ(convert({"a.tmx:fr", "a.tsv:2", "-o", "-", "--to", "tsv"}).exit_code, 3)
      << "the first line of a.tsv is read as a text";
}

TEST_F(Convert, LanguagesAreThoseOfTheInputOrGiven) {
  write("a.pt_BR", "um\n");
  write("a.x", "quq\n");
  EXPECT_FAILS(convert({"a.pt_BR", "a.x", "-o", "a.tmx"}), 2, "found 'x'; give --target-name");
  EXPECT_FAILS(convert({"a.pt_BR", "a.x", "--target-name", "quy\"", "-o", "a.tmx"}), 2,
               "found 'quy\"'; give --target-name");
  ASSERT_EQ(convert({"a.pt_BR", "a.x", "--target-name", "quy", "-o", "a.tmx"}).exit_code, 0);
  EXPECT_THAT(read("a.tmx"), HasSubstr("<tu><tuv xml:lang=\"pt-BR\"><seg>um</seg></tuv><tuv "
                                       "xml:lang=\"quy\"><seg>quq</seg></tuv></tu>\n"));
}

TEST_F(Convert, IsWhatSplitNeedsOfTmx) {
  write("a.tmx",
        "<tmx><tu><tuv lang='en'><seg>one</seg></tuv><tuv "
        "lang='de'><seg>eins</seg></tuv></tu></tmx>");
  const Outcome split =
      run_heed({"split", "a.tmx", "--source", "en", "--target", "de", "-o", "out"},
               {.folder = folder_.path()});
  EXPECT_FAILS(split, 2, "convert it first: heed convert a.tmx --source en --target de -o a.tsv");
}

TEST_F(Convert, ReadsAnArchiveOfOpus) {
  python(
      "import zipfile; z = zipfile.ZipFile('opus.zip', 'w', 8)\n"
      "for name, text in ('README', 'r'), ('T.de-en.de', 'eins\\nzwei\\n'), ('T.de-en.en', "
      "'one\\ntwo\\n'): "
      "z.writestr(name, text)\nz.close()",
      {});
  const Outcome outcome = convert({"opus.zip/T.de-en.en", "opus.zip/T.de-en.de", "-o", "a.jsonl"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(read("a.jsonl"),
            "{\"en\":\"one\",\"de\":\"eins\"}\n{\"en\":\"two\",\"de\":\"zwei\"}\n");
  EXPECT_FAILS(convert({"opus.zip", "T.de-en.de", "-o", "a.tsv"}), 3,
               "opus.zip: the archive has 3 members, expected one text: README, T.de-en.de, "
               "T.de-en.en; name one as opus.zip/README");
}

TEST_F(Convert, RefusesOutputsInTheOtherOrder) {
  write("a.en", "one\n");
  write("a.de", "eins\n");
  EXPECT_FAILS(convert({"a.en", "a.de", "-o", "b.de", "b.en.gz"}), 2, "give -o b.en.gz b.de");
  EXPECT_EQ(convert({"a.en", "a.de", "-o", "b.en", "b.de"}).exit_code, 0);
}

TEST_F(Convert, SaysWhatIsLeftOutAndReplaced) {
  write("a.jsonl",
        "{\"en\": \"one\\ntwo\", \"de\": \"eins\\tzwei\"}\n{\"en\": \"three\"}\n{\"en\": "
        "\"a\\u0001b\", "
        "\"de\": \"c\"}\n");
  const Outcome table = convert({"a.jsonl", "--source", "en", "--target", "de", "-o", "a.tsv"});
  ASSERT_EQ(table.exit_code, 0) << table.err;
  EXPECT_EQ(read("a.tsv"),
            "one two\teins zwei\na\x01"
            "b\tc\n");
  EXPECT_THAT(table.err,
              AllOf(HasSubstr("1 pairs are left out; the first is a.jsonl:2: has no key 'de'"),
                    HasSubstr("1 pairs have line breaks inside of a text, which become spaces; the "
                              "first is a.jsonl:1"),
                    HasSubstr("1 pairs have characters that the new format cannot hold"),
                    HasSubstr("wrote 2 pairs")));
  const Outcome memory = convert({"a.jsonl", "--source", "en", "--target", "de", "-o", "a.tmx"});
  ASSERT_EQ(memory.exit_code, 0) << memory.err;
  EXPECT_EQ(pairs({"a.tmx"}), "[\"one two\", \"eins\\tzwei\"]\n[\"a b\", \"c\"]\n");
  EXPECT_THAT(memory.err, HasSubstr("which become spaces; the first is a.jsonl:3"));
}

// A CR at the end of a line of text, a byte that is not UTF-8.
TEST_F(Convert, KeepsReturnsAndLeavesOutMalformedBytes) {
  std::string source, target;
  for (int i = 0; i < 200; ++i) source += fmt::format("line {}\n", i), target += "Zeile\r\r\n";
  write("a.en", source + "\xFF\n");
  write("a.de", target + "x\n");
  const Outcome memory = convert({"a.en", "a.de", "-o", "a.tmx"});
  ASSERT_EQ(memory.exit_code, 0) << memory.err;
  EXPECT_THAT(memory.err,
              HasSubstr("1 pairs are left out; the first is a.en:201: malformed UTF-8"));
  EXPECT_THAT(pairs({"a.tmx"}), testing::StartsWith("[\"line 0\", \"Zeile\\r\"]\n"));
  const Outcome table = convert({"a.en", "a.de", "-o", "a.tsv"});
  EXPECT_THAT(table.err, HasSubstr("200 pairs have characters that the new format cannot hold"));
  EXPECT_THAT(read("a.tsv"), testing::StartsWith("line 0\tZeile \nline 1\t"));
  write("a.en", "\xE4\n\xE4\nb\n");
  write("a.de", "a\nb\nc\n");
  EXPECT_FAILS(convert({"a.en", "a.de", "-o", "b.tsv"}), 3,
               "a.en: 2 of 3 lines are malformed UTF-8; the file looks like");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b.tsv"));
}

TEST_F(Convert, WritesAllOrNothing) {
  write("a.en", "one\ntwo\n");
  write("a.de", "eins\n");
  const auto names = folder_.names();
  EXPECT_FAILS(convert({"a.en", "a.de", "-o", "b.en.gz", "b.de.gz"}), 3,
               "a.en: has more lines than a.de, which has 1; line N of one must belong to line N");
  EXPECT_FAILS(convert({"a.en", "a.en", "-o", "b.zip"}), 2, "text is two files");
  EXPECT_FAILS(convert({"a.en", "a.de", "-o", "b.tsv.zip"}), 2, "zip archives are not written");
  EXPECT_FAILS(convert({"a.en", "a.de", "-o", "a.en", "b.de"}), 2, "a.en");
  EXPECT_FAILS(convert({"a.en", "a.de", "-o", "b.tsv", "c.tsv", "--to", "tsv"}), 2,
               "text is two files");
  EXPECT_FAILS(convert({"a.en", "a.de", "a.en", "-o", "b.tsv"}), 2, "found 3 inputs");
  EXPECT_FAILS(convert({"-o", "b.tsv"}), 2, "found 0 inputs, expected a source and a target file");
  EXPECT_FAILS(convert({"a.en", "a.de", "--source", "1", "-o", "b.tsv"}), 2, "leave them out");
  EXPECT_FAILS(convert({"a.en", "-o", "b.tsv"}), 2, "not a table of two sides");
  write("a", "one\n");
  EXPECT_FAILS(convert({"a", "a.de", "-o", "b.tmx"}), 2,
               "needs the languages of its texts, found none; give --source-name, such as en");
  EXPECT_FAILS(convert({"a.de", "a.de", "-o", "b.tmx"}), 2, "called 'de' and 'de'");
  write("b", "");
  EXPECT_FAILS(convert({"b", "b", "-o", "b.tsv"}), 3, "no pair to write");
  std::filesystem::remove(folder_ / "a");
  std::filesystem::remove(folder_ / "b");
  EXPECT_EQ(folder_.names(), names);
}

// A memory of 30 MB, written and read.
TEST_F(Convert, NeedsConstantMemory) {
  std::string text;
  for (int i = 0; text.size() < 15 << 20; ++i) text += fmt::format("sentence {} of many\n", i);
  write("a.en", text);
  write("a.de", text);
  const Outcome out = convert({"a.en", "a.de", "-o", "a.tmx.zst"});
  ASSERT_EQ(out.exit_code, 0) << out.err;
  const Outcome back = convert({"a.tmx.zst", "-o", "b.en", "b.de"});
  ASSERT_EQ(back.exit_code, 0) << back.err;
  EXPECT_TRUE(read("b.en") == text);
  const int64_t least = run_heed({"--version"}).peak_memory;
  for (const Outcome& outcome : {out, back}) EXPECT_LT(outcome.peak_memory, least + (12 << 10));
}

}  // namespace
}  // namespace heed
