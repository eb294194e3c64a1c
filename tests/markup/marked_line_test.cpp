#include "markup/marked_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/fmt/fmt.h>

#include "markup/character_references.h"
#include "markup/xml_fault.h"

namespace heed {
namespace {

TEST(VisibleText, IsThatBetweenTags) {
  EXPECT_EQ(visible_text("a<b title=\"x y\">c</b> &amp; <!-- d -->e", MarkupFormat::kHtml),
            "a c  &  e");
  EXPECT_EQ(visible_text("a <b>", MarkupFormat::kNone), "a <b>");
}

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> raws(std::string_view line, MarkupFormat format) {
  std::vector<std::string> all;
  for (const MarkupToken& token : read_markup(line, format)) all.emplace_back(token.raw);
  return all;
}

MarkedLine html(std::string_view line) {
  return read_marked_line(line, {.format = MarkupFormat::kHtml});
}
MarkedLine xml(std::string_view line) {
  return read_marked_line(line, {.format = MarkupFormat::kXml});
}

std::vector<std::string> texts(const MarkedLine& line) {
  std::vector<std::string> all;
  for (const MarkedBlock& block : line.blocks) all.push_back(block.text);
  return all;
}

// Nodes as brackets around their text.
std::string tree(const std::string& text, const std::vector<MarkupNode>& nodes, size_t begin,
                 size_t end) {
  std::string all;
  for (const MarkupNode& node : nodes) {
    all += text.substr(begin, node.begin - begin);
    all += node.kind == MarkupNode::Kind::kElement ? "(" : "[";
    all += tree(text, node.children, node.begin, node.end);
    all += node.kind == MarkupNode::Kind::kElement ? ")" : "]";
    begin = node.end;
  }
  return all + text.substr(begin, end - begin);
}
std::string tree(const MarkedLine& line, size_t block = 0) {
  const MarkedBlock& own = line.blocks.at(block);
  return tree(own.text, own.nodes, 0, own.text.size());
}

TEST(MarkupTokens, AreReadAsABrowserReadsThem) {
  const auto html = MarkupFormat::kHtml;
  EXPECT_THAT(raws("a <b class='x > y'>c</b> d", html),
              ElementsAre("a ", "<b class='x > y'>", "c", "</b>", " d"));
  EXPECT_THAT(raws("1 < 2 & 3 <3", html), ElementsAre("1 < 2 & 3 <3"));
  EXPECT_THAT(raws("a<!-- <b> -->c", html), ElementsAre("a", "<!-- <b> -->", "c"));
  EXPECT_THAT(raws("a<script>if (a<b) '</b>'</script >c", html),
              ElementsAre("a", "<script>if (a<b) '</b>'</script >", "c"));
  EXPECT_THAT(raws("a <b title=\"c", html), ElementsAre("a <b title=\"c"));
  EXPECT_THAT(raws("<a title=it's>b</a>", html), ElementsAre("<a title=it's>", "b", "</a>"));
  EXPECT_THAT(raws("a&amp;b AT&T; &", html), ElementsAre("a", "&amp;", "b AT", "&T;", " &"));
  EXPECT_THAT(raws("<![CDATA[a>b]]>c", MarkupFormat::kXml), ElementsAre("<![CDATA[a>b]]>", "c"));
  EXPECT_THAT(raws("<?a b>c?>d", MarkupFormat::kXml), ElementsAre("<?a b>c?>", "d"));
  EXPECT_THAT(raws("<b>", MarkupFormat::kNone), ElementsAre("<b>"));
}

TEST(MarkupTokens, HaveAttributes) {
  const auto found = attributes_of("<a HREF = 'x y' class=z disabled id=\"\"/>");
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].name, "href");
  EXPECT_EQ(found[0].value, "x y");
  EXPECT_EQ(found[1].value, "z");
  EXPECT_EQ(found[2].name, "disabled");
  EXPECT_EQ(found[3].value, "");
}

