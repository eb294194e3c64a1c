// Pages of HTML.
#include "document/html_document.h"

#include <gmock/gmock.h>

#include "document_test_tools.h"

namespace heed {
namespace {

using testing::ElementsAre;

Document html(const std::string& content) { return read_html(content, "a.html"); }

TEST(HtmlDocument, HasTextsBetweenBlocks) {
  const std::string content =
      "<!DOCTYPE html>\n<html><head><title>A title</title>\n<script>if (a < b) "
      "x(\"text\");</script>"
      "<style>p { }</style></head>\n<body class=\"x\"><h1>Heading</h1>\n<p>This is <b>bold</b> "
      "and\n"
      "   a <a href=\"x.html\">link</a>.</p>\n<ul><li>one<li>two &amp; three</ul><!-- comment -->\n"
      "<pre>code\n here</pre>\n<div translate=\"no\"><div>stays</div></div>\n"
      "<td><img src=\"x.png\"></td><p>end</body></html>\n";
  const Document document = html(content);
  EXPECT_THAT(
      texts_of(document),
      ElementsAre("A title", "Heading", "This is <b>bold</b> and a <a href=\"x.html\">link</a>.",
                  "one", "two &amp; three", "end"));
  EXPECT_EQ(unchanged(document), content);
  EXPECT_EQ(
      shouted(document),
      "<!DOCTYPE html>\n<html><head><title>A TITLE</title>\n<script>if (a < b) "
      "x(\"text\");</script>"
      "<style>p { }</style></head>\n<body class=\"x\"><h1>HEADING</h1>\n<p>THIS IS <b>BOLD</b> AND "
      "A <a href=\"x.html\">LINK</a>.</p>\n<ul><li>ONE<li>TWO &amp; THREE</ul><!-- comment -->\n"
      "<pre>code\n here</pre>\n<div translate=\"no\"><div>stays</div></div>\n"
      "<td><img src=\"x.png\"></td><p>END</body></html>\n");
}

TEST(HtmlDocument, KeepsWhatMarkupKeeps) {
  const std::string content = "<p class=\"a notranslate\">stays</p><p>goes</p>\n";
  EXPECT_THAT(texts_of(html(content)), ElementsAre("goes"));
  const std::string around = "<span translate=\"no\"><div title=\"t\">stays</div></span><p>goes";
  EXPECT_THAT(texts_of(html(around)), ElementsAre("goes"));
}

TEST(HtmlDocument, HasTextsInAttributes) {
  const std::string content =
      "<html lang=\"en\"><head><meta name=\"Description\" content=\"A page\"><meta name=viewport "
      "content=\"width\"><link title=\"style\"></head>\n"
      "<div title='A \"hint\"'><img alt=photo src=x.png><input type=text value=code "
      "placeholder=\"Name\"><input type=submit value=\"Send\"></div>"
      "<p> One <img src=\"a.png\" alt=\"two\n houses\"> and <b aria-label=\"3\">four</b>.</p>\n"
      "<p translate=no title=\"no\"><img alt=\"no\"></p>"
      "<p>five <i class=notranslate title=no><img alt=no>six</i> <img alt=no translate=no></p>";
  const Document document = html(content);
  EXPECT_THAT(texts_of(document),
              ElementsAre("A page", "A \"hint\"", "photo", "Name", "Send", "two houses",
                          "One <img src=\"a.png\" alt=\"two houses\"> and <b "
                          "aria-label=\"3\">four</b>.",
                          "five <i class=notranslate title=no><img alt=no>six</i> <img alt=no "
                          "translate=no>"));
  EXPECT_EQ(unchanged(document), content);
  const std::string translated = with_translations(
      document, {"Eine \"Seite\"", "Ein 'Hinweis'", "Foto \"A\"", "Name", "Los", "zwei H\u00e4user",
                 "<b aria-label=\"3\">Vier</b>, <img src=\"a.png\" alt=\"two "
                 "houses\">.",
                 document.texts.back().text});
  EXPECT_EQ(
      translated,
      "<html lang=\"en\"><head><meta name=\"Description\" content=\"Eine "
      "&quot;Seite&quot;\"><meta name=viewport content=\"width\"><link "
      "title=\"style\"></head>\n"
      "<div title='Ein &#39;Hinweis&#39;'><img alt=\"Foto &quot;A&quot;\" src=x.png><input "
      "type=text value=code placeholder=\"Name\"><input type=submit value=\"Los\"></div>"
      "<p> <b aria-label=\"3\">Vier</b>, <img src=\"a.png\" alt=\"zwei H\u00e4user\">.</p>\n" +
          content.substr(content.find("<p translate=no")));
  // The text of a paragraph stays, that of its attribute does not.
  EXPECT_EQ(translate(html("<p>One\n <img alt=\"two\"></p>"),
                      [](const std::string& text) { return text == "two" ? "zwei" : text; }),
            "<p>One\n <img alt=\"zwei\"></p>");
}

// Line breaks are lines of a tooltip
// (https://html.spec.whatwg.org/multipage/dom.html#attr-title) and of the hint of a textarea.
TEST(HtmlDocument, KeepsTheLinesOfATitle) {
  const std::string content =
      "<div title=\"One\r\n  two\n3\"><textarea placeholder='a\nb'></textarea></div>\n"
      "<p>In <abbr title=\"a\nb\">text</abbr> <b title=\"1\n2\">and</b> more.</p>";
  const Document document = html(content);
  EXPECT_THAT(texts_of(document), testing::Contains("One"));
  EXPECT_THAT(texts_of(document), testing::Contains("two"));
  EXPECT_EQ(unchanged(document), content);
  EXPECT_EQ(translate(document,
                      [](const std::string& text) {
                        if (text.starts_with("In ")) return "Im" + text.substr(2);
                        return text == "One" ? "Eins" : text == "a" ? "x" : text;
                      }),
            "<div title=\"Eins\r\n  two\n3\"><textarea placeholder='x\nb'></textarea></div>\n"
            "<p>Im <abbr title=\"x\nb\">text</abbr> <b title=\"1\n2\">and</b> more.</p>");
}

TEST(HtmlDocument, KeepsDrawingsApartFromTheirTitlesAndLabels) {
  const std::string drawing =
      "<svg aria-label=\"Save\" viewBox=\"0 0 1 1\">\n<title>A disk</title><style>p > "
      "text{}</style><path d=\"M0 0\"/><g>\n<text x=\"1\">One <tspan>word</tspan></text></g>"
      "<text translate=\"no\">no</text><desc>2 &amp; 3</desc>stray</svg>";
  const std::string content = "<div>" + drawing + "</div><p>Press " + drawing +
                              " or <math><mi>x</mi><mtext>no</mtext></math> now.</p><p>a<svg>b";
  const Document document = html(content);
  EXPECT_THAT(texts_of(document),
              ElementsAre("Save", "A disk", "One <tspan>word</tspan>", "Save", "A disk",
                          "One <tspan>word</tspan>",
                          "Press <svg id=\"1\"/> or <svg id=\"3\"/> now.", "a<svg>b"));
  EXPECT_EQ(unchanged(document), content);
  const std::string shouted_drawing =
      "<svg aria-label=\"SAVE\" viewBox=\"0 0 1 1\">\n<title>A DISK</title><style>p > "
      "text{}</style><path d=\"M0 0\"/><g>\n<text x=\"1\">ONE <tspan>WORD</tspan></text></g>"
      "<text translate=\"no\">no</text><desc>2 &amp; 3</desc>stray</svg>";
  EXPECT_EQ(shouted(document),
            "<div>" + shouted_drawing + "</div><p>PRESS " + shouted_drawing +
                " OR <math><mi>x</mi><mtext>no</mtext></math> NOW.</p><p>A<svg>B");
}

TEST(HtmlDocument, IsReadAsLenientlyAsByABrowser) {
  for (const std::string content :
       {"<p", "a < b", "</p></b>x<p>", "<pre>never closed", "<!-- never closed",
        "<p translate='no'>never closed", "", "&", "<script>x"})
    EXPECT_EQ(unchanged(html(content)), content);
}

}  // namespace
}  // namespace heed
