// `heed attention`; tests/run/attention_pages_test.cpp has its pages.
#include <gmock/gmock.h>

#include "cli/program.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;

std::string attention(const Arguments& arguments) {
  const Outcome outcome = run_heed(joined({"attention"}, arguments));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return outcome.out;
}

TEST(AttentionCommand, ListsAndShowsMechanisms) {
  holds({"heed attention list", "heed attention show"});
  EXPECT_THAT(attention({"list"}), HasSubstr("sparsemax"));
  EXPECT_THAT(attention({"show", "rotary"}), HasSubstr("attention: {score: rotary}"));
  EXPECT_FAILS(run_heed({"attention", "show", "sparsmax"}), 2, "did you mean 'sparsemax'?");
}

TEST(AttentionCommand, PageIsNotStale) {
  holds({"heed attention reference"});
  EXPECT_TRUE(attention({"reference"}) ==
              read_plainly(std::filesystem::path(source_folder()) / "docs/attention.md"))
      << "docs/attention.md is stale; write it anew: heed attention reference > docs/attention.md";
}

}  // namespace
}  // namespace heed
