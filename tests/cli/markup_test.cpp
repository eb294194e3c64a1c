// `heed translate --markup`, `--protect` and `--glossary`.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;

class MarkupOfTheProgram : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  static const ToyWorkshop& workshop() { return ToyWorkshop::trained(); }
  static std::vector<std::string> sources() { return lines_of(workshop().read("valid.src")); }
  static Outcome translate(const std::string& input, const Arguments& options) {
    return workshop().run(joined({"translate", "runs/toy", "-i", input}, options));
  }
  static std::vector<std::string> translations(const std::string& input,
                                               const Arguments& options = {}) {
    const Outcome outcome = translate(input, options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return lines_of(outcome.out);
  }
  template <class LineOf>
  static void write(const std::string& name, const LineOf& line_of) {
    std::string text;
    for (const std::string& source : sources()) text += line_of(source) + "\n";
    write_plainly(workshop() / name, text);
  }
};

TEST_F(MarkupOfTheProgram, IsThatOfTheSource) {
  holds({"--markup"});
  write("marked", [](const std::string& source) {
    const size_t space = std::min(source.find(' '), source.size());
    return "<p>" + source.substr(0, space) + "<b id='1'>" + source.substr(space) + "</b><x/></p>";
  });
  const auto plain = translations("valid.src");
  for (const char* format : {"html", "xml"}) {
    const auto marked = translations("marked", {"--markup", format});
    ASSERT_EQ(marked.size(), plain.size());
    for (size_t i = 0; i < plain.size(); ++i) {
      EXPECT_EQ(std::regex_replace(marked[i], std::regex("<[^>]*>"), ""), plain[i]);
      EXPECT_TRUE(std::regex_match(
          marked[i], std::regex("<p>[^<]*(<x/>)?[^<]*<b id='1'>[^<]*(<x/>)?[^<]*</b>.*</p>")))
          << marked[i];
      EXPECT_EQ(marked[i].find("<x/>"), marked[i].rfind("<x/>"));
    }
  }
}

TEST_F(MarkupOfTheProgram, IsNamedWhereItIsMalformed) {
  write_plainly(workshop() / "malformed", "a <b>b\n");
  EXPECT_THAT(translate("malformed", {"--markup", "xml"}).err,
              HasSubstr("not well-formed XML, read as leniently as HTML: tags may be text: line 1 "
                        "(column 3: <b> has no end tag)"));
}

// The toy has no such word.
TEST_F(MarkupOfTheProgram, ProtectedTextIsThereOnce) {
  holds({"--protect"});
  write_plainly(workshop() / "kept", "a {0} b\n");
  const std::string kept = translations("kept", {"--protect", "placeholders"}).at(0);
  EXPECT_THAT(kept, HasSubstr("{0}"));
  EXPECT_EQ(kept.find("{0}"), kept.rfind("{0}"));
  EXPECT_EQ(translations("kept").at(0).find("{0}"), std::string::npos);
}

TEST_F(MarkupOfTheProgram, GlossariesAreMet) {
  holds({"--glossary", "--glossary-match"});
  write_plainly(workshop() / "terms", "# of the toy\na\tj c|c j\n");
  const auto lines =
      translations("valid.src", {"--glossary", "terms", "--beam", "8", "--format", "json"});
  const auto texts = sources();
  ASSERT_EQ(lines.size(), texts.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto json = nlohmann::json::parse(lines[i]);
    const bool has_term = (" " + texts[i] + " ").find(" a ") != std::string::npos;
    EXPECT_EQ(json.contains("terms"), has_term) << texts[i];
    if (!has_term) continue;
    EXPECT_EQ(json["terms"][0]["met"], true);
    const std::string text = " " + json["translations"][0]["text"].get<std::string>() + " ";
    EXPECT_TRUE(text.find(" j c ") != std::string::npos || text.find(" c j ") != std::string::npos)
        << text;
  }
}

TEST_F(MarkupOfTheProgram, RefuseWhatDoesNotFit) {
  write_plainly(workshop() / "terms", "a\tj\n");
  const auto refused = [](const Arguments& options, int code, const std::string& part) {
    const Outcome outcome = translate("valid.src", options);
    EXPECT_EQ(outcome.exit_code, code) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(part));
  };
  refused({"--markup", "tex"}, 2, "tex not in {html,xml}");
  refused({"--protect", "urls,names"}, 2, "expected some of placeholders, urls, emails, numbers");
  refused({"--glossary", "terms", "--sample"}, 2, "--glossary: needs beam search");
  refused({"--glossary", "valid.src"}, 3, "valid.src:1: found one column with text");
  refused({"--glossary", "nowhere"}, 5, "nowhere");
  refused({"--glossary", "terms", "--glossary-match", "stem"}, 2,
          "matching terms by stems: the source language is unknown, expected one of");
}

}  // namespace
}  // namespace heed
