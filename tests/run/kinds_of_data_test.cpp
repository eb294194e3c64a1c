// Data of alignments, tags, source factors and edges, as they are read before a training.
#include <gmock/gmock.h>

#include <sstream>

#include "holds.h"
#include "run/checked_config.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class KindsOfData : public CheckedConfig {
 protected:
  // For each line what `make` says of its number of words.
  template <class Make>
  static std::string for_lines(const std::string& file, const Make& make) {
    std::istringstream lines(read_plainly(file));
    std::string text;
    for (std::string line; std::getline(lines, line);)
      text += make(1 + std::count(line.begin(), line.end(), ' ')) + "\n";
    return text;
  }
  static std::string repeated(const std::string& word, int64_t times) {
    std::string line;
    for (int64_t i = 0; i < times; ++i) line += (i > 0 ? " " : "") + word;
    return line;
  }
  // The text with another first line.
  static std::string with_first(const std::string& line, const std::string& text) {
    return line + text.substr(text.find('\n'));
  }
};

class AlignedData : public KindsOfData {
 protected:
  AlignedData() {
    write("train.tgt", read_plainly("train.src"));
    write("links", for_lines("train.src", [](int64_t words) {
            std::string line;
            for (int64_t i = 0; i < words; ++i) line += fmt::format("{0}{1}-{1}", i ? " " : "", i);
            return line;
          }));
    write("c.yaml",
          "run: r\n"
          "data: {train: [{source: train.src, target: train.tgt, alignment: links}]}\n"
          "text: {source: words, target: {share: source}}\n"
          "model: {decoder: {type: rnn, attend: before, attention: {score: additive}}}\n"
          "train: {max_updates: 1, guided_alignment: {weight: 1}}\n");
  }
};

// fast_align counts words between spaces: a no-break space is part of a word.
TEST_F(AlignedData, CountWordsBetweenSpaces) {
  for (const char* side : {"train.src", "train.tgt"})
    write(side, with_first("a\u00A0b c", read_plainly(side)));
  const std::string subwords = "text.source={type: sentencepiece, size: 40}";
  write("links", with_first("0-1 1-0", read_plainly("links")));
  EXPECT_THAT(findings({subwords}), Not(HasSubstr("error")));
  write("links", with_first("0-2", read_plainly("links")));
  EXPECT_THAT(findings({subwords}),
              HasSubstr("error 3: links:1: link 0-2, but the last word of the target is 1\n"));
}

// An alignment of the subwords of a text with joiners is not taken for one of its words.
TEST_F(AlignedData, OfPartsAreRefused) {
  write("train.src", with_first("a@@ b c", read_plainly("train.src")));
  write("links", with_first("2-0", read_plainly("links")));
  EXPECT_THAT(
      findings({"text.source={type: words, join: '@@ '}"}),
      HasSubstr("links:1: link 2-0, but the last word of the source is 1 (3 parts between spaces, "
                "which `join` makes 2 words: count words of the text without the joiner)"));
}

// There are two sources, the first of which has one word a line.
TEST_F(AlignedData, AreOfTheSourceThatTheDecoderAttendsTo) {
  write("word", for_lines("train.src", [](int64_t) { return std::string("a"); }));
  const auto attends_to = [](const std::string& source) {
    return findings(
        {"data={train: [{source: {a: word, b: train.src}, target: train.tgt, alignment: links}]}",
         "text={a: words, b: {share: a}, target: {share: a}}",
         "model={encoders: {a: {type: rnn, width: 8}, b: {type: rnn, width: 8}}, decoder: {type: "
         "rnn, width: 8, attention: {type: one_source, source: " +
             source + ", attention: {score: additive}}}}"});
  };
  EXPECT_THAT(attends_to("b"), Not(HasSubstr("error")));
  EXPECT_THAT(attends_to("a"), HasSubstr("but the last word of the source is 0"));
}

class TaggedData : public KindsOfData {
 protected:
  TaggedData() {
    write("few.src", toy_lines(5, 250));
    write("few.tgt", toy_lines(6, 250));
    write("c.yaml",
          "run: r\n"
          "data:\n"
          "  train:\n"
          "    - {source: train.src, target: train.tgt, tag: same}\n"
          "    - {source: few.src, target: few.tgt, tag: back}\n"
          "text: {source: words, target: {share: source}}\n"
          "train: {max_updates: 1}\n");
  }
};

TEST_F(TaggedData, OfWhichNothingIsLeftAreRefused) {
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += repeated("a", 200) + "\n";
  write("long", lines);
  EXPECT_THAT(
      findings({"data.train[1]={source: long, target: long, tag: back}"}),
      HasSubstr("error 3: data.train: no pair with the tag back is left (long + long: 100 pairs, 0 "
                "kept; left out: 100 too long)"));
  // Another corpus has pairs with the tag.
  EXPECT_THAT(
      findings({"data.train=[{source: train.src, target: train.tgt, tag: same}, {source: few.src, "
                "target: few.tgt, tag: back}, {source: long, target: long, tag: back}]"}),
      AllOf(Not(HasSubstr("error")),
            HasSubstr("left out: 100 too long: nothing is learned from this corpus")));
}

TEST_F(TaggedData, AreDrawnWithATemperature) {
  holds({"data.temperature"});
  // The roots of 1,000 and 250 are as two to one.
  EXPECT_THAT(findings({"data.temperature=2"}),
              AllOf(HasSubstr("1,000 kept (weight 0.8333), 66.7% of an epoch"),
                    HasSubstr("250 kept (weight 1.667), 33.3% of an epoch")));
}

