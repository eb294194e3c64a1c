// Corpora in one file: tables, JSON lines, and what is none of them.
#include <gmock/gmock.h>

#include "base/utf8.h"
#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// The toy corpus as train.tsv and valid.tsv with names, and as train.jsonl and valid.jsonl.
class Tables : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    for (const std::string part : {"train", "valid"}) {
      const auto sources = lines_of(workshop_.read(part + ".src")),
                 targets = lines_of(workshop_.read(part + ".tgt"));
      std::string rows = "source\tid\ttarget\n", objects;
      for (size_t i = 0; i < sources.size(); ++i) {
        rows += fmt::format("{}\t{}\t{}\n", sources[i], i, targets[i]);
        objects += fmt::format(R"({{"id": {}, "translation": {{"en": "{}", "de": "{}"}}}})", i,
                               sources[i], targets[i]) +
                   "\n";
      }
      write(part + ".tsv", rows);
      write(part + ".jsonl", objects);
    }
  }
  void write(const std::string& name, const std::string& text) const {
    write_plainly(workshop_ / name, text);
  }
  Outcome run(const Arguments& arguments) const { return workshop_.run(arguments); }
  Outcome new_config(const Arguments& arguments) const {
    return run(joined({"config", "new"}, arguments));
  }
  Outcome train(const std::string& name, const Arguments& more) const {
    const Outcome outcome =
        run(joined({"train", "toy.yaml", "--run", name, "--set", "train.max_updates=12", "--set",
                    "train.validate={every: 6, metric: bleu}", "--set", "train.workers=1"},
                   more));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome;
  }
  void expect_equal_models(const std::string& a, const std::string& b) const {
    for (const char* file : {"latest/model/model.safetensors", "latest/optimizer.safetensors"})
      EXPECT_EQ(workshop_.read(a + "/" + file), workshop_.read(b + "/" + file))
          << a << " and " << b;
  }

  ToyWorkshop workshop_;
};

const Arguments kNamedTsv = {
    "--set", "data.train=[{tsv: train.tsv, source: source, target: target}]", "--set",
    "data.valid={tsv: valid.tsv, source: source, target: target}"};
const Arguments kJson = {
    "--set", "data.train=[{jsonl: train.jsonl, source: translation.en, target: translation.de}]",
    "--set", "data.valid={jsonl: valid.jsonl, source: translation.en, target: translation.de}"};

TEST_F(Tables, TrainTheSameModelAsTwoFiles) {
  holds({"data.train[].tsv", "data.train[].jsonl", "data.valid.tsv", "data.valid.jsonl"});
  train("plain", {});
  train("tsv", kNamedTsv);
  train("jsonl", kJson);
  train("cached", joined(kJson, {"--set", "data.cache=kept"}));
  train("cached-again", joined(kJson, {"--set", "data.cache=kept"}));
  for (const char* other : {"tsv", "jsonl", "cached", "cached-again"})
    expect_equal_models("plain", other);
}

// The source of each row, and the translation.
std::vector<std::string> first_cells(const std::string& rows) {
  std::vector<std::string> cells;
  for (const std::string& row : lines_of(rows)) cells.push_back(row.substr(0, row.find('\t')));
  return cells;
}
std::vector<std::string> last_cells(const std::string& rows) {
  std::vector<std::string> cells;
  for (const std::string& row : lines_of(rows)) cells.push_back(row.substr(row.find('\t') + 1));
  return cells;
}