TEST(CharacterReferences, AreThoseOfTheFormat) {
  const auto html = MarkupFormat::kHtml, xml = MarkupFormat::kXml;
  EXPECT_EQ(decoded_reference("&lt;", xml), "<");
  EXPECT_EQ(decoded_reference("&#233;", xml), "é");
  EXPECT_EQ(decoded_reference("&#xE9;", xml), "é");
  EXPECT_EQ(decoded_reference("&eacute;", html), "é");
  EXPECT_EQ(decoded_reference("&zwnj;", html), "\u200C");
  EXPECT_EQ(decoded_reference("&AElig;", html), "Æ");
  EXPECT_EQ(decoded_reference("&eacute;", xml), std::nullopt);
  for (const char* none : {"&none;", "&#10;", "&#0;", "&#xD800;", "&#x110000;", "&#99999999999;",
                           "&#x;", "&#1a;", "&#133;", "&#8232;"})
    EXPECT_EQ(decoded_reference(none, html), std::nullopt) << none;
  EXPECT_EQ(encoded_text("a&b<c>d", true), "a&amp;b&lt;c&gt;d");
  EXPECT_EQ(encoded_text("a&b<c>d", false), "a&amp;b&lt;c>d");
}

TEST(MarkedLine, IsTextWithATreeOfTags) {
  const MarkedLine line = html("Click <b>the <i>red</i></b> button<br/> now &amp; <x id=1/>then");
  ASSERT_THAT(texts(line), ElementsAre("Click the red button", "now & then"));
  EXPECT_EQ(tree(line), "Click (the (red)) button");
  EXPECT_EQ(tree(line, 1), "now & []then");
  EXPECT_THAT(line.between, ElementsAre("", "<br/> ", ""));
  EXPECT_THAT(line.lone, IsEmpty());
}

TEST(MarkedLine, OfXmlIsOneBlock) {
  EXPECT_EQ(tree(xml("<p>a<br/>b</p><P>c</P>")), "(a[]b)(c)");
  EXPECT_THAT(texts(xml(" <p> a </p> ")), ElementsAre("a"));
}

TEST(MarkedLine, HasNoBlockWithoutWords) {
  const MarkedLine line = html("<p> </p><td>—</td><!-- a --><style>b</style>");
  EXPECT_THAT(line.blocks, IsEmpty());
  EXPECT_THAT(line.between, ElementsAre("<p> </p><td>—</td><!-- a --><style>b</style>"));
}

TEST(MarkedLine, KeepsWhatIsNotTranslated) {
  EXPECT_EQ(tree(html("a <code translate=no>b <i>c</i></code> d")), "a [b c] d");
  EXPECT_EQ(tree(html("a <span class=\"x notranslate\">b<span>c</span></span> d")), "a [bc] d");
  EXPECT_EQ(tree(xml("a <x its:translate='no'>b</x> d")), "a [b] d");
  EXPECT_EQ(tree(xml("a <x class='notranslate'>b</x> d")), "a (b) d");
  const MarkedLine block = html("a<p translate=no>b<p>c</p></p>d");
  EXPECT_THAT(texts(block), ElementsAre("a", "d"));
  EXPECT_EQ(block.between[1], "<p translate=no>b<p>c</p></p>");
  EXPECT_EQ(html("a &none; b").blocks.at(0).nodes.at(0).open, "&none;");
}