class LabelledData : public KindsOfData {
 protected:
  LabelledData() {
    write("form", for_lines("train.src", [](int64_t words) { return repeated("small", words); }));
    write("c.yaml",
          "run: r\n"
          "data: {train: [{source: train.src, target: train.tgt, factors: {form: form}}]}\n"
          "text: {source: words, target: words}\n"
          "model: {embedding: {width: 32, source_factors: {form: {width: 8}}}}\n"
          "train: {max_updates: 1}\n");
  }
};

TEST_F(LabelledData, HaveOneLabelForEachWord) {
  EXPECT_THAT(findings(), Not(HasSubstr("error")));
  const std::string labels = read_plainly("form");
  std::string more = labels;
  write("form", more.insert(labels.find('\n') + 1, "small "));
  EXPECT_THAT(findings(), AllOf(HasSubstr("error 3: form:2: "),
                                HasSubstr("give one label for each word, separated by spaces")));
  write("form", "small\n");
  EXPECT_THAT(findings(), HasSubstr("form: 1 lines"));
}

// In text without spaces each character is a word, and has a label; a subword may have several.
TEST_F(LabelledData, ThatNoTokenHasAreWarnedOf) {
  std::string characters;
  for (const char c : read_plainly("train.src")) {
    if (c != ' ') characters += c == '\n' ? "\n" : std::string("\u6728").replace(2, 1, 1, c + 0x40);
  }
  write("train.src", characters);
  EXPECT_THAT(findings({"text.source={type: sentencepiece, size: 80}"}),
              HasSubstr("% of the labels at the beginning of train.src + train.tgt are not used"));
  EXPECT_THAT(findings({"text.source=characters"}),
              AllOf(Not(HasSubstr("are not used")), Not(HasSubstr("error"))));
}

TEST_F(KindsOfData, OfEdgesThatNothingReadsAreLeftAlone) {
  write("edges", for_lines("train.src", [](int64_t) { return std::string("0-17"); }));
  EXPECT_THAT(findings({"data.train=[{source: train.src, target: train.tgt, edges: edges}]"}),
              AllOf(HasSubstr("data.train has edges, but no attention of the model uses them"),
                    Not(HasSubstr("error"))));
}

TEST_F(KindsOfData, OfEdgesAreAskedForAndChecked) {
  write("edges", for_lines("train.src", [](int64_t) { return std::string("0-0"); }));
  write("c.yaml",
        "run: r\n"
        "data:\n"
        "  train: [{source: train.src, target: train.tgt, edges: edges}]\n"
        "  valid: {source: train.src, target: train.tgt, edges: edges}\n"
        "text: {source: words, target: {share: source}}\n"
        "model:\n"
        "  encoder:\n"
        "    type: transformer\n"
        "    width: 16\n"
        "    self_attention: {score: scaled_dot, heads: 2, terms: [edges]}\n"
        "  decoder: {type: rnn, width: 16}\n"
        "train: {max_updates: 1}\n");
  EXPECT_THAT(findings(), Not(HasSubstr("error")));
  const std::string plain = "{source: train.src, target: train.tgt}";
  EXPECT_THAT(mistakes({"data.train=[" + plain + "]", "data.valid=" + plain}),
              HasSubstr("data.train[0]: has no `edges`"));
  EXPECT_THAT(mistakes({"data.valid=" + plain}),
              HasSubstr("give all corpora an edge list, or none"));
  EXPECT_THAT(mistakes({"data.valid.edges=no.such"}), HasSubstr("there is no file"));
  std::string wrong = read_plainly("edges");
  write("edges", wrong.insert(wrong.find('\n') + 1, "17-0 "));
  EXPECT_THAT(findings(), HasSubstr("edges:2: edge 17-0, but the last word"));
  write("edges", "0-0\n");
  EXPECT_THAT(findings(), HasSubstr("edges: 1 lines"));
}

TEST_F(KindsOfData, OfASecondSourceMayBeEmpty) {
  std::string hints;
  for (int i = 0; i < 1000; ++i) hints += i % 3 == 0 ? "\n" : "short\n";
  write("hint", hints);
  EXPECT_THAT(
      findings({"data.train=[{source: {hint: hint, text: train.src}, target: train.tgt}]",
                "text={text: words, hint: words, target: {share: text}}",
                "model={encoders: {text: {type: rnn, width: 8}, hint: {type: rnn, width: 8}}, "
                "decoder: {type: rnn, width: 8, attention: multi_source}}"}),
      HasSubstr("hint + train.src + train.tgt: 1,000 pairs, 1,000 kept"))
      << "a line without a hint is one to learn from";
}

// An empty line has no parts.
TEST_F(KindsOfData, OfDocumentsWithEmptyPartsAreTold) {
  write("docs", "a c b || a x b\n| a c b\n\na y b | a c b\n");
  write("label", "x\nx\nx\ny\n");
  EXPECT_THAT(findings({"data.train=[{source: docs, target: label}]", "data.min_kept=0.5",
                        "text={source: {type: words, marker: '|'}, target: words}",
                        "model.encoder={type: hierarchical, word_encoder: {type: rnn, width: 16}, "
                        "sentence_encoder: {type: rnn, width: 16}}"}),
              HasSubstr("changed: 2 with empty parts between markers, left out"));
}

}  // namespace
}  // namespace heed