TEST_F(Tables, AreReadAndWrittenColumnByColumn) {
  holds({"--input", "--format", "--reference", "--target"});
  train("plain", {});
  const std::string plain = run({"translate", "plain", "-i", "valid.src"}).out;
  const Outcome rows =
      run({"translate", "plain", "-i", "valid.tsv:source", "--format", "tsv", "-o", "out.tsv"});
  EXPECT_EQ(rows.exit_code, 0) << rows.err;
  EXPECT_EQ(first_cells(workshop_.read("out.tsv")), lines_of(workshop_.read("valid.src")));
  EXPECT_EQ(last_cells(workshop_.read("out.tsv")), lines_of(plain));
  EXPECT_EQ(run({"translate", "plain", "-i", "valid.jsonl:translation.en"}).out, plain);
  write("plain.txt", plain);
  const auto score = [&](const std::string& texts, const std::string& references) {
    const Outcome outcome = run({"evaluate", "-i", texts, "-r", references});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_EQ(score("out.tsv:2", "valid.tsv:target"), score("plain.txt", "valid.tgt"));
  EXPECT_EQ(run({"evaluate", "--model", "plain", "-s", "valid.tsv:source", "-r", "valid.tgt"}).out,
            score("plain.txt", "valid.tgt"));
  EXPECT_EQ(
      run({"score", "plain", "-s", "valid.tsv:source", "-t", "valid.jsonl:translation.de"}).out,
      run({"score", "plain", "-s", "valid.src", "-t", "valid.tgt"}).out);
}

// One column by its name, the other one by its number.
TEST_F(Tables, HaveColumnsByNameAndNumber) {
  for (const auto& [source, target] : {std::pair("source", "3"), std::pair("1", "target")}) {
    const std::string config = fmt::format("by-{}.yaml", target);
    ASSERT_EQ(new_config({"train.tsv", "--source", source, "--target", target, "--valid",
                          "valid.tsv", "-o", config})
                  .exit_code,
              0);
    EXPECT_THAT(workshop_.read(config), HasSubstr("      source: source\n      target: target\n"));
    const Outcome converted = run({"convert", "train.tsv", "--source", source, "--target", target,
                                   "-o", "out.src", "out.tgt"});
    ASSERT_EQ(converted.exit_code, 0) << converted.err;
    EXPECT_EQ(workshop_.read("out.src"), workshop_.read("train.src"));
    EXPECT_EQ(workshop_.read("out.tgt"), workshop_.read("train.tgt"));
    const std::string keys = fmt::format("source: {}, target: {}", source, target);
    const Outcome checked =
        run({"config", "check", "toy.yaml", "--set", "data.train=[{tsv: train.tsv, " + keys + "}]",
             "--set", "data.valid={tsv: valid.tsv, " + keys + "}"});
    EXPECT_EQ(checked.exit_code, 0) << checked.err;
    EXPECT_EQ(checked.err.find("names of columns"), std::string::npos) << checked.err;
  }
  const Outcome two =
      run({"convert", "train.tsv:source", "train.tsv:3", "-o", "two.src", "two.tgt"});
  ASSERT_EQ(two.exit_code, 0) << two.err;
  EXPECT_EQ(workshop_.read("two.tgt"), workshop_.read("train.tgt"));
  EXPECT_THAT(run({"evaluate", "-i", "train.tsv:target", "-r", "train.tsv:3"}).out,
              HasSubstr("100.0"));
  // The other one of two columns is not the same again.
  write("two.tsv", "en\tde\na b\tc d\n");
  const Outcome rest = run({"convert", "two.tsv", "--source", "1", "-o", "rest.src", "rest.tgt"});
  ASSERT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_EQ(workshop_.read("rest.src") + workshop_.read("rest.tgt"), "a b\nc d\n");
  EXPECT_FAILS(run({"convert", "two.tsv", "--source", "1", "--target", "en", "-o", "x", "y"}), 2,
               "source and target are both 'en'");
}

TEST_F(Tables, SayWhichColumnIsMissing) {
  train("plain", {});
  const auto refused = [&](const Arguments& arguments, int code, const std::string& part) {
    const Outcome outcome = run(joined({"translate", "plain"}, arguments));
    EXPECT_EQ(outcome.exit_code, code);
    EXPECT_THAT(outcome.err, HasSubstr(part));
  };
  refused({"-i", "valid.tsv:sorce"}, 3, "has no column 'sorce', found: source, id, target");
  write("short.tsv", "a\tb\na\n");
  refused({"-i", "short.tsv:2"}, 3, "short.tsv:2: has 1 column, expected column 2");
  refused({"-i", "none.tsv:2"}, 5, "none.tsv");
  refused({"-i", "valid.tsv:source", "-o", "out", "--shard", "1/2"}, 2, "found a column");
  refused({"-i", "valid.tsv:source", "--format", "tsv", "--nbest", "2"}, 2, "found --nbest");
  write("odd.tsv:1", "a b\n");  // a file of this name comes first
  EXPECT_EQ(run({"translate", "plain", "-i", "odd.tsv:1"}).exit_code, 0);
}

TEST_F(Tables, TestSetsAreTablesToo) {
  holds({"data.test.NAME.tsv", "data.test.NAME.jsonl"});
  const Outcome outcome =
      train("tested", {"--set",
                       "data.test={a: {tsv: valid.tsv, source: source, target: target}, b: {jsonl: "
                       "valid.jsonl, source: translation.en, target: translation.de}, c: {source: "
                       "valid.src, target: valid.tgt}}"});
  std::vector<std::string> scores;
  for (const std::string& line : lines_of(outcome.err)) {
    if (line.find(", checkpoint of update ") != std::string::npos)
      scores.push_back(line.substr(line.find(": ")));
  }
  ASSERT_EQ(scores.size(), 3U) << outcome.err;
  EXPECT_EQ(scores[0], scores[2]);
  EXPECT_EQ(scores[1], scores[2]);
}

TEST_F(Tables, HaveANewConfig) {
  holds({"--test", "--valid", "heed config new"});
  EXPECT_FAILS(new_config({"train.tsv"}), 2, "name the two sides: heed config new train.tsv");
  const Outcome table =
      new_config({"train.tsv", "--source", "source", "--target", "target", "--valid", "valid.tsv",
                  "-o", "a.yaml", "--test", "valid.tsv", "train.tsv"});
  ASSERT_EQ(table.exit_code, 0) << table.err;
  EXPECT_THAT(workshop_.read("a.yaml"),
              AllOf(HasSubstr("    valid:\n      tsv: valid.tsv\n      source: source\n"),
                    HasSubstr("    train:\n      tsv: train.tsv\n")));
  EXPECT_EQ(run({"config", "check", "a.yaml"}).exit_code, 0);
  EXPECT_FAILS(new_config({"--source", "two", "--valid", "x"}), 2, "--valid");
}

// Runs the command that the message gives behind "convert it: ".
class Converted : public Tables {
 protected:
  void convert(const Outcome& refused) const {
    EXPECT_EQ(refused.exit_code, 3) << refused.err;
    const size_t at = refused.err.find("convert it: ");
    ASSERT_NE(at, std::string::npos) << refused.err;
    const std::string command = refused.err.substr(at + std::string("convert it: ").size());
    const std::string programs = std::filesystem::path(program_path()).parent_path().string();
    ASSERT_EQ(std::system(fmt::format("cd '{}' && PATH=\"{}:$PATH\" && {}",
                                      workshop_.path().string(), programs, command)
                              .c_str()),
              0)
        << command;
  }
};

TEST_F(Converted, TmxIsATableAfterOneCommand) {
  write("a.tmx",
        "<?xml version=\"1.0\"?>\n<tmx version=\"1.4\"><header/>\n<body>\n"
        "<tu><tuv xml:lang=\"en\"><seg>one &amp; <bpt i=\"1\"/>two</seg></tuv>\n"
        "<tuv xml:lang=\"de\"><seg>eins und\n zwei</seg></tuv></tu>\n"
        "<tu><tuv xml:lang=\"en\"><seg>three</seg></tuv><tuv "
        "xml:lang=\"de\"><seg>drei</seg></tuv></tu>\n"
        "</body></tmx>\n");
  convert(
      run({"config", "check", "toy.yaml", "--set", "data.train=[{source: a.tmx, target: a.tmx}]"}));
  EXPECT_EQ(workshop_.read("a.tsv"), "one & two\teins und zwei\nthree\tdrei\n");
  EXPECT_EQ(new_config({"a.tsv"}).exit_code, 0);
  EXPECT_EQ(new_config({"--source", "a.tmx", "--target", "a.tmx"}).exit_code, 3);
}

// The corpus of the tables as TMX and in archives trains the same model.
TEST_F(Tables, TrainAlikeCompressedAndAsTmx) {
  holds({"heed convert", "--to", "--source-name", "--target-name", "data.train[].tmx",
         "data.valid.tmx", "data.test.NAME.tmx"});
  for (const std::string part : {"train", "valid"})
    for (const char* ending : {".tmx.xz", ".jsonl.zst"}) {
      const Outcome converted =
          run({"convert", part + ".tsv", "--source", "source", "--target", "target", "-o",
               part + ending, "--source-name", "en", "--target-name", "de-DE"});
      ASSERT_EQ(converted.exit_code, 0) << converted.err;
    }
  ASSERT_EQ(std::system(fmt::format("cd '{}' && python3 -m zipfile -c all.zip train.src train.tgt",
                                    workshop_.path().string())
                            .c_str()),
            0);
  train("tsv", kNamedTsv);
  train("tmx", {"--set", "data.train=[{tmx: train.tmx.xz, source: en, target: de}]", "--set",
                "data.valid={tmx: valid.tmx.xz, source: en, target: de}", "--set",
                "data.test={t: {tmx: valid.tmx.xz, source: en, target: de}}"});
  train("jsonl", {"--set", "data.train=[{jsonl: train.jsonl.zst, source: en, target: de-DE}]",
                  "--set", "data.valid={jsonl: valid.jsonl.zst, source: en, target: de-DE}"});
  train("zip", {"--set", "data.train=[{source: all.zip/train.src, target: all.zip/train.tgt}]",
                "--set", "data.cache=cache"});
  for (const char* other : {"tmx", "jsonl", "zip"}) expect_equal_models("tsv", other);
  const Outcome config = new_config({"train.tmx.xz", "-o", "a.yaml"});
  ASSERT_EQ(config.exit_code, 0) << config.err;
  EXPECT_THAT(config.err, HasSubstr("train.tmx.xz: source is language 'en', target 'de-DE'"));
  EXPECT_THAT(workshop_.read("a.yaml"),
              HasSubstr("    - tmx: train.tmx.xz\n      source: en\n      target: de-DE\n"));
  EXPECT_EQ(run({"config", "check", "a.yaml"}).exit_code, 0);
  EXPECT_THAT(run({"config", "check", "toy.yaml", "--set",
                   "data.train=[{source: all.zip, target: train.tgt}]"})
                  .err,
              HasSubstr("all.zip: the archive has 2 members, expected one text: train.src, "
                        "train.tgt; name one as "));
}

TEST_F(Converted, XmlJsonAndCsvAreTextAfterOneCommand) {
  write("a.xml", "<?xml version=\"1.0\"?>\n<text><s>one\n two</s><s/><s>three</s></text>\n");
  convert(new_config({"a.xml"}));
  EXPECT_EQ(workshop_.read("a.txt"), "one two\nthree\n");
  write("b.json",
        "[{\"en\": \"on\xc3\xab\", \"de\": \"eins\"},\n {\"en\": \"two\", \"de\": \"zwei\"}]\n");
  convert(new_config({"b.json"}));
  EXPECT_THAT(new_config({"b.jsonl"}).out, HasSubstr("source: en\n      target: de\n"));
  write("d.txt", "one;eins\n\"two; three\";zwei\n");
  const Outcome semicolons = new_config({"d.txt"});
  EXPECT_THAT(semicolons.err, HasSubstr("d.txt: semicolon-separated values"));
  convert(semicolons);
  EXPECT_EQ(workshop_.read("d.tsv"), "one\teins\ntwo; three\tzwei\n");
  EXPECT_EQ(new_config({"d.tsv"}).exit_code, 0);
  write("c.csv", "\"one, \"\"two\"\"\",\"eins\nzwei\"\n");
  convert(new_config({"c.csv"}));
  EXPECT_EQ(workshop_.read("c.tsv"), "one, \"two\"\teins zwei\n");
}

}  // namespace
}  // namespace heed
