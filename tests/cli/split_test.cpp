// `heed split`; tests/data/corpus_split_test.cpp has the division itself.
#include <gmock/gmock.h>

#include "cli/program.h"

namespace heed {
namespace {

using testing::HasSubstr;

class Split : public testing::Test {
 protected:
  Split() {
    std::string source, target, rows, numbers;
    for (int i = 0; i < 200; ++i) {
      source += fmt::format("source {}\n", i);
      target += fmt::format("Ziel {}\n", i);
      rows += fmt::format("source {0}\tZiel {0}\n", i);
      numbers += fmt::format("{}\n", i);
    }
    for (const auto& [name, text] :
         {std::pair{"all.en", source}, {"all.de", target}, {"all.tsv", rows}, {"all.n", numbers}})
      write_plainly(folder_ / name, text);
  }
  Outcome split(const Arguments& arguments) const {
    return run_heed(joined({"split"}, arguments), {.folder = folder_.path()});
  }
  Outcome split_two(const std::string& output, const Arguments& more = {}) const {
    return split(joined({"--source", "all.en", "--target", "all.de", "-o", output}, more));
  }
  std::vector<std::string> lines(const std::string& name) const {
    return lines_of(read_plainly(folder_ / name));
  }
  TemporaryFolder folder_;
};

TEST_F(Split, WritesThreePartsAndTheNextCommand) {
  holds({"heed split", "--source", "--target", "--valid", "--test", "--output", "--with"});
  const Outcome two = split_two("out", {"--valid", "10", "--test", "5", "--with", "all.n"});
  ASSERT_EQ(two.exit_code, 0) << two.err;
  EXPECT_EQ(two.out, "");
  EXPECT_THAT(two.err,
              testing::AllOf(HasSubstr("185 pairs in train, 10 in valid, 5 in test"),
                             HasSubstr("heed config new --source out/train.en --target "
                                       "out/train.de --valid-source out/valid.en --valid-target "
                                       "out/valid.de --test out/test.en out/test.de -o")));
  EXPECT_EQ(lines("out/valid.en").size(), 10U);
  EXPECT_EQ("source " + lines("out/test.n").at(0), lines("out/test.en").at(0));
  const Outcome table = split({"all.tsv", "--source", "1", "--target", "2", "--output", "tsv"});
  ASSERT_EQ(table.exit_code, 0) << table.err;
  EXPECT_THAT(table.err, HasSubstr("heed config new tsv/train.tsv --source 1 --target 2 --valid "
                                   "tsv/valid.tsv --test tsv/test.tsv -o"));
}

TEST_F(Split, ReplacesFilesOnlyByForce) {
  holds({"--seed", "--force"});
  ASSERT_EQ(split_two("out", {"--seed", "1"}).exit_code, 0);
  const auto before = lines("out/test.de");
  EXPECT_FAILS(split_two("out", {"--seed", "2"}), 2, "out/train.en: already exists");
  EXPECT_EQ(lines("out/test.de"), before);
  ASSERT_EQ(split_two("out", {"--seed", "2", "--force"}).exit_code, 0);
  EXPECT_NE(lines("out/test.de"), before);
  EXPECT_FAILS(split({"--source", "all.en", "--target", "nowhere", "-o", "x"}), 5, "nowhere");
}

}  // namespace
}  // namespace heed
