// Shards of an input, written without a model: each output line is the input line in brackets.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cctype>
#include <map>
#include <nlohmann/json.hpp>

#include "base/sealed_json.h"
#include "base/temporary_folder.h"
#include "captured_log.h"
#include "holds.h"
#include "translate/shards/shard_join.h"
#include "translate/shards/shard_outputs.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr int64_t kWindow = 3;  // lines between two records

class WrittenShards : public testing::Test {
 protected:
  using Settings = std::map<std::string, std::string>;

  WrittenShards() {
    std::string lines;
    for (int i = 0; i < 20; ++i) lines += std::string(1 + i * 7 % 5, 'a') + "\n";
    write("in", lines);
  }
  // Lines that are read side by side from these files.
  struct Inputs {
    std::vector<std::string> names;
    std::vector<std::unique_ptr<LineReader>> readers{};
  };
  ShardJob job(const std::string& which, Inputs& inputs, const std::vector<std::string>& outputs,
               const Settings& settings) const {
    ShardJob job;
    job.shard = parse_shard(which).value();
    for (const std::string& name : outputs) job.outputs.push_back({"--output", folder_ / name});
    job.settings = settings;
    for (const std::string& name : inputs.names) {
      inputs.readers.push_back(std::make_unique<LineReader>(folder_ / name));
      job.lines.push_back({"--" + name, folder_ / name, inputs.readers.back().get()});
    }
    job.counted = inputs.names.size() > 1;
    job.window = kWindow;
    return job;
  }
  // Writes a shard. With `lines`, it stops after this many lines, as if the process were killed.
  void write_shard(const std::string& which, const Settings& settings = {{"search.beam", "5"}},
                   const std::vector<std::string>& outputs = {"out"},
                   const std::vector<std::string>& names = {"in"}, int64_t lines = 1000) const {
    Inputs inputs{names};
    ShardOutputs shard(job(which, inputs, outputs, settings));
    if (shard.is_complete()) return;
    std::string line;
    LineReader& first = *inputs.readers.front();
    while (first.offset() < shard.end().value_or(INT64_MAX) && first.next(line)) {
      if (lines-- == 0) return;
      shard.write(std::vector<std::string>(outputs.size(), "[" + line + "]\n"));
    }
    shard.commit();
  }
  void write_shards(int count, const std::vector<std::string>& outputs = {"out"}) const {
    for (int i = count; i >= 1; --i)
      write_shard(fmt::format("{}/{}", i, count), {{"search.beam", "5"}}, outputs);
  }
  void remove_shards() const {
    for (const std::string& name : folder_.names())
      if (name.find("-of-") != std::string::npos) fs::remove(folder_ / name);
  }
  std::string expected(const std::string& input) const {
    std::string text, line;
    write("whole", input);
    for (LineReader reader(folder_ / "whole"); reader.next(line);) text += "[" + line + "]\n";
    return text;
  }
  void join() const { join_shards(folder_ / "out"); }
  void expect_not_joined(const std::string& part) const {
    EXPECT_ERROR(join(), ErrorKind::kData, part);
    EXPECT_THAT(folder_.names(), Not(Contains("out")));
  }
  std::string read(const std::string& name) const { return read_plainly(folder_ / name); }
  void write(const std::string& name, const std::string& text) const {
    write_plainly(folder_ / name, text);
  }
  TemporaryFolder folder_;
};

TEST_F(WrittenShards, AreJoinedToTheOutputOfAllLines) {
  const std::string text = read("in");
  std::string crlf;
  for (const char c : text) crlf += c == '\n' ? "\r\n" : std::string(1, c);
  for (const std::string& input :
       {text, text.substr(0, text.size() - 1), crlf, std::string(), std::string("\n"),
        std::string("a b"), "\n\n" + std::string(70, 'b') + "\n" + text + "\n\n\n",
        "\xEF\xBB\xBF" + text}) {
    SCOPED_TRACE(input.substr(0, 20));
    write("in", input);
    for (const int count : {1, 3, 4}) {
      write_shards(count);
      join();
      EXPECT_EQ(read("out"), expected(input));
      remove_shards();
    }
  }
}

TEST_F(WrittenShards, HaveTheLinesThatBeginInTheirPartOfTheBytes) {
  const std::string text = read("in");
  std::vector<std::string> expected(4);
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    size_t number = 0;
    while ((number + 1) * text.size() / 4 <= begin) ++number;
    expected[number] += "[" + text.substr(begin, end - begin) + "]\n";
    begin = end + 1;
  }
  write_shards(4);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(read(fmt::format("out.{}-of-4", i + 1)), expected[i]);
}

