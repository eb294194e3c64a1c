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
}

TEST(HtmlDocument, IsReadAsLenientlyAsByABrowser) {
  for (const std::string content :
       {"<p", "a < b", "</p></b>x<p>", "<pre>never closed", "<!-- never closed",
        "<p translate='no'>never closed", "", "&", "<script>x"})
    EXPECT_EQ(unchanged(html(content)), content);
}

}  // namespace
}  // namespace heed
