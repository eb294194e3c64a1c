// Every mistake has a message with its place; each of these is one that a person makes.
#include "example.h"

namespace heed::example {
namespace {

using Messages = std::vector<std::string>;

TEST(ConfigProblems, ShowsAllMistakesAtOnce) {
  const std::string text =
      "seed: 010\n"                                 //  1 a leading zero
      "nmae: x\n"                                   //  2 an unknown key
      "rate: \"0.1\"\n"                             //  3 a number in quotes
      "clip: .inf\n"                                //  4 not finite
      "max_time: 90\n"                              //  5 no unit
      "sides: {a: b}\n"                             //  6 a map for a list
      "train:\n"                                    //
      "  - {source: a.en, weight: 0}\n"             //  7, 8 a target is missing, out of range
      "  - b.en\n"                                  //  9 a text for a map
      "batch: {tokens: 10, sentences: 2}\n"         // 10 both
      "model:\n"                                    //
      "  tie: al\n"                                 // 11 a misspelt word
      "  bias: yes\n"                               // 12 not a YAML 1.2 truth
      "  dropout: 1\n"                              // 13 the open end of a range
      "  extra: adative\n"                          // 14 an unknown kind
      "  layer:\n"                                  //
      "    heads: 7\n"                              // 15 does not divide 512
      "    terms: [dot, {type: dot, hidden: 3}]\n"  // 16 a key of another kind
      "  bias: true\n";                             // 17 given twice
                                                    // 18 run is missing
  EXPECT_EQ(
      problems_of(text),
      (Messages{
          "c.yaml:1:1: run: is missing (where it goes)",
          "c.yaml:1:7: seed: found '010', expected a whole number, at least 0; write 10",
          "c.yaml:2:1: nmae: unknown key; did you mean 'name'?",
          "c.yaml:3:7: rate: found \"0.1\" in quotes, expected a number, above 0; write it without "
          "quotes",
          "c.yaml:4:7: clip: found '.inf', expected a number, at least 0, or ~ for none; it must "
          "be finite",
          "c.yaml:5:11: max_time: found '90', expected a time such as 90s, 45m, 2h or 1d, or ~ for "
          "none; a unit is "
          "missing: 90s, 90m, 90h or 90d",
          "c.yaml:6:8: sides: found a map, expected a list: [{…}, …]",
          "c.yaml:8:5: train[0].target: is missing (what is written)",
          "c.yaml:8:28: train[0].weight: found '0', expected a number, above 0",
          "c.yaml:9:5: train[1]: found 'b.en', expected a map of settings",
          "c.yaml:10:32: batch.sentences: tokens is given too; leave one of them out",
          "c.yaml:12:8: model.tie: found 'al', expected none, target or all; did you mean 'all'?",
          "c.yaml:13:9: model.bias: found 'yes', expected true or false; write true",
          "c.yaml:14:12: model.dropout: found '1', expected a number, at least 0 and below 1",
          "c.yaml:15:10: model.extra.type: found 'adative', expected one of additive, dot; did you "
          "mean 'additive'?",
          "c.yaml:17:12: model.layer.heads: 7 does not divide the width 512",
          "c.yaml:18:30: model.layer.terms[1].hidden: unknown key of type 'dot'; there are scaled, "
          "scale, type",
          "c.yaml:19:3: model.bias: given twice, first in line 13; leave one of them out",
      }));
}

TEST(ConfigProblems, KnowsTheTypesApart) {
  const std::string whole = "expected a whole number, at least 0",
                    number = "expected a number, above 0", truth = "expected true or false",
                    time = "expected a time such as 90s, 45m, 2h or 1d";
  const std::vector<std::tuple<const char*, const char*, std::string>> cases{
      {"seed", "1.0", "found '1.0', " + whole + "; write 1"},
      {"seed", "1e3", "found '1e3', " + whole + "; write 1000"},
      {"seed", "-1e3", "found '-1e3', " + whole},
      {"seed", "1_000", "found '1_000', " + whole + "; write 1000"},
      {"seed", "+5", "found '+5', " + whole + "; write 5"},
      {"seed", "0x10", "found '0x10', " + whole},
      {"seed", "0o17", "found '0o17', " + whole},
      {"seed", "-007", "found '-007', " + whole},
      {"seed", "00", "found '00', " + whole + "; write 0"},
      {"seed", "1.5", "found '1.5', " + whole},
      {"seed", "9223372036854775808",
       "found '9223372036854775808', " + whole + "; it is too large"},
      {"seed", "true", "found 'true', " + whole},
      {"seed", "~", "found no value, " + whole},
      {"seed", "", "found no value, " + whole},
      {"seed", "[1]", "found a list, " + whole},
      {"seed", "{a: 1}", "found a map, " + whole},
      {"seed", "'1'", "found \"1\" in quotes, " + whole + "; write it without quotes"},
      {"seed", "1 2", "found '1 2', " + whole},
      {"rate", ".5", "found '.5', " + number + "; write 0.5"},
      {"rate", "5.", "found '5.', " + number + "; write 5.0"},
      {"rate", "010.5", "found '010.5', " + number + "; write 10.5"},
      {"rate", "nan", "found 'nan', " + number + "; it must be finite"},
      {"rate", ".NaN", "found '.NaN', " + number + "; it must be finite"},
      {"rate", "-Infinity", "found '-Infinity', " + number + "; it must be finite"},
      {"rate", "1e999", "found '1e999', " + number + "; it is too large"},
      {"rate", "1,5", "found '1,5', " + number + "; write 1.5"},
      {"rate", "0", "found '0', " + number},
      {"rate", "-1", "found '-1', " + number},
      {"pause", "2 h", "found '2 h', " + time},
      {"pause", "1h30m", "found '1h30m', " + time},
      {"pause", "0s", "found '0s', " + time + ", above 0"},
      {"pause", "-5m", "found '-5m', " + time + ", above 0"},
      {"pause", "h", "found 'h', " + time},
      {"pause", "1e308d", "found '1e308d', " + time + ", above 0"},
      {"name", "~", "found no value, expected a text; write '' for an empty one"},
      {"name", "[a]", "found a list, expected a text"},
      {"run", "''", "found \"\" in quotes, expected a path"},
      {"run", "\"a\\0b\"", "found \"a b\" in quotes, expected a path"},
      {"model.bias", "True", "found 'True', " + truth + "; write true"},
      {"model.bias", "on", "found 'on', " + truth + "; write true"},
      {"model.bias", "No", "found 'No', " + truth + "; write false"},
      {"model.bias", "off", "found 'off', " + truth + "; write false"},
      {"model.bias", "1", "found '1', " + truth + "; write true"},
      {"model.bias", "maybe", "found 'maybe', " + truth},
      {"model.bias", "\"true\"",
       "found \"true\" in quotes, " + truth + "; write it without quotes"},
      {"model.tie", "Target",
       "found 'Target', expected none, target or all; did you mean 'target'?"},
      {"model.tie", "~", "found no value, expected none, target or all"},
      {"model", "~", "found no value, expected a map of settings"},
      {"model", "[]", "found a list, expected a map of settings"},
      {"model.layer", "~",
       "found no value, expected one of attention, hops, or a map with `type:`"},
      {"model.layer", "[hops]",
       "found a list, expected one of attention, hops, or a map with `type:`"},
      {"train", "a", "found 'a', expected a list: […, …]"},
      {"train", "\"a\"", "found 'a', expected a list: […, …]"},
      {"train", "~", "found no value, expected a list: […, …]"},
      {"sides", "~", "found no value, expected a list: […, …]"},
      {"test", "[a]", "found a list, expected a map: {name: …}"},
      {"test", "a", "found 'a', expected a map: {name: …}"},
      {"test", "{source: a, target: b}",
       "found settings without a name, expected {NAME: {source: …, target: …}}"},
  };
  for (const auto& [key, value, complaint] : cases) {
    RootConfig config;
    config.run = "r";
    std::string text = std::string(key) == "run" ? "" : "run: r\n";
    const std::string path = key;
    const size_t dot = path.find('.');
    text += dot == std::string::npos
                ? path + ": " + value
                : path.substr(0, dot) + ":\n  " + path.substr(dot + 1) + ": " + value;
    const Messages found = problems_of(text + "\n", config);
    ASSERT_EQ(found.size(), 1u) << text << testing::PrintToString(found);
    EXPECT_TRUE(found[0].ends_with(": " + path + ": " + complaint)) << found[0] << "\n"
                                                                    << complaint;
  }
}

// Two entries for YAML, where braces stand around it.
TEST(ConfigProblems, HintsAtTheDecimalPoint) {
  EXPECT_EQ(problems_of("run: r\nrate: 0,001\n"),
            Messages{"c.yaml:2:7: rate: found '0,001', expected a number, above 0; write 0.001"});
  EXPECT_EQ(
      problems_of("run: r\nmodel: {dropout: 0,1}\n"),
      Messages{"c.yaml:2:20: model.1: unknown key; a number has no comma: write dropout: 0.1"});
  EXPECT_EQ(problems_of("run: r\nbatch: {tokens: 10,000}\n"),
            Messages{"c.yaml:2:20: batch.000: unknown key; a number has no comma: write tokens: "
                     "10000"});
}

TEST(ConfigProblems, SaysWhatIsNoYaml) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "c.yaml:1:1: the file is empty, expected settings as `key: value`"},
      {"# nothing\n", "c.yaml:1:1: the file is empty, expected settings as `key: value`"},
      {"- a\n", "c.yaml:1:1: found a list, expected settings as `key: value`"},
      {"text", "c.yaml:1:1: found 'text', expected settings as `key: value`"},
      {",", "c.yaml:1:1: expected `key: value`, found ','"},
      {"run: r\nseed: [1\n", "c.yaml:2:7: this bracket is not closed"},
      {"run: {a: 1\nb: 2\n", "c.yaml:1:6: this bracket is not closed"},
      {"run: a: b\n",
       "c.yaml:1:7: not YAML: no ':' can stand here; check the indentation, and quote texts that "
       "hold "
       "': '"},
      {"run: 'a\n", "c.yaml:1:6: this quote is not closed"},
      {"run: 'it''s\n", "c.yaml:1:6: this quote is not closed"},
      {"run: \"a\n", "c.yaml:"},
      {"run: @a\n", "c.yaml:1:6: not YAML: plain text cannot start like this; put it in quotes"},
      {"model:\n\ttie: all\n",
       "c.yaml:2:1: not YAML: a tab in the indentation; tabs are not allowed, use spaces"},
      {"model:\n  tie: all\n  \tbias: true\n", "c.yaml:3:3: not YAML: a tab in the indentation"},
      {"train:\n  -\tsource: a\n", "c.yaml:2:4: not YAML: a tab in the indentation"},
      {"run: r]\n]\n", "c.yaml:2:1: not YAML: this bracket was never opened"},
      {"run: r\n---\nseed: 1\n",
       "c.yaml:2:1: a second YAML document starts here; a file holds one config"},
      {"run: r\n...\nseed: 1\n",
       "c.yaml:3:1: a second YAML document starts here; a file holds one config"},
      {"run: &a r\n",
       "c.yaml:1:6: anchors (&a) are not supported; write the value out where it is needed"},
      {"run: *a\n", "c.yaml:1:6: not YAML: the referenced anchor is not defined"},
      {"seed: !!int 1\n",
       "c.yaml:1:7: tags (tag:yaml.org,2002:int) are not supported; leave it out"},
      {"model: !x {}\n", "c.yaml:1:8: tags (!x) are not supported; leave it out"},
      {"? [a]\n: b\n", "c.yaml:1:3: a key must be plain text, and every bracket closed"},
      {"~: b\n", "c.yaml:1:1: a key must be plain text, and every bracket closed"},
      {"'': b\n", "c.yaml:1:1: a key must be plain text, and every bracket closed"},
      {"run: a\x01z\n", "c.yaml:1:7: the control character 0x01; write it as \"\\x01\""},
      {"ä: 1\nrun: ä\xff\n", "c.yaml:2:7: the byte 0xff is not UTF-8; save the file as UTF-8"},
      {std::string("r\0u\0n\0", 6),
       "c.yaml:1:2: the byte 0x00 is not UTF-8; save the file as UTF-8"},
  };
  for (const auto& [text, expected] : cases) {
    const Messages found = problems_of(text);
    ASSERT_EQ(found.size(), 1u) << text << testing::PrintToString(found);
    EXPECT_TRUE(found[0].starts_with(expected)) << found[0] << "\n" << expected;
  }
}

