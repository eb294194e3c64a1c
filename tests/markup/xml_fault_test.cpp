// Well-formedness beside Expat.
#include "markup/xml_fault.h"

#include <expat.h>
#include <gtest/gtest.h>

#include <random>

namespace heed {
namespace {

bool is_well_formed(const std::string& line) {
  const XML_Parser parser = XML_ParserCreate("UTF-8");
  const std::string text = "<_>" + line + "</_>";
  const auto status = XML_Parse(parser, text.data(), static_cast<int>(text.size()), 1);
  XML_ParserFree(parser);
  return status == XML_STATUS_OK;
}

TEST(XmlFault, IsFoundWhereExpatFindsOne) {
  const std::vector<std::string> parts = {
      "<b>",         "</b>",      "<b",   ">",        "<x/>",   "/>",    " a='1'", " b=\"<\"",
      " a=\"&lt;\"", " c",        "=",    "'",        "\"",     "&amp;", "&",      ";",
      "&#38;",       "&#x1F600;", "&#1;", "&#xD800;", "&nbsp;", "<!--",  "-->",    "--",
      "-",           "<![CDATA[", "]]>",  "]]",       "<?p",    "?>",    "<?xml",  "word",
      " ",           "é",         "\x01", "\t",       "<i>",    "</i>",  "</",     "<",
      "<!DOCTYPE",   "a:b",       "1",    "\uFFFE",   "{0}"};
  std::mt19937 random(3);
  int well_formed = 0;
  for (int trial = 0; trial < 40000; ++trial) {
    std::string line = "x";  // no declaration may follow
    for (size_t i = 1 + random() % 6; i > 0; --i) line += parts[random() % parts.size()];
    const auto fault = find_xml_fault(line);
    const bool expected = is_well_formed(line);
    EXPECT_EQ(!fault, expected) << line << (fault ? ": " + fault->message : "");
    well_formed += expected ? 1 : 0;
  }
  EXPECT_GT(well_formed, 3000);
}

}  // namespace
}  // namespace heed
