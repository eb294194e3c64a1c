#include "glossary/glossary_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "captured_log.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class GlossaryFile : public testing::Test {
 protected:
  std::vector<GlossaryTerm> read(const std::string& text,
                                 const GlossaryLanguages& languages = {"en", "de"}) const {
    write_file(file_, text);
    return read_glossary(file_, languages);
  }
  std::string fault_of(const std::string& text) const {
    try {
      read(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData);
      return error.what();
    }
    return "none";
  }
  const fs::path file_ = fs::path(testing::TempDir()) / "terms";
};

TEST_F(GlossaryFile, IsATable) {
  const auto terms = read("# terms\ndog|hound\tHund|Hunde | Hunden\r\n\ncar\tAuto\n");
  ASSERT_EQ(terms.size(), 2u);
  EXPECT_THAT(terms[0].sources, ElementsAre("dog", "hound"));
  EXPECT_THAT(terms[0].targets, ElementsAre("Hund", "Hunde", "Hunden"));
  EXPECT_THAT(terms[1].targets, ElementsAre("Auto"));
}

TEST_F(GlossaryFile, MayNameItsColumns) {
  CapturedLog log;
  EXPECT_EQ(read("Source\tTarget\ndog\tHund\n").size(), 1u);
  EXPECT_THAT(log.end(), HasSubstr("names the columns"));
  EXPECT_EQ(read("en-US\tde\ndog\tHund\n").size(), 1u);
  EXPECT_EQ(read("dog\tHund\ncat\tKatze\n").size(), 2u);
  EXPECT_EQ(read("term\tTermin\n").size(), 1u) << "a term";
}

TEST_F(GlossaryFile, WarnsOfFurtherColumns) {
  CapturedLog log;
  EXPECT_THAT(read("dog\tHund\tanimal\n").at(0).targets, ElementsAre("Hund"));
  EXPECT_THAT(log.end(), HasSubstr("more than two columns"));
}

TEST_F(GlossaryFile, NamesTheLineOfAFault) {
  EXPECT_THAT(fault_of("a\tb\ndog Hund\n"), HasSubstr(":2: found one column"));
  EXPECT_THAT(fault_of("a\tb\n\tHund\n"), HasSubstr(":2: found fewer than two"));
  EXPECT_THAT(fault_of("a\t|\n"), HasSubstr(":1: found fewer than two"));
  EXPECT_THAT(fault_of("a\tb\xFF\n"), HasSubstr(":1: malformed UTF-8"));
  EXPECT_THAT(fault_of("# none\n"), HasSubstr("has no terms"));
  EXPECT_THAT(fault_of("<martif>\n<text>\n"), HasSubstr(":3:1: is not well-formed XML"));
  EXPECT_THAT(fault_of("<!DOCTYPE martif SYSTEM \"core.dtd\">\n<martif><termEntry><langSet "
                       "xml:lang=\"en\"><term>caf&eacute;</term></langSet></termEntry></martif>"),
              HasSubstr("the entity 'eacute' is unknown"));
}

constexpr const char* kTbx = R"(<?xml version="1.0"?>
<martif type="TBX"><text><body>
<termEntry><langSet xml:lang="de-DE"><tig><term>Hund &amp;
  Katze</term></tig></langSet>
<langSet xml:lang="en"><ntig><termGrp><term>dog and cat</term></termGrp></ntig><tig><term>pets</term></tig></langSet></termEntry>
<conceptEntry><langSec xml:lang="en"><termSec><term>car</term></termSec></langSec></conceptEntry>
<conceptEntry><langSec xml:lang="en-GB"><termSec><term>lorry</term></termSec></langSec>
<langSec xml:lang="de"><termSec><term>Laster</term></termSec></langSec></conceptEntry>
</body></text></martif>
)";

TEST_F(GlossaryFile, IsTbx) {
  const auto terms = read(kTbx);
  ASSERT_EQ(terms.size(), 2u);
  EXPECT_THAT(terms[0].sources, ElementsAre("dog and cat", "pets"));
  EXPECT_THAT(terms[0].targets, ElementsAre("Hund & Katze"));
  EXPECT_THAT(terms[1].sources, ElementsAre("lorry"));
  write_file(file_, kTbx);
  EXPECT_THAT(
      [&] {
        read_glossary(file_, {"en", "fr"});
      },
      testing::ThrowsMessage<Error>(HasSubstr("has terms in de-DE, en, en-GB, de")));
}

TEST_F(GlossaryFile, OfTwoLanguagesIsReadForAModelOfUnknownOnes) {
  CapturedLog log;
  const std::string two =
      R"(<tbx><conceptEntry><langSec xml:lang="de"><term>Hund</term></langSec><langSec xml:lang="en"><term>dog</term></langSec></conceptEntry></tbx>)";
  EXPECT_THAT(read(two, {"", ""}).at(0).sources, ElementsAre("Hund"));
  EXPECT_THAT(log.end(), HasSubstr("read as de → en"));
  EXPECT_THAT(read(two, {"en", ""}).at(0).sources, ElementsAre("dog"));
  EXPECT_THAT(read(two, {"", "de"}).at(0).sources, ElementsAre("dog"));
}

}  // namespace
}  // namespace heed
