#include "report/map_pictures.h"

#include <gmock/gmock.h>

#include <sstream>

#include "base/error.h"
#include "base/utf8.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;
using testing::Not;

const AttentionMap kSmall{"head 1", {"the", "cat"}, {"die", "Katze"}, {{0.8, 0.2}, {0, 0.4}}};

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Drawn by hand: fractions of 0.8 are 1, 1/4, 0, 1/2, of the five shades the last, second, first
// and third.
TEST(TerminalMap, DrawsShadesUnderUprightLabels) {
  holds({"heed plot attention"});
  EXPECT_EQ(terminal_map(kSmall),
            "head 1\n"
            "      t c\n"
            "      h a\n"
            "      e t\n"
            "  die ██░░ the 0.80\n"
            "Katze · ▒▒ cat 0.40\n"
            "      0 · ░░▒▒▓▓██ 0.80\n"
            "rows: target, columns: source\n");
}

TEST(TerminalMap, FallsBackToAscii) {
  const std::string text = terminal_map(kSmall, {.unicode = false});
  EXPECT_THAT(text, HasSubstr("  die @@.. the 0.80\n"));
  EXPECT_TRUE(std::all_of(text.begin(), text.end(),
                          [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

TEST(TerminalMap, ColoursOnlyWhereAllowed) {
  EXPECT_THAT(terminal_map(kSmall), Not(HasSubstr("\x1b")));
  const std::string text = terminal_map(kSmall, {.colour = true});
  EXPECT_THAT(text, HasSubstr("  die \x1b[48;5;229m  \x1b[0m"));
  EXPECT_THAT(text, HasSubstr("\x1b[48;5;235m  \x1b[0m"));
}

AttentionMap wide(size_t source, size_t target, const std::string& piece) {
  AttentionMap map{
      "wide", std::vector<std::string>(source, piece), std::vector<std::string>(target, piece), {}};
  map.weights.assign(target, std::vector<double>(source, 1.0 / static_cast<double>(source)));
  return map;
}

TEST(TerminalMap, NeverLeavesTheTerminal) {
  for (const size_t width : {20, 40, 80, 133}) {
    for (const size_t source : {1, 7, 35, 90}) {
      for (const std::string piece :
           {"x", "a-rather-long-piece-of-a-word-and-more", "日本語の長い単語がここに"}) {
        const auto lines = lines_of(terminal_map(wide(source, 5, piece), {.width = width}));
        for (const auto& line : lines)
          EXPECT_LE(display_width(line), width) << piece << " " << source << "\n" << line;
      }
    }
  }
}

TEST(TerminalMap, GoesOnBelowWhereTheSourceDoesNotFit) {
  // 19 cells of a line of 40: 38 columns beside the label and its space; 50 pieces are three
  // panels.
  const auto lines = lines_of(terminal_map(wide(50, 2, "x"), {.width = 40}));
  EXPECT_EQ(lines.size(), 1u + 3 * (1 + 2) + 2);
}

TEST(TerminalMap, KeepsMarksWithTheirLetter) {
  const AttentionMap map{"", {"e\u0301a"}, {"x"}, {{1}}};
  EXPECT_EQ(lines_of(terminal_map(map))[0], "  e\u0301");
  EXPECT_EQ(lines_of(terminal_map(map))[1], "  a");
}

TEST(TerminalMap, RefusesWeightsOfAnotherShape) {
  EXPECT_THROW(terminal_map({"", {"a"}, {"b"}, {{1, 2}}}), Error);
}

}  // namespace
}  // namespace heed