TEST(MarkedLine, ProtectsText) {
  const MarkupOptions all{.format = MarkupFormat::kXml,
                          .protects = *parse_protected_kinds("placeholders,urls,emails,numbers")};
  const MarkedLine line = read_marked_line(
      "{0} of {{a b}}, %1$s, see https://a.b/c?d=1&amp;e, or a.b@c.de: 3.14%.", all);
  EXPECT_EQ(tree(line),
            "[{0}] of [{{a b}}], [%1$s], see [https://a.b/c?d=1&e], or [a.b@c.de]: [3.14]%.");
  EXPECT_EQ(line.blocks[0].nodes[3].open, "https://a.b/c?d=1&amp;e");
  EXPECT_EQ(tree(read_marked_line("50 % sure, B2B, 4x, ${x}, ⟦1⟧, (www.a.org)", all)),
            "[50] % sure, B2B, 4x, [${x}], [⟦1⟧], ([www.a.org])");
  EXPECT_FALSE(parse_protected_kinds("urls,names"));
  EXPECT_FALSE(parse_protected_kinds(""));
}

TEST(MarkedLine, NamesTagsWithoutTheirPair) {
  const MarkedLine line = html("a <b>b <i>c</b> d</u> e");
  EXPECT_EQ(tree(line), "(a (b (c)) d) e");
  EXPECT_THAT(line.lone, ElementsAre("<i>", "</u>"));
  // They belong together, over the blocks of a line.
  const MarkedLine blocks = html("<b>a<br>c</b> d");
  EXPECT_EQ(tree(blocks), "(a)");
  EXPECT_EQ(tree(blocks, 1), "(c) d");
  EXPECT_THAT(blocks.lone, IsEmpty());
  EXPECT_THAT(html("<b>a<br>c").lone, ElementsAre("<b>"));
}

TEST(MarkedLine, IsReadAtAnyDepth) {
  std::string line;
  for (int i = 0; i < 100000; ++i) line += "<b>a";
  line += std::string("</u>") + line;
  EXPECT_EQ(html(line).blocks.size(), 1u);
  std::string ends;
  for (int i = 0; i < 100000; ++i) ends += "a</b>";
  EXPECT_EQ(html(ends).blocks.size(), 1u);
}

TEST(XmlFault, IsTheFirstOfALine) {
  const auto fault = [](const char* line) {
    const auto found = find_xml_fault(line);
    return found ? fmt::format("{}: {}", found->byte, found->message) : "none";
  };
  for (const char* line :
       {"", "a", "<a b='c' d=\"'\">e</a>", "<?xml version='1.0'?>", "<!DOCTYPE html>",
        "a<!-- - -->b", "<![CDATA[<]]>", "<?a b?>", "&#38;&#x26;&apos;", "<é/>", "]]", "a > b"})
    EXPECT_EQ(fault(line), "none") << line;
  EXPECT_EQ(fault("a < b"), "2: \"<\" begins no tag, expected \"&lt;\"");
  EXPECT_EQ(fault("a & b"), "2: \"&\", expected \"&amp;\"");
  EXPECT_EQ(fault("&nbsp;"), "0: &nbsp;, expected one of &amp; &lt; &gt; &quot; &apos;");
  EXPECT_EQ(fault("a<b>c</i>"), "5: </i>, expected </b>");
  EXPECT_EQ(fault("a<b>c"), "1: <b> has no end tag");
  EXPECT_EQ(fault("a</b>"), "1: </b> ends no element");
  EXPECT_EQ(fault("<a b=c>"), "5: expected the value of b in quotes");
  EXPECT_EQ(fault("<a b='<'/>"), "6: \"<\" in a value, expected \"&lt;\"");
  EXPECT_EQ(fault("<a b='' b=''/>"), "8: the attribute b twice in a tag");
  for (const char* line : {"<a",          "<a b",         "<a b=", "<a b='",    "<a b='c'd='e'/>",
                           "<1/>",        "<!-- -- -->",  "<!--",  "<![CDATA[", "<?a",
                           "<?xml ?",     "a<?xml ?>",    "]]>",   "&#1;",      "&#xFFFFFFFFF;",
                           "&#;",         "&a",           "<a/b>", "</a b>",    "\x01",
                           "<a>\x02</a>", "<a b='\x03'/>"})
    EXPECT_NE(fault(line), "none") << line;
}

}  // namespace
}  // namespace heed
