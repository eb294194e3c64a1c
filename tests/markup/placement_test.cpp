#include "markup/placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace heed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Weights of links "0-1": source unit, target unit.
UnitWeights linked(size_t sources, size_t targets,
                   const std::vector<std::pair<size_t, size_t>>& links) {
  UnitWeights weights(targets, std::vector<float>(sources, 0));
  for (const auto& [source, target] : links) weights[target][source] = 1;
  return weights;
}

PlacedText place(const std::string& source, const std::string& target,
                 const std::vector<std::pair<size_t, size_t>>& links,
                 const MarkupOptions& options = {.format = MarkupFormat::kHtml}) {
  const MarkedLine line = read_marked_line(source, options);
  const MarkedBlock& block = line.blocks.at(0);
  const auto units = source_units(block), target_units = target_units_of(target);
  return place_markup(line, block, units, target, target_units,
                      linked(units.size(), target_units.size(), links));
}

TEST(Placement, PutsTagsAroundTheWordsThatAreLinkedToTheirs) {
  EXPECT_EQ(
      place("Click <b>Save</b> now.", "Jetzt Speichern klicken.", {{0, 2}, {1, 1}, {2, 0}, {3, 3}})
          .text,
      "Jetzt <b>Speichern</b> klicken.");
  // Word order within and between elements.
  EXPECT_EQ(
      place("<b>red <i>car</i></b> <u>here</u>", "ici voiture rouge", {{0, 2}, {1, 1}, {2, 0}})
          .text,
      "<u>ici</u> <b><i>voiture</i> rouge</b>");
  // The whole line, whatever the links are.
  EXPECT_EQ(place("<p><b>a b.</b></p>", "c d e!", {}, {.format = MarkupFormat::kXml}).text,
            "<p><b>c d e!</b></p>");
}

TEST(Placement, IsNotWidenedByAStrayLink) {
  EXPECT_EQ(
      place("a <b>b</b> c d e f", "b a c d e f", {{1, 0}, {0, 1}, {2, 2}, {3, 3}, {4, 4}, {1, 5}})
          .text,
      "<b>b</b> a c d e f");
}

TEST(Placement, LeavesPunctuationOutsideAsInTheSource) {
  EXPECT_EQ(place("see <b>this</b>.", "siehe das.", {{0, 0}, {1, 1}, {1, 2}}).text,
            "siehe <b>das</b>.");
  EXPECT_EQ(place("see <b>this.</b>", "siehe das.", {{0, 0}, {1, 1}, {2, 2}}).text,
            "siehe <b>das.</b>");
  EXPECT_EQ(place("see <b>(this)</b> now", "nun (das) sehen", {{0, 4}, {2, 2}, {4, 0}}).text,
            "nun <b>(das)</b> sehen");
}

TEST(Placement, LinksWordsThatBothTextsHave) {
  EXPECT_EQ(
      place("use <b>Lightning</b> or <i>Chatter</i>", "Chatter statt Lightning", {{1, 1}, {3, 1}})
          .text,
      "<i>Chatter</i> statt <b>Lightning</b>");
  EXPECT_EQ(place("the <b>PDF</b> file", "eine PDF-Datei", {{0, 0}, {1, 3}, {2, 3}}).text,
            "eine <b>PDF</b>-Datei");
  // Not words that other languages may have with another meaning.
  EXPECT_EQ(place("<b>die</b> now", "die nun", {{0, 1}, {1, 0}}).text, "die <b>nun</b>");
}

TEST(Placement, CountsTheSurestLinkOfASourceWord) {
  const MarkedLine line = read_marked_line("click <b>save</b> now", {.format = MarkupFormat::kXml});
  const MarkedBlock& block = line.blocks.at(0);
  const std::string target = "nun auf speichern klicken";
  const UnitWeights weights = {{0, 0, 1}, {.4F, .6F, 0}, {0, 1, 0}, {.4F, 0, .1F}};
  EXPECT_EQ(
      place_markup(line, block, source_units(block), target, target_units_of(target), weights).text,
      "nun auf <b>speichern</b> klicken");
}

