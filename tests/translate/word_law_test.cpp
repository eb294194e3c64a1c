// The definition of a word (text/word_unit.h) holds for every kind of tokenizer, for texts with
// unusual spaces and without spaces, in everything that counts words.
#include <gmock/gmock.h>
#include <sentencepiece_trainer.h>

#include <regex>

#include "../text/text_test_tools.h"
#include "base/replace_all.h"
#include "base/unspaced.h"
#include "base/utf8.h"
#include "data/edges.h"
#include "data/source_factors.h"
#include "data/word_alignment.h"
#include "holds.h"
#include "text/characters.h"
#include "text/codecs.h"
#include "text/marker.h"
#include "text/sentencepiece.h"
#include "text/subword_regularization.h"
#include "text/words.h"
#include "translate/alignment.h"
#include "translate/phrase_forms.h"

namespace heed {
namespace {

using Pieces = std::vector<std::string>;

struct OddText {
  std::string line;
  Pieces by_spaces;
  Pieces by_characters;  // with kCharacters
  bool is_unspaced = false;
};

// The words are listed: the text between spaces or tabs, or each character of a text without
// spaces.
const std::vector<OddText>& odd_texts() {
  static const std::vector<OddText> texts = {
      {"the old farmer", {"the", "old", "farmer"}, {"the", "old", "farmer"}},
      {"the\u00A0old farmer sings",
       {"the\u00A0old", "farmer", "sings"},
       {"the\u00A0old", "farmer", "sings"}},
      {"the\u3000old farmer", {"the\u3000old", "farmer"}, {"the", "old", "farmer"}},
      {"the  old   farmer", {"the", "old", "farmer"}, {"the", "old", "farmer"}},
      {"  the old farmer  ", {"the", "old", "farmer"}, {"the", "old", "farmer"}},
      {"the\told\tfarmer", {"the", "old", "farmer"}, {"the", "old", "farmer"}},
      {"the \u200B old", {"the", "\u200B", "old"}, {"the", "old"}},
      {"th\u200Be o\u200Dld", {"th\u200Be", "o\u200Dld"}, {"th", "e", "o\u200Dld"}},
      {"the \u00AD old", {"the", "\u00AD", "old"}, {"the", "\u00AD", "old"}},
      {"ﬁne ½ ㎏", {"ﬁne", "½", "㎏"}, {"ﬁne", "½", "㎏"}},
      {"cafe\u0301 … na\u0131ve",
       {"cafe\u0301", "…", "na\u0131ve"},
       {"cafe\u0301", "…", "na\u0131ve"}},
      {"a\u00A8b the", {"a\u00A8b", "the"}, {"a\u00A8b", "the"}},  // NFKC: a space in the word
      {"\uFDFA old", {"\uFDFA", "old"}, {"\uFDFA", "old"}},        // NFKC: four words
      {"猫が好き。", {"猫が好き。"}, {"猫", "が", "好", "き", "。"}, true},
      {"火看木火僮 ", {"火看木火僮"}, {"火", "看", "木", "火", "僮"}, true},
      {"猫は\u3000犬を見る", {"猫は\u3000犬を見る"}, {"猫", "は", "犬", "を", "見", "る"}, true},
      {"iPhone15的猫很好看吗。",
       {"iPhone15的猫很好看吗。"},
       {"iPhone15", "的", "猫", "很", "好", "看", "吗", "。"}},
      {"ｶﾞ猫が好きです", {"ｶﾞ猫が好きです"}, {"ｶﾞ", "猫", "が", "好", "き", "で", "す"}, true},
      {"ที่บ้าน", {"ที่บ้าน"}, {"ที่", "บ้", "า", "น"}, true},
      {"我们 喜欢 猫", {"我们", "喜欢", "猫"}, {"我", "们", "喜", "欢", "猫"}},
      {"", {}, {}},
      {" \t ", {}, {}},
  };
  return texts;
}

struct Kind {
  std::string name;
  std::shared_ptr<Tokenizer> tokenizer;
  bool by_spaces = false;  // whatever the text
};

class Sentences final : public sentencepiece::SentenceIterator {
 public:
  explicit Sentences(const Pieces& lines) : lines_(lines) {}
  bool done() const override { return next_ == lines_.size(); }
  void Next() override { ++next_; }
  const std::string& value() const override { return lines_[next_]; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  const Pieces& lines_;
  size_t next_ = 0;
};

Pieces training_lines() {
  Pieces lines = some_sentences(200);
  for (const OddText& text : odd_texts()) {
    if (text.line.find_first_not_of(" \t") != std::string::npos) lines.push_back(text.line);
  }
  return lines;
}

// SentencePiece model with settings that the config does not have.
std::string sentencepiece_model(std::unordered_map<std::string, std::string> settings) {
  settings.insert({{"model_type", "unigram"},
                   {"vocab_size", "400"},
                   {"hard_vocab_limit", "false"},
                   {"minloglevel", "3"}});
  const Pieces lines = training_lines();
  Sentences sentences(lines);
  std::string model;
  const auto status = sentencepiece::SentencePieceTrainer::Train(settings, &sentences, &model);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return model;
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = [] {
    const auto piece = [](std::unordered_map<std::string, std::string> settings) {
      return std::make_shared<SentencePieceTokenizer>(sentencepiece_model(std::move(settings)), "m",
                                                      /*lower=*/false);
    };
    const auto learned = [](SubwordModel type, bool bytes) {
      SentencePieceConfig config;
      config.size = 700;
      config.model_type = type;
      config.byte_fallback = bytes;
      return config.make(source_of(bytes ? some_sentences(200) : training_lines()), 1);
    };
    return std::vector<Kind>{
        {"words", std::make_shared<WordTokenizer>("", false), true},
        {"words, lower", std::make_shared<WordTokenizer>("", true), true},
        {"words, join", std::make_shared<WordTokenizer>("@@", false), true},
        {"characters", std::make_shared<CharacterTokenizer>(false)},
        {"characters, lower", std::make_shared<CharacterTokenizer>(true)},
        {"bpe", learned(SubwordModel::kBpe, false)},
        {"unigram", learned(SubwordModel::kUnigram, false)},
        {"bytes", learned(SubwordModel::kBpe, true)},
        {"suffix", piece({{"treat_whitespace_as_suffix", "true"}})},
        {"suffix, bpe", piece({{"treat_whitespace_as_suffix", "true"}, {"model_type", "bpe"}})},
        {"suffix without a last space",
         piece({{"treat_whitespace_as_suffix", "true"}, {"add_dummy_prefix", "false"}})},
        {"identity", piece({{"normalization_rule_name", "identity"}})},
        {"every space",
         piece({{"normalization_rule_name", "identity"}, {"remove_extra_whitespaces", "false"}})},
        {"without a first space", piece({{"add_dummy_prefix", "false"}})},
        {"over spaces", piece({{"split_by_whitespace", "false"}, {"model_type", "bpe"}})},
    };
  }();
  return all;
}

// The same tokenizer, set to the word unit of a text.
const Tokenizer& with_unit(const Kind& kind, WordUnit unit) {
  kind.tokenizer->set_word_unit(kind.by_spaces ? WordUnit::kSpaces : unit);
  return *kind.tokenizer;
}

// Calls `check` with each kind of tokenizer, each odd text and its words.
template <class Check>
void for_each_case(Check check) {
  for (const Kind& kind : kinds()) {
    for (const WordUnit unit : {WordUnit::kByLine, WordUnit::kSpaces, WordUnit::kCharacters}) {
      const Tokenizer& tokenizer = with_unit(kind, unit);
      for (const OddText& text : odd_texts()) {
        const bool by_characters =
            !kind.by_spaces &&
            (unit == WordUnit::kCharacters || (unit == WordUnit::kByLine && text.is_unspaced));
        Pieces words = by_characters ? text.by_characters : text.by_spaces;
        if (tokenizer.lowers()) {
          for (std::string& word : words) word = lower_case(word);
        }
        SCOPED_TRACE(
            fmt::format("{}, unit {}: '{}'", kind.name, static_cast<int>(unit), text.line));
        check(tokenizer, text.line, words);
      }
    }
  }
}

std::string without_separators(std::string text) {
  for (const std::string_view separator : kCharacterSeparators)
    text = replace_all(text, separator, "");
  return text;
}

std::string spelled(const Tokenizer& tokenizer, const Pieces& pieces) {
  std::string text;
  for (const std::string& piece : pieces) text += tokenizer.text_of(piece);
  return without_separators(text);
}

TEST(WordLaw, WordsAreThoseOfTheDefinition) {
  for_each_case([](const Tokenizer& tokenizer, const std::string& line, const Pieces& words) {
    EXPECT_EQ(tokenizer.words(line), words);
  });
}

// The pieces of a word spell it, however the line is segmented.
TEST(WordLaw, PiecesArePartOfTheWordsThatTheySpell) {
  for_each_case([](const Tokenizer& tokenizer, const std::string& line, const Pieces& words) {
    const SubwordRegularizationConfig how;
    RandomStream draws(3);
    for (const Pieces& pieces : {tokenizer.encode(line), tokenizer.sample(line, how, draws)}) {
      const PieceWords ranges = tokenizer.piece_words(line, pieces);
      ASSERT_EQ(ranges.size(), pieces.size());
      for (size_t word = 0; word < words.size(); ++word) {
        Pieces own;
        bool is_alone = true;
        for (size_t p = 0; p < pieces.size(); ++p) {
          ASSERT_FALSE(ranges[p].empty()) << p;
          if (!ranges[p].has(static_cast<int64_t>(word))) continue;
          own.push_back(pieces[p]);
          is_alone &= ranges[p].end - ranges[p].begin == 1;
        }
        const std::string alone = spelled(tokenizer, tokenizer.encode(words[word]));
        if (is_alone) {
          EXPECT_EQ(spelled(tokenizer, own), alone) << words[word];
        } else {
          EXPECT_THAT(spelled(tokenizer, own), testing::HasSubstr(alone)) << words[word];
        }
      }
    }
  });
}

TEST(WordLaw, WordsOfATranslationAreThoseOfItsText) {
  for_each_case([](const Tokenizer& tokenizer, const std::string& line, const Pieces&) {
    const Pieces pieces = tokenizer.encode(line);
    const std::string text = tokenizer.decode(pieces);
    const PieceWords ranges = tokenizer.written_words(pieces);
    ASSERT_EQ(ranges.size(), pieces.size());
    const Pieces words = split_words(text, tokenizer.word_unit());
    for (size_t word = 0; word < words.size(); ++word) {
      Pieces own;
      for (size_t p = 0; p < pieces.size(); ++p) {
        if (ranges[p] == WordRange{static_cast<int64_t>(word), static_cast<int64_t>(word) + 1})
          own.push_back(pieces[p]);
      }
      EXPECT_THAT(without_separators(words[word]), testing::HasSubstr(spelled(tokenizer, own)));
    }
    EXPECT_EQ(ranges.empty() ? 0 : ranges.back().end, std::ssize(words)) << text;
  });
}

// Labels, word alignments and edges count these words: the last one exists, the next one does not.
TEST(WordLaw, AnnotationsCountTheseWords) {
  holds({"data.train[].factors", "data.train[].alignment", "data.train[].edges"});
  std::vector<std::string> names;
  for (int i = 0; i < 20; ++i) names.push_back("L" + std::to_string(i));
  const Codec labels(std::make_shared<WordTokenizer>("", false),
                     std::make_shared<const Vocabulary>(names));
  for_each_case([&](const Tokenizer& tokenizer, const std::string& line, const Pieces& words) {
    const Pieces pieces = tokenizer.encode(line);
    const PieceWords ranges = tokenizer.piece_words(line, pieces);
    const SentenceText sentence{"the source", line, pieces, tokenizer};
    const size_t count = words.size();
    const std::vector<std::string> own(names.begin(), names.begin() + static_cast<long>(count));
    const Ids spread = read_labels(fmt::format("{}", fmt::join(own, " ")), sentence, labels, "f:1");
    ASSERT_EQ(spread.size(), pieces.size());
    std::string diagonal;
    for (size_t i = 0; i < count; ++i) diagonal += fmt::format("{0}-{0} ", i);
    const PiecePairs links = read_word_alignment(diagonal, sentence, sentence, "a:1");
    EXPECT_EQ(read_edges(diagonal, line, pieces, tokenizer, "e:1"), links);
    for (size_t p = 0; p < pieces.size() && count > 0; ++p) {
      EXPECT_EQ(labels.vocabulary().piece(spread[p]), names[static_cast<size_t>(ranges[p].begin)]);
      const auto piece = static_cast<int64_t>(p);
      EXPECT_EQ(std::ranges::count(links, std::pair(piece, piece)),
                ranges[p].end - ranges[p].begin);
    }
    const std::string beyond = fmt::format("{0}-{0}", count);
    EXPECT_THROW(read_word_alignment(beyond, sentence, sentence, "a:1"), Error);
    EXPECT_THROW(read_edges(beyond, line, pieces, tokenizer, "e:1"), Error);
    EXPECT_THROW(read_labels(fmt::format("{} L0", fmt::join(own, " ")), sentence, labels, "f:1"),
                 Error);
  });
}

// The translation consists of words that attend to one piece each: the alignment gives the word of
// the piece, and an unknown word is replaced by that word as written in the source.
TEST(WordLaw, AlignmentsAndUnknownWordsAreOfTheseWords) {
  holds({"--alignments", "--replace-unknown"});
  const Codec target(std::make_shared<WordTokenizer>("", false),
                     std::make_shared<const Vocabulary>());
  for_each_case([&](const Tokenizer& tokenizer, const std::string& line, const Pieces& words) {
    if (words.empty()) return;
    const Pieces pieces = tokenizer.encode(line);
    const PieceWords ranges = tokenizer.piece_words(line, pieces);
    AttentionMatrix diagonal(pieces.size() + 1, std::vector<float>(pieces.size() + 1));
    for (size_t i = 0; i <= pieces.size(); ++i) diagonal[i][i] = 1;
    const Codec source(std::shared_ptr<const Tokenizer>(std::shared_ptr<void>(), &tokenizer),
                       std::make_shared<const Vocabulary>());
    const Ids unknown(pieces.size(), kUnknown);
    const Pieces replaced = replace_unknown({source, target, line, pieces}, unknown, diagonal);
    PieceWords written;
    for (size_t i = 0; i < pieces.size(); ++i)
      written.push_back({static_cast<int64_t>(i), static_cast<int64_t>(i) + 1});
    const Alignment alignment = align_words(diagonal, ranges, written);
    ASSERT_EQ(alignment.size(), pieces.size());
    for (size_t i = 0; i < pieces.size(); ++i) {
      EXPECT_EQ(alignment[i], std::pair(ranges[i].begin, static_cast<int64_t>(i)));
      const bool in_one_word = ranges[i].end - ranges[i].begin == 1;
      EXPECT_EQ(replaced[i], in_one_word ? words[static_cast<size_t>(ranges[i].begin)]
                                         : tokenizer.decode({pieces[i]}));
    }
  });
}

// The tokens of a phrase in a text equal one of its forms.
TEST(WordLaw, PhrasesHaveAFormForEachPlace) {
  holds({"--avoid"});
  const auto holds_one = [](const Ids& text, const std::vector<Ids>& forms) {
    return std::ranges::any_of(forms, [&](const Ids& form) {
      return std::search(text.begin(), text.end(), form.begin(), form.end()) != text.end();
    });
  };
  for (const Kind& kind : kinds()) {
    if (kind.name == "over spaces") continue;  // a token may be of several words
    for (const auto& [phrase, lines] :
         {std::pair<std::string, Pieces>{"old", {"old", "the old", "old farmer", "the old farmer"}},
          {"火", {"火", "木火", "火看木", "看火木", "木 火 看"}}}) {
      with_unit(kind, phrase == "old" ? WordUnit::kByLine : WordUnit::kCharacters);
      std::vector<std::string> vocabulary;
      for (const std::string& line : lines) {
        for (const std::string& piece : kind.tokenizer->encode(line)) {
          if (std::ranges::count(vocabulary, piece) == 0) vocabulary.push_back(piece);
        }
      }
      const Codec codec(kind.tokenizer, std::make_shared<const Vocabulary>(vocabulary));
      const std::vector<Ids> forms = phrase_forms(codec, phrase, codec.encode(phrase));
      for (const std::string& line : lines) {
        if (kind.by_spaces && phrase != "old" && line.find(' ') == std::string::npos) continue;
        const Pieces pieces = kind.tokenizer->encode(line);
        const bool has_token_of_words =
            std::ranges::any_of(kind.tokenizer->piece_words(line, pieces),
                                [](const auto& words) { return words.end - words.begin > 1; });
        if (has_token_of_words) continue;
        EXPECT_TRUE(holds_one(codec.encode(line), forms))
            << kind.name << ": " << testing::PrintToString(pieces);
      }
    }
  }
}

// A separator mark is a word between the words of the sentences, unless it consists of spaces.
TEST(WordLaw, HoldsBetweenMarks) {
  for (const std::string mark : {"\t", " || "}) {
    for_each_case([&](const Tokenizer& tokenizer, const std::string& line, const Pieces& words) {
      if (line.find('\t') != std::string::npos) return;
      const auto marked =
          with_marker(std::shared_ptr<const Tokenizer>(std::shared_ptr<void>(), &tokenizer), mark);
      Pieces expected = words;
      if (mark != "\t") expected.emplace_back("||");
      expected.insert(expected.end(), words.begin(), words.end());
      const std::string twice = line + mark + line;
      EXPECT_EQ(marked->words(twice), expected);
      const Pieces pieces = marked->encode(twice);
      const PieceWords own = tokenizer.piece_words(line, tokenizer.encode(line)),
                       ranges = marked->piece_words(twice, pieces);
      ASSERT_EQ(ranges.size(), pieces.size());
      const auto offset = std::ssize(expected) - std::ssize(words);
      for (size_t p = 0; p < own.size(); ++p) {
        EXPECT_EQ(ranges[p], own[p]);
        EXPECT_EQ(ranges[own.size() + 1 + p],
                  (WordRange{own[p].begin + offset, own[p].end + offset}));
      }
    });
  }
}

// A translation has no space at its beginning or end.
TEST(WordLaw, TranslationsHaveNoSpaceAtTheirEnds) {
  for (const Kind& kind : kinds()) {
    if (kind.tokenizer->lowers()) continue;
    for (const std::string line : {"the old farmer", "der Bär hört", "x"}) {
      EXPECT_EQ(kind.tokenizer->decode(kind.tokenizer->encode(line)), line) << kind.name;
    }
  }
}

TEST(WordUnit, IsFoundInTheTrainingText) {
  const auto unit_of_text = [](const Pieces& lines) {
    WordUnitSurvey survey;
    for (const std::string& line : lines) survey.add(line);
    return survey.unit();
  };
  EXPECT_EQ(unit_of_text({"the cat", "a dog"}), WordUnit::kByLine) << "nothing to know";
  EXPECT_EQ(unit_of_text({"猫が好き", "犬"}), WordUnit::kCharacters);
  EXPECT_EQ(unit_of_text({"我们 喜欢 猫", "狗 也 好", "我们"}), WordUnit::kSpaces);
  Pieces few(200, "the cat");
  few.emplace_back("猫が好き");
  EXPECT_EQ(unit_of_text(few), WordUnit::kByLine);
  few.insert(few.end(), 2, "猫が好き");
  EXPECT_EQ(unit_of_text(few), WordUnit::kCharacters);
  EXPECT_EQ(unit_of_text({"\xFF\xFF"}), WordUnit::kByLine);
}

}  // namespace
}  // namespace heed