TEST_F(WrittenShards, GoOnBehindTheirLastRecord) {
  for (const int64_t lines : {0, 1, 3, 4, 8}) {
    SCOPED_TRACE(lines);
    write_shard("1/2", {}, {"out", "b"}, {"in"}, lines);
    EXPECT_FALSE(fs::exists(folder_ / "out.1-of-2"));
    const auto record = nlohmann::json::parse(read("out.1-of-2.json")).at("record");
    EXPECT_EQ(record["lines"], lines / kWindow * kWindow);
    write_shard("1/2", {}, {"out", "b"});
    write_shard("2/2", {}, {"out", "b"});
    join();
    EXPECT_EQ(read("out"), expected(read("in")));
    EXPECT_EQ(read("b"), read("out"));
    remove_shards();
  }
}

TEST_F(WrittenShards, ThatAreCompleteAreLeftAsTheyAre) {
  write_shards(2);
  const std::vector<std::string> names = folder_.names();
  EXPECT_THAT(names,
              ElementsAre("in", "out.1-of-2", "out.1-of-2.json", "out.2-of-2", "out.2-of-2.json"));
  const auto time = fs::last_write_time(folder_ / "out.1-of-2");
  const std::string record = read("out.1-of-2.json");
  write_shard("1/2");
  EXPECT_EQ(fs::last_write_time(folder_ / "out.1-of-2"), time);
  EXPECT_EQ(read("out.1-of-2.json"), record);
  EXPECT_EQ(folder_.names(), names);
}

TEST_F(WrittenShards, HaveOneWriter) {
  Inputs one{{"in"}}, other{{"in"}};
  const ShardOutputs first(job("1/2", one, {"out"}, {}));
  EXPECT_ERROR(ShardOutputs(job("1/2", other, {"out"}, {})), ErrorKind::kIo,
               "is translating this shard; wait until it ends or stop it");
}

TEST_F(WrittenShards, OfOtherSettingsInputsOrOutputsAreNotContinued) {
  const Settings settings{{"nbest", "1"}, {"search.beam", "5"}};
  write_shard("1/2", settings);
  const auto expect_refused = [&](const Settings& now, const std::vector<std::string>& outputs,
                                  const std::vector<std::string>& names, const std::string& part) {
    EXPECT_ERROR(write_shard("1/2", now, outputs, names), ErrorKind::kUsage, part);
  };
  write("prefixes", std::string(20, '\n'));
  expect_refused(settings, {"out"}, {"in", "prefixes"}, "input files 1, not 2");
  expect_refused({{"nbest", "2"}, {"search.beam", "2"}}, {"out"}, {"in"},
                 "begun with nbest 1, not 2; search.beam 5, not 2");
  expect_refused(settings, {"out", "b"}, {"in"}, "output files out, not out, b");
  fs::last_write_time(folder_ / "in", fs::file_time_type::clock::now());
  expect_refused(settings, {"out"}, {"in"}, "in of another time of modification");
  const size_t size = read("in").size();
  write("in", read("in") + "a\n");
  expect_refused(settings, {"out"}, {"in"}, fmt::format("in of {} bytes, not ", size));
}

TEST_F(WrittenShards, OfAnInputThatChangesAreNotCompleted) {
  Inputs inputs{{"in"}};
  ShardOutputs shard(job("1/1", inputs, {"out"}, {}));
  write("in", read("in") + "a\n");
  EXPECT_ERROR(shard.commit(), ErrorKind::kData, "in: has changed while it was translated");
  EXPECT_FALSE(fs::exists(folder_ / "out.1-of-1"));
}

TEST_F(WrittenShards, NeedALineOfEveryFile) {
  write("prefixes", "a\nb\n");
  EXPECT_ERROR(write_shard("2/2", {}, {"out"}, {"in", "prefixes"}), ErrorKind::kData,
               "has fewer than the ");
}

