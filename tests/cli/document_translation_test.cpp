// Documents: their texts are translated, the rest stays.
#include <gmock/gmock.h>

#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;

class DocumentTranslation : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  static const ToyWorkshop& workshop() { return ToyWorkshop::trained(); }
  static Outcome translate(const std::string& file, const Arguments& options = {}) {
    return workshop().run(joined({"translate", "runs/toy", "-i", file}, options));
  }
  static std::vector<std::string> lines(const std::string& texts, const Arguments& options = {}) {
    const Outcome outcome = workshop().run(joined({"translate", "runs/toy"}, options), texts);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return lines_of(outcome.out);
  }
};

TEST_F(DocumentTranslation, HasTheTranslationsOfItsTexts) {
  holds({"--document"});
  write_plainly(workshop() / "page.html", "<h1>a q c</h1>\n<p>c q\n e <b>f</b></p><pre>a</pre>\n");
  const std::vector<std::string> texts = lines("a q c\nc q e <b>f</b>\n", {"--markup", "html"});
  const Outcome outcome = translate("page.html", {"--document", "auto", "-o", "new.html"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(workshop().read("new.html"),
            "<h1>" + texts.at(0) + "</h1>\n<p>" + texts.at(1) + "</p><pre>a</pre>\n");
}

TEST_F(DocumentTranslation, IsThatOfTheFormatThatIsGiven) {
  write_plainly(workshop() / "page.md", "<b>a</b> b\n");
  EXPECT_EQ(translate("page.md", {"--document", "text"}).out, lines("<b>a</b> b\n").at(0) + "\n");
}

TEST_F(DocumentTranslation, IsRefusedWithWhatIsForLines) {
  write_plainly(workshop() / "page.md", "a b\n");
  for (const Arguments& options :
       {Arguments{"--nbest", "2"}, {"--format", "json"}, {"--alignments", "a"}}) {
    const Outcome outcome = translate("page.md", joined({"--document", "auto"}, options));
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(options.front() + " is for lines, found --document"));
  }
  const Outcome unknown = translate("valid.src", {"--document", "auto"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("valid.src names no format of documents; give one of text, "));
  EXPECT_THAT(translate("page.md", {"--document", "docx"}).err,
              HasSubstr("--document: found 'docx', expected one of text, html, markdown"));
}

}  // namespace
}  // namespace heed
