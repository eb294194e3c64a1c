// SVG and HTML: whether they hold together, hold what they should, and let no text become markup.
#include <gmock/gmock.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/error.h"
#include "holds.h"
#include "report/map_pictures.h"
#include "report/markup.h"
#include "report/picture_sizes.h"
#include "report/pictures.h"
#include "report/well_formed.h"

namespace heed {
namespace {

using testing::HasSubstr;
using testing::Not;

const AttentionMap kMap{
    "a <b> & \"c\"", {"the", "<i>", "'x'"}, {"die", "&amp;"}, {{0.5, 0.25, 0}, {0, 0, 1}}};

TEST(Markup, EscapesWhatMarkupReads) {
  EXPECT_EQ(escape_markup("<a href=\"x\">'&'"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;");
  EXPECT_EQ(escape_markup("\x01\xff ä\n\uFFFE"), "\uFFFD\uFFFD ä\n\uFFFD");
}

TEST(SvgMap, IsWellFormedWhateverThePiecesAre) {
  expect_well_formed(svg_map(kMap));
  AttentionMap map{
      std::string("\x1b\0<", 3), {"\xff\xfe", "]]>", "<!--", "&", ""}, {"\t\n", "\u202E"}, {}};
  map.weights.assign(2, std::vector<double>(5, 0.2));
  expect_well_formed(svg_map(map));
}

TEST(SvgMap, HoldsLabelsAndVisibleWeights) {
  holds({"--svg"});
  const std::string svg = svg_map(kMap);
  EXPECT_THAT(svg, HasSubstr("<title>die ← the: 0.500</title>"));
  EXPECT_THAT(svg, HasSubstr("<title>&amp;amp; ← &#39;x&#39;: 1.000</title>"));
  EXPECT_EQ(count(svg, " ← "), 3u);
  EXPECT_THAT(
      svg,
      HasSubstr("fill=\"#08306b\"><title>&amp;amp;"));  // the highest weight has the darkest colour
  EXPECT_THAT(svg, HasSubstr(">1.00</text>"));          // the end of the legend
}

TEST(SvgMap, DrawsTheMarkOfASpaceInLightGrey) {
  const std::string svg = svg_map({"", {"▁the", "cat"}, {"▁die"}, {{0.5, 0.5}}});
  EXPECT_EQ(count(svg, "<tspan class=\"mark\" fill=\"#bbb\" font-size=\"70%\">␣</tspan>the</text>"),
            1u);
  EXPECT_EQ(count(svg, "<tspan class=\"mark\" fill=\"#bbb\" font-size=\"70%\">␣</tspan>die</text>"),
            1u);
  expect_well_formed(svg);
}

TEST(SvgMap, SaysWhichAttentionItIsAndWhatItsSidesAre) {
  AttentionMap map = kMap;
  map.name = "encoder layer 2, self-attention, head 1 of 4";
  map.rows = "source tokens that attend";
  map.columns = "source tokens attended to";
  const std::string svg = svg_map(map);
  EXPECT_THAT(svg, HasSubstr(">encoder layer 2, self-attention, head 1 of 4<"));
  EXPECT_THAT(svg,
              HasSubstr(">rows: source tokens that attend, columns: source tokens attended to<"));
}

TEST(PictureFile, EndingsAreInLowerCase) {
  EXPECT_EQ(ending_of("a/b.c/map.PDF"), "pdf");
  EXPECT_EQ(ending_of("a.b/map"), "");
}

TEST(PictureFile, WithoutRsvgConvertSaysWhatToInstall) {
  const char* path = std::getenv("PATH");
  const std::string before = path == nullptr ? "" : path;
  setenv("PATH", "/nowhere", 1);
  try {
    convert_svg(svg_map(kMap), "pdf", "map.pdf");
    ADD_FAILURE() << "no program, and a picture";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("map.pdf: PDF and PNG are drawn by rsvg-convert"));
    EXPECT_THAT(error.what(), HasSubstr("librsvg2-bin"));
  }
  setenv("PATH", before.c_str(), 1);
}

TEST(PictureFile, IsOfTheFormatWhereTheProgramIsInstalled) {
  if (!has_rsvg_convert()) GTEST_SKIP() << "rsvg-convert is not installed";
  EXPECT_EQ(convert_svg(svg_map(kMap), "pdf", "map.pdf").substr(0, 5), "%PDF-");
  EXPECT_EQ(convert_svg(svg_map(kMap), "png", "map.png").substr(1, 3), "PNG");
}

TEST(PictureFile, HasTheWidthOfTheSvg) {
  if (!has_rsvg_convert()) GTEST_SKIP() << "rsvg-convert is not installed";
  const std::string svg = svg_map(kMap, weight_scale(kMap), 401);
  EXPECT_EQ(png_width(convert_svg(svg, "png", "map.png")), 802);
  EXPECT_EQ(png_width(convert_svg(svg, "png", "map.png", 1)), 401);
  EXPECT_EQ(pdf_width(convert_svg(svg, "pdf", "map.pdf")), 401);
}

TEST(SvgMap, LoadsNothing) {
  const std::string svg = svg_map(kMap);
  EXPECT_EQ(count(svg, "http"), 1u);  // the name space
  EXPECT_THAT(svg, Not(HasSubstr("href")));
  EXPECT_THAT(svg, Not(HasSubstr("url(")));
}

TEST(SvgMap, MayBeOfAnotherWidth) {
  double width = 0, height = 0, shown = 0, shown_height = 0;
  ASSERT_EQ(
      sscanf(svg_map(kMap, weight_scale(kMap), 400).c_str(),
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %lf %lf\" width=\"%lf\" "
             "height=\"%lf\"",
             &width, &height, &shown, &shown_height),
      4);
  EXPECT_EQ(shown, 400);
  EXPECT_NEAR(shown_height / height, 400 / width, 0.01) << "in proportion";
}

TEST(SvgMaps, StandBelowEachOtherInOneScale) {
  const AttentionMap strong{"strong", {"a"}, {"b"}, {{0.8}}}, weak{"weak", {"c"}, {"d"}, {{0.4}}};
  const std::string svg = svg_maps({strong, weak}, {"both <of> them", 0});
  expect_well_formed(svg);
  EXPECT_EQ(count(svg, "<svg "), 1u);
  for (const char* text : {">both &lt;of&gt; them</text>", ">strong</text>", ">weak</text>"})
    EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_EQ(count(svg, ">0.80</text>"), 2u) << "the end of both legends";
  EXPECT_EQ(count(svg, "<g transform=\"translate(0,"), 2u);
}

TEST(SvgMaps, CutTheirTitlesAtTheWidthOfAllOfThem) {
  const std::string sentence(90, 'x'), start = ">" + sentence.substr(0, 63) + "…</text>";
  const AttentionMap narrow{sentence, {"a"}, {"b"}, {{1}}},
      wide{"wide", std::vector<std::string>(60, "a"), {"b"}, {std::vector<double>(60, 0.1)}};
  EXPECT_THAT(svg_map(narrow), HasSubstr(start));
  const std::string svg = svg_maps({narrow, wide}, {sentence, 0});
  EXPECT_EQ(count(svg, ">" + sentence + "</text>"), 2u);
  EXPECT_THAT(svg_map({sentence, wide.source, wide.target, wide.weights}),
              HasSubstr(">" + sentence + "</text>"));
}

TEST(SvgMap, RefusesWeightsOfAnotherShape) { EXPECT_THROW(svg_map({"", {"a"}, {"b"}, {}}), Error); }

TEST(HtmlMaps, ListsAllMaps) {
  holds({"--html"});
  AttentionMap untitled = kMap;
  untitled.title = "";
  const std::string page = html_maps("maps of </title>", {kMap, untitled});
  EXPECT_EQ(count(page, "<svg "), 2u);
  EXPECT_THAT(page,
              HasSubstr("<option value=\"0\" selected>a &lt;b&gt; &amp; &quot;c&quot;</option>"));
  EXPECT_THAT(page, HasSubstr("<option value=\"1\">map 2</option>"));
  EXPECT_THAT(page, HasSubstr("<title>maps of &lt;/title&gt;</title>"));
}

TEST(HtmlMaps, ShowsTheSelectedMapFirstAndAllInOneScale) {
  const AttentionMap strong{"strong", {"a"}, {"b"}, {{0.8}}}, weak{"weak", {"a"}, {"b"}, {{0.4}}};
  const std::string page = html_maps("maps", {strong, weak}, 1);
  EXPECT_THAT(page, HasSubstr("<option value=\"1\" selected>weak</option>"));
  EXPECT_EQ(count(page, " selected"), 1u);
  EXPECT_EQ(count(page, ">0.80</text>"), 2u) << "the end of both legends";
  EXPECT_EQ(count(page, ">0.40</text>"), 0u);
}

// Each class of a color has another color there, the lowest weight that of the page.
TEST(HtmlMaps, AreDarkWhereTheBrowserAsks) {
  const std::string page = html_maps("maps", {kMap});
  const size_t dark = page.find("@media (prefers-color-scheme: dark)");
  ASSERT_NE(dark, std::string::npos);
  EXPECT_THAT(page, HasSubstr("color-scheme: light dark"));
  EXPECT_GT(page.find(".w0 { fill: #181a1b; }"), dark);
  EXPECT_GT(page.find("--back: #181a1b"), dark);
  for (int level = 0; level <= 40; ++level)
    EXPECT_THAT(page, HasSubstr("\n.w" + std::to_string(level) + " {"));
  EXPECT_THAT(page, HasSubstr("class=\"w40\" fill=\"#08306b\"><title>&amp;amp;"));
  EXPECT_THAT(page, HasSubstr("class=\"w20\""));
}

TEST(HtmlMaps, MayHaveNoTitleAndAWidth) {
  const std::string page = html_maps("", {kMap}, 0, 300);
  EXPECT_EQ(count(page, "<h1>"), 0u);
  EXPECT_EQ(count(page, " width=\"300\" "), 1u);
}

TEST(HtmlMaps, LoadsNothing) {
  const std::string page = html_maps("maps", {kMap});
  EXPECT_EQ(count(page, "http"), 2u);  // http-equiv and the name space
  EXPECT_EQ(count(page, "src="), 0u);
  EXPECT_EQ(count(page, "<link"), 0u);
}

TEST(HtmlMaps, RefusesAPageWithoutMaps) { EXPECT_THROW(html_maps("empty", {}), Error); }

}  // namespace
}  // namespace heed