TEST(Placement, PutsEmptyElementsBesideTheirNeighbours) {
  EXPECT_EQ(place("a b<x/> c", "c a b", {{0, 1}, {1, 2}, {2, 0}}).text, "c a b<x/>");
  EXPECT_EQ(place("<x/>a b", "b a", {{0, 1}, {1, 0}}).text, "<x/>b a");
  EXPECT_EQ(place("a <x/> b<!-- z --><y/>", "A B", {{0, 0}, {1, 1}}).text,
            "A <x/> B<!-- z --><y/>");
  EXPECT_EQ(place("a <x/> b", "A B", {}).text, "A <x/> B");
}

TEST(Placement, KeepsWhiteSpaceAroundTags) {
  const std::vector<std::pair<size_t, size_t>> links = {{0, 0}, {1, 1}, {2, 2}};
  EXPECT_EQ(place("a<b> b </b>c", "A B C", links).text, "A<b> B </b>C");
  EXPECT_EQ(place("a <b>b</b> c", "A B C", links).text, "A <b>B</b> C");
  EXPECT_EQ(place("a  <b>b</b> c", "A B C", links).text, "A  <b>B</b> C");
  EXPECT_EQ(place("<b> <i> a</i> </b>b c", "A B C", links).text, "<b> <i> A</i> </b>B C");
  EXPECT_EQ(place("a <b>b</b><i>c</i>", "A B C", links).text, "A <b>B</b> <i>C</i>");
  EXPECT_EQ(place("a <b>b</b>.", "a B.", links).text, "a <b>B</b>.");
}

TEST(Placement, EncodesText) {
  EXPECT_EQ(place("a &lt; <b>b</b>", "A < B & C", {{0, 0}, {1, 1}, {2, 2}}).text,
            "A &lt; <b>B</b> &amp; C");
}

TEST(Placement, NamesElementsWithoutWords) {
  const PlacedText placed = place("a <b>b</b> c", "A C", {{0, 0}, {2, 1}});
  EXPECT_EQ(placed.text, "A <b></b> C");
  EXPECT_THAT(placed.empty, ElementsAre("<b>"));
  EXPECT_THAT(place("a <b></b> c", "A C", {{0, 0}, {1, 1}}).empty, IsEmpty());
}

TEST(Placement, KeepsTexts) {
  const MarkupOptions numbers{.protects = *parse_protected_kinds("numbers,placeholders")};
  // The text of the translation stays, whatever is linked to it.
  PlacedText placed = place("In 1999 {0}", "{0} 1999 im Jahr", {{0, 0}, {1, 5}}, numbers);
  EXPECT_EQ(placed.text, "{0} 1999 im Jahr");
  EXPECT_THAT(placed.guessed, IsEmpty());
  EXPECT_THAT(placed.repeated, IsEmpty());
  // Instead of what is linked to it.
  placed = place("pay 3.14 now", "zahle 3,41 jetzt", {{0, 0}, {1, 1}, {2, 2}}, numbers);
  EXPECT_EQ(placed.text, "zahle 3.14 jetzt");
  EXPECT_THAT(placed.guessed, IsEmpty());
  placed = place("pay 3 now", "zahle jetzt", {{0, 0}, {2, 1}}, numbers);
  EXPECT_EQ(placed.text, "zahle 3 jetzt");
  EXPECT_THAT(placed.guessed, ElementsAre("3"));
  placed = place("pay 3 now", "zahle 3 und 3", {{0, 0}, {1, 1}, {1, 3}}, numbers);
  EXPECT_EQ(placed.text, "zahle 3 und 3");
  EXPECT_THAT(placed.repeated, ElementsAre("3"));
  EXPECT_EQ(place("a <i translate=no>b <u>c</u></i> d", "A x D", {{0, 0}, {1, 1}, {3, 2}}).text,
            "A <i translate=no>b <u>c</u></i> D");
}

TEST(TextUnits, AreWhatTagsStandBetween) {
  const auto texts = [](const std::string& text) { return unit_texts(text, units_of(text)); };
  EXPECT_THAT(texts("Don't (pay) 3.14, e.g. a@b.org."),
              ElementsAre("Don't", "(", "pay", ")", "3.14", ",", "e.g", ".", "a@b.org", "."));
  EXPECT_THAT(texts("保存 x、é"), ElementsAre("保", "存", "x", "、", "é"));
  EXPECT_THAT(texts("e\u0301a -b"), ElementsAre("e\u0301a", "-", "b"));
  EXPECT_THAT(unit_texts("abc d-e", units_of("abc d-e", {1, 5})),
              ElementsAre("a", "bc", "d", "-", "e"));
}