TEST_F(WrittenShards, NeedPlainFilesThatCanBeReadFromTheMiddle) {
  write("in",
        std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03\x4b\xe4\x02\0\x07\xa1\xea\xdd\x02\0\0\0", 22));
  EXPECT_ERROR(write_shard("1/2"), ErrorKind::kUsage, "this is compressed; decompress it first");
  fs::remove(folder_ / "in");
  fs::create_symlink("/dev/null", folder_ / "in");
  EXPECT_ERROR(write_shard("1/2"), ErrorKind::kUsage, "is not a plain file");
}

TEST_F(WrittenShards, NeedAnOutputThatTheyCanBeJoinedTo) {
  fs::create_directory(folder_ / "folder");
  for (const char* output : {"folder", "folder/", "."})
    EXPECT_ERROR(write_shard("1/2", {}, {output}), ErrorKind::kIo, "this is a folder");
  EXPECT_ERROR(write_shard("1/2", {}, {"nowhere/out"}), ErrorKind::kIo, "there is no folder");
  fs::create_symlink("/dev/null", folder_ / "null");
  EXPECT_ERROR(write_shard("1/2", {}, {"null"}), ErrorKind::kUsage, "is not a regular file");
}

// A pipe in place of a file is neither waited for nor read to its end.
TEST_F(WrittenShards, DoNotWaitForAPipeInThePlaceOfTheirFiles) {
  for (const char* name : {"out.1-of-2.part", "out.1-of-2.json"}) {
    ASSERT_EQ(mkfifo((folder_ / name).c_str(), 0600), 0);
    EXPECT_ERROR(write_shard("1/2"), ErrorKind::kIo, "is not a regular file");
    fs::remove(folder_ / name);
    fs::create_symlink("/dev/zero", folder_ / name);
    EXPECT_ERROR(write_shard("1/2"), ErrorKind::kIo, "is not a regular file");
    fs::remove(folder_ / name);
  }
}

TEST(ShardNumbers, AreFrom1ToTheirCount) {
  EXPECT_EQ(parse_shard("2/7"), (LineShard{.number = 2, .count = 7}));
  for (const char* which :
       {"", "1", "/2", "1/", "0/2", "3/2", "01/2", "-1/2", "1/2/2", "1/9999999"})
    EXPECT_FALSE(parse_shard(which)) << which;
}

using JoinedShards = WrittenShards;

TEST_F(JoinedShards, AreAllOfTheSameSettings) {
  holds({"heed join"});
  expect_not_joined("out: there is no shard of it");
  for (const char* which : {"2/7", "4/7", "7/7"}) write_shard(which);
  expect_not_joined("4 of 7 shards are missing or not complete: 1,3,5-6;");
  write_shards(7);
  write_shard("1/2");
  expect_not_joined("there are shards of 2 and of 7; remove those of one");
  for (const char* name : {"out.1-of-2", "out.1-of-2.json"}) fs::remove(folder_ / name);
  fs::remove(folder_ / "out.3-of-7.json");
  write_shard("3/7", {{"search.beam", "1"}});
  expect_not_joined("shard 3 does not belong to the others: search.beam 1, not 5; remove ");
  fs::remove(folder_ / "out.3-of-7.json");
  write_shard("3/7");
  join();
  EXPECT_EQ(read("out"), expected(read("in")));
  // The files were moved to another folder.
  const TemporaryFolder moved;
  for (const std::string& name : folder_.names()) fs::rename(folder_ / name, moved / name);
  fs::remove(moved / "out");
  join_shards(moved / "out");
  EXPECT_EQ(read_plainly(moved / "out"), expected(read_plainly(moved / "in")));
}

// A changed digit of a record and a changed byte of a part are errors.
TEST_F(JoinedShards, HaveNoChangedByte) {
  write_shards(2, {"out", "a"});
  const std::string record = read("out.2-of-2.json");
  for (size_t at = 0; at < record.size(); ++at) {
    if (std::isdigit(static_cast<unsigned char>(record[at])) == 0) continue;
    std::string changed = record;
    changed[at] = changed[at] == '9' ? '8' : '9';
    write("out.2-of-2.json", changed);
    expect_not_joined("out.2-of-2.json: is damaged: its own hash does not");
  }
  for (const std::string& damaged :
       {std::string("{}"), std::string(), seal_json("\"record\":{}")}) {
    write("out.2-of-2.json", damaged);
    expect_not_joined("out.2-of-2.json: is not a record of a shard");
  }
  write("out.2-of-2.json", read("out.1-of-2.json"));
  expect_not_joined("is the record of shard 1 of 2; it was renamed");
  write("out.2-of-2.json", record);
  for (const char* name : {"out.1-of-2", "a.2-of-2"}) {
    const std::string part = read(name);
    for (const char instead : {'x', '\n'}) {
      write(name, instead + part.substr(1));
      expect_not_joined(std::string(name) + ": is damaged: has ");
      expect_not_joined(instead == 'x' ? " the hash " : " lines, expected ");
    }
    EXPECT_ERROR(write_shard(name[0] == 'o' ? "1/2" : "2/2", {{"search.beam", "5"}}, {"out", "a"}),
                 ErrorKind::kIo, std::string(name) + ": is missing or has not the ");
    write(name, part + "a\n");
    expect_not_joined("1 of 2 shards are missing or not complete");
    write(name, part);
  }
}

// The record was changed and then sealed again, as by a program that writes records.
TEST_F(JoinedShards, HaveRecordsThatFitTogether) {
  write_shards(3);
  const auto record = nlohmann::json::parse(read("out.2-of-3.json")).at("record");
  for (const auto& [pointer, value] : {std::pair{"/lines", -1},
                                       {"/outputs/0/content/lines", 1},
                                       {"/outputs/0/content/bytes", -5},
                                       {"/offsets/0", 3},
                                       {"/range/offsets/0", 3},
                                       {"/range/begin", 1},
                                       {"/range/end", 1},
                                       {"/shard/count", 1000},
                                       {"/inputs/0/bytes", 7}}) {
    auto changed = record;
    changed[nlohmann::json::json_pointer(pointer)] = value;
    write("out.2-of-3.json", seal_json("\"record\":" + changed.dump()));
    expect_not_joined("out");
  }
  write("out.2-of-3.json", seal_json("\"record\":" + record.dump()));
  join();
}

}  // namespace
}  // namespace heed