TEST(ConfigProblems, NamesWhatIsMissingOnce) {
  struct Part final : Settings {
    std::string file;
    void fields(Fields& f) override {
      f.path("file", file, PathRoot::kConfigFolder, "a file");
      f.required("file");
    }
  };
  struct Whole final : Settings {
    Part part, other;
    int64_t n = 0;
    void fields(Fields& f) override {
      f.field("n", n, kNotNegative, "a number");
      f.section("part", part, "a part");
      f.section("other", other, "another part");
      f.required("part");
    }
  };
  Whole whole;
  EXPECT_EQ(problems_of("n: 1", whole), (Messages{"c.yaml:1:1: other.file: is missing (a file)",
                                                  "c.yaml:1:1: part: is missing (a part)"}));
  EXPECT_EQ(problems_of("n: 1\nother: {}\npart: {}", whole),
            (Messages{"c.yaml:2:1: other.file: is missing (a file)",
                      "c.yaml:3:1: part.file: is missing (a file)"}));
}

TEST(ConfigProblems, PutsWhatIsNotWrittenAtTheNearestThingThatIs) {
  EXPECT_EQ(problems_of("run: r\nclip: 1\nmodel:\n  layer: {type: attention, width: 100}\n"),
            (Messages{"c.yaml:2:7: clip: needs a rate that is written",
                      "c.yaml:4:3: model.layer.heads: 8 does not divide the width 100"}));
  EXPECT_EQ(problems_of("run: r\nrate: 0.1\nclip: 1\n"), Messages{});
}

TEST(ConfigProblems, DoesNotSayTwiceWhatFollowsFromAMistake) {
  EXPECT_EQ(
      problems_of("run: r\nmodel: {layer: {heads: x}}"),
      Messages{"c.yaml:2:24: model.layer.heads: found 'x', expected a whole number, from 1 to 64"});
  EXPECT_EQ(problems_of("run: r\nmodel: {tie: all}"),
            Messages{"c.yaml:2:14: model.tie: 'all' needs two sides"});
  EXPECT_EQ(
      problems_of("run: r\nmodel: {tie: all, tie: all}"),
      (Messages{"c.yaml:2:14: model.tie: 'all' needs two sides",
                "c.yaml:2:19: model.tie: given twice, first in line 2; leave one of them out"}));
}

}  // namespace
}  // namespace heed::example
