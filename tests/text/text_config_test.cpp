#include "text/text_config.h"

#include <gmock/gmock.h>

#include "config/reader.h"
#include "config/reference.h"
#include "config/writer.h"
#include "holds.h"
#include "text/characters.h"
#include "text/words.h"
#include "text_test_tools.h"

namespace heed {
namespace {

struct Holder final : Settings {
  TextConfigs text;
  void fields(Fields& f) override { f.map("text", text, "how the text becomes pieces"); }
  void validate(Problems& problems) const override {
    ProblemsAt at(problems, "text");
    validate_sharing(text, at);
    validate_target_marker(text, at);
  }
};

std::vector<std::string> problems_of(const std::string& yaml) {
  Holder holder;
  std::vector<std::string> texts;
  for (const Problem& problem : find_problems(yaml, "c.yaml", holder)) {
    texts.push_back(problem.text());
  }
  return texts;
}

template <class Config>
const Config& kind_of(const Holder& holder, const std::string& side) {
  return dynamic_cast<const Config&>(*holder.text.at(side).tokenizer);
}

TEST(TextConfig, RefusesATargetMarkerThatEndsALine) {
  const std::vector<std::string> problems =
      problems_of("text: {source: {type: words, marker: \"\\x1e\"}, target: {share: source}}\n");
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_THAT(problems[0], testing::HasSubstr("text.source.marker: holds a line separator"));
  EXPECT_TRUE(
      problems_of("text: {source: {type: words, marker: \"\\x1e\"}, target: words}\n").empty());
  EXPECT_TRUE(problems_of("text: {target: {type: words, marker: \"\\t\"}}\n").empty());
}

TEST(TextConfig, ReadsEveryKind) {
  Holder holder;
  read_config_text(
      "text:\n"
      "  a: {type: sentencepiece, size: 500, model_type: unigram, lower: true}\n"
      "  b: {share: a}\n"
      "  c: words\n"
      "  d: {type: words, join: '@@ ', vocabulary: {max_size: 9, min_count: 2}}\n"
      "  e: {type: characters, vocabulary: {file: letters}}\n"
      "  f: {size: 900}\n",
      "c.yaml", holder);
  EXPECT_EQ(kind_of<SentencePieceConfig>(holder, "a").size, 500);
  EXPECT_EQ(kind_of<SentencePieceConfig>(holder, "a").model_type, SubwordModel::kUnigram);
  EXPECT_TRUE(holder.text.at("a").tokenizer->lower);
  EXPECT_EQ(owner_of(holder.text, "b"), "a");
  EXPECT_EQ(owner_of(holder.text, "c"), "c");
  EXPECT_EQ(kind_of<WordsConfig>(holder, "c").join, "");
  EXPECT_EQ(kind_of<WordsConfig>(holder, "d").join, "@@ ");
  EXPECT_EQ(kind_of<WordsConfig>(holder, "d").vocabulary.max_size, 9);
  EXPECT_EQ(kind_of<CharactersConfig>(holder, "e").vocabulary.file, "letters");
  EXPECT_EQ(kind_of<SentencePieceConfig>(holder, "f").size, 900);
}

TEST(TextConfig, RefusesAnEmptyMarkerOfEveryKind) {
  for (const auto& kind : tokenizers()) {
    const auto problems =
        problems_of(fmt::format("text: {{a: {{type: {}, marker: ''}}}}\n", kind.name));
    ASSERT_EQ(problems.size(), 1u) << kind.name;
    EXPECT_THAT(problems[0], testing::HasSubstr("text.a.marker: is empty"));
  }
}

TEST(TextConfig, MakesTokenizersAsItSays) {
  holds({"text.NAME.join", "text.NAME.lower", "text.NAME=characters"});
  Holder holder;
  read_config_text(
      "text:\n"
      "  a: {type: words, lower: true}\n"
      "  b: {type: words, join: '@@ '}\n"
      "  c: {type: characters, lower: true}\n"
      "  d: characters\n"
      "  e: {type: sentencepiece, size: 80, lower: true}\n",
      "c.yaml", holder);
  const auto made = [&holder](const std::string& side) {
    return holder.text.at(side).tokenizer->make(source_of(some_sentences(500)), 1);
  };
  using Pieces = std::vector<std::string>;
  EXPECT_EQ(made("a")->encode("Ein Bär"), (Pieces{"ein", "bär"}));
  EXPECT_EQ(made("b")->encode("Un@@ sinn"), (Pieces{"Un@@", "sinn"}));
  EXPECT_EQ(made("a")->decode({"Un@@", "sinn"}), "Un@@ sinn");
  EXPECT_EQ(made("b")->decode({"Un@@", "sinn"}), "Unsinn");
  EXPECT_EQ(made("c")->encode("Ä b"), (Pieces{"ä", "▁", "b"}));
  EXPECT_EQ(made("d")->encode("Ä b"), (Pieces{"Ä", "▁", "b"}));
  EXPECT_EQ(made("e")->decode(made("e")->encode("Ein Bär")), "ein bär");
}

TEST(TextConfig, ComesBackAsItWasWritten) {
  Holder holder, again;
  read_config_text(
      "text:\n  source: {size: 500}\n  target: {share: source}\n  tags: {type: words, join: '@@ "
      "'}\n",
      "c.yaml", holder);
  const std::string text = write_config(holder);
  read_config_text(text, "again.yaml", again);
  EXPECT_EQ(write_config(again), text);
  EXPECT_EQ(flatten_config(again), flatten_config(holder));
  EXPECT_EQ(again.text.at("target").tokenizer->share, "source");
  EXPECT_EQ(kind_of<SentencePieceConfig>(again, "source").size, 500);
}

TEST(TextConfig, RefusesWhatMakesNoSense) {
  EXPECT_THAT(problems_of("text:\n  a: {share: b}\n  b: {share: c}\n  c: words\n  d: {share: d}\n"
                          "  e: {share: x}\n"),
              testing::ElementsAre(
                  testing::HasSubstr("c.yaml:2:14: text.a.share: 'b' shares another entry"),
                  testing::HasSubstr("c.yaml:5:14: text.d.share: 'd' is this entry itself"),
                  testing::HasSubstr("c.yaml:6:14: text.e.share: 'x' is not an entry of `text`")));
  EXPECT_THAT(problems_of("text:\n  a: words\n  b: {share: a, size: 7}\n"),
              testing::ElementsAre(testing::HasSubstr("text.b.size: unknown key")));
  EXPECT_THAT(problems_of("text:\n  a: {type: words, join: '@@'}\n"),
              testing::ElementsAre(testing::HasSubstr("text.a.join: '@@' is not a joiner")));
  EXPECT_THAT(problems_of("text:\n  a: {type: words, vocabulary: {file: v, max_size: 3}}\n"),
              testing::ElementsAre(testing::HasSubstr("text.a.vocabulary.max_size")));
  EXPECT_THAT(problems_of("text:\n  a: {type: sentencepeice}\n"),
              testing::ElementsAre(testing::HasSubstr("sentencepiece")));
  EXPECT_THAT(problems_of("text:\n  a: {type: characters, size: 100}\n"),
              testing::ElementsAre(testing::HasSubstr("text.a.size: unknown key")));
}

TEST(TextConfig, ReferenceShowsEveryKind) {
  Holder holder;
  const std::string reference = config_reference(holder);
  for (const char* key : {"character_coverage", "`join`", "`min_count`", "`share`", "characters"}) {
    EXPECT_NE(reference.find(key), std::string::npos) << key;
  }
}

TEST(TextConfig, MissingFilesAreProblemsOfTheirKey) {
  const TemporaryFolder folder;
  write_plainly(folder / "there", "x\n");
  Holder holder;
  read_config_text(
      "text:\n  a: {model: gone.model}\n  b: {type: words, vocabulary: {file: there}}\n"
      "  c: {type: words, vocabulary: {file: gone.words}}\n",
      "c.yaml", holder);
  struct Collected final : Problems {
    std::vector<std::string> texts;
    void add(const std::string& path, const std::string& message) override {
      texts.push_back(path + ": " + message);
    }
    bool is_set(const std::string&) const override { return true; }
  } problems;
  find_missing_text_files(holder.text, folder.path(), problems);
  EXPECT_EQ(problems.texts,
            (std::vector<std::string>{
                "a.model: there is no file " + (folder / "gone.model").string(),
                "c.vocabulary.file: there is no file " + (folder / "gone.words").string()}));
  resolve_text_paths(holder.text, folder.path());
  EXPECT_EQ(*kind_of<SentencePieceConfig>(holder, "a").model, (folder / "gone.model").string());
}

}  // namespace
}  // namespace heed