// Random markup and random weights, whatever the translation: each tag is there once, as it was
// written, and tags stay balanced.
class RandomMarkup {
 public:
  explicit RandomMarkup(unsigned seed) : random_(seed) {}

  size_t below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }

  std::string line() {
    std::string text;
    write(text, 0);
    return text;
  }

  std::string translation() {
    std::string text;
    for (size_t i = below(8); i > 0; --i)
      text += pick({"Wort", "zwei", ", ", ".", " ", "& ", "語", "3", "{0}", " <", "x-y "});
    return text;
  }

  UnitWeights weights(size_t sources, size_t targets) {
    UnitWeights all(targets, std::vector<float>(sources, 0));
    const size_t kind = below(3);
    for (std::vector<float>& row : all) {
      if (sources == 0 || below(6) == 0) continue;
      if (kind == 0) {
        row[below(sources)] = 1;
      } else {
        for (float& weight : row) weight = static_cast<float>(below(kind == 1 ? 100 : 3));
      }
    }
    return all;
  }

 private:
  std::string pick(const std::vector<std::string>& all) { return all[below(all.size())]; }

  void write(std::string& text, int depth) {
    for (size_t i = below(5); i > 0; --i) {
      switch (below(depth > 4 ? 3 : 5)) {
        case 0:
          text +=
              pick({"<x id='" + std::to_string(++last_) + "'/>", "<!-- a -->", "<br/>", "&none;"});
          break;
        case 1:
          text += pick({" ", "  ", "a", "b c", ". ", "&amp;", "{0}", "3 "});
          break;
        case 2:
          text += pick({"word ", " word", "語", "two words"});
          break;
        default: {
          const std::string name = pick({"b", "i", "A", "x:y", "span"});
          text +=
              "<" + name + " id=\"" + std::to_string(++last_) + pick({"\"", "\" title='>'"}) + ">";
          write(text, depth + 1);
          text += "</" + name + ">";
        }
      }
    }
  }

  std::mt19937 random_;
  int last_ = 0;
};

std::vector<std::string> sorted_tags(const std::string& line, MarkupFormat format) {
  std::vector<std::string> tags;
  for (const MarkupToken& token : read_markup(line, format))
    if (token.kind != MarkupToken::Kind::kText && token.kind != MarkupToken::Kind::kReference)
      tags.emplace_back(token.raw);
  std::ranges::sort(tags);
  return tags;
}

std::string written(RandomMarkup& random, const MarkedLine& line) {
  std::string whole = line.between.front();
  for (size_t b = 0; b < line.blocks.size(); ++b) {
    const auto source = source_units(line.blocks[b]);
    const std::string target = random.translation();
    const auto units = target_units_of(target);
    whole += place_markup(line, line.blocks[b], source, target, units,
                          random.weights(source.size(), units.size()))
                 .text;
    whole += line.between[b + 1];
  }
  return whole;
}

TEST(Placement, KeepsRandomMarkupBalanced) {
  for (unsigned seed = 0; seed < 6000; ++seed) {
    RandomMarkup random(seed);
    const MarkupFormat format = seed % 2 == 0 ? MarkupFormat::kHtml : MarkupFormat::kXml;
    const std::string source = random.line();
    const MarkedLine line = read_marked_line(
        source, {.format = format, .protects = *parse_protected_kinds("placeholders,numbers")});
    ASSERT_THAT(line.lone, IsEmpty()) << source;
    const std::string target = written(random, line);
    EXPECT_EQ(sorted_tags(target, format), sorted_tags(source, format)) << source << "\n" << target;
    EXPECT_THAT(read_marked_line(target, {.format = format}).lone, IsEmpty()) << source << "\n"
                                                                              << target;
  }
}

// All tags of malformed markup stay, too.
TEST(Placement, LosesNoTagOfMalformedMarkup) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    RandomMarkup random(seed);
    std::string source = random.line();
    for (size_t i = random.below(6); i > 0 && !source.empty(); --i) {
      const size_t at = std::min(source.find('<', random.below(source.size())), source.size() - 1);
      source.erase(at, source.find('>', at) - at + 1);
    }
    const MarkedLine line = read_marked_line(source, {.format = MarkupFormat::kHtml});
    const std::string target = written(random, line);
    EXPECT_EQ(sorted_tags(target, MarkupFormat::kHtml), sorted_tags(source, MarkupFormat::kHtml))
        << source << "\n"
        << target;
  }
}

}  // namespace
}  // namespace heed
