#include "align/links.h"

#include <gtest/gtest.h>

#include <array>
#include <sstream>

namespace heed {
namespace {

Links links_of(const std::string& text) {
  Links links;
  std::istringstream words(text);
  int32_t source = 0, target = 0;
  for (char dash = 0; words >> source >> dash >> target;) links.emplace_back(source, target);
  return links;
}

struct SymmetrizedCase {
  const char *forward, *reverse;
  std::array<const char*, 5> expected;  // in the order of Symmetrization
};

// Random links, symmetrized by `atools -c` of fast_align.
const std::vector<SymmetrizedCase>& symmetrized_cases() {
  static const std::vector<SymmetrizedCase> cases{
      {"0-0 2-2 3-3",
       "1-1 2-2 3-3 4-1 5-3",
       {"2-2 3-3", "0-0 1-1 2-2 3-3 4-1 5-3", "0-0 1-1 2-2 3-3", "0-0 1-1 2-2 3-3 4-1 5-3",
        "0-0 1-1 2-2 3-3"}},
      {"0-0 0-1", "0-0 2-1", {"0-0", "0-0 0-1 2-1", "0-0 0-1", "0-0 0-1 2-1", "0-0 0-1"}},
      {"0-0 1-1 3-2",
       "0-0 1-1 2-2 3-1 5-1",
       {"0-0 1-1", "0-0 1-1 2-2 3-1 3-2 5-1", "0-0 1-1 2-2 3-1", "0-0 1-1 2-2 3-1 5-1",
        "0-0 1-1 2-2 3-1"}},
      {"0-0 1-1",
       "0-0 1-1 2-0 3-2 4-1",
       {"0-0 1-1", "0-0 1-1 2-0 3-2 4-1", "0-0 1-1 2-0", "0-0 1-1 2-0 3-2 4-1", "0-0 1-1 2-0 3-2"}},
      {"0-0 2-1 2-4 3-3",
       "0-0 1-2 2-2 3-3",
       {"0-0 3-3", "0-0 1-2 2-1 2-2 2-4 3-3", "0-0 1-2 2-1 2-2 2-4 3-3", "0-0 1-2 2-1 2-2 2-4 3-3",
        "0-0 1-2 2-1 2-2 2-4 3-3"}},
      {"1-1 3-0 3-2 3-3 3-4",
       "0-4 2-2 3-3",
       {"3-3", "0-4 1-1 2-2 3-0 3-2 3-3 3-4", "1-1 2-2 3-3 3-4", "0-4 1-1 2-2 3-0 3-3 3-4",
        "1-1 2-2 3-3 3-4"}},
      {"1-1", "", {"", "1-1", "", "1-1", "1-1"}},
      {"1-1 2-0 4-2 4-4",
       "0-2 1-1 2-2 3-3 4-2",
       {"1-1 4-2", "0-2 1-1 2-0 2-2 3-3 4-2 4-4", "0-2 1-1 2-0 3-3 4-2 4-4",
        "0-2 1-1 2-0 3-3 4-2 4-4", "0-2 1-1 2-0 3-3 4-2 4-4"}}};
  return cases;
}

TEST(Symmetrization, IsThatOfAtools) {
  for (const SymmetrizedCase& one : symmetrized_cases()) {
    for (size_t how = 0; how < one.expected.size(); ++how) {
      const Links found = symmetrize(links_of(one.forward), links_of(one.reverse),
                                     static_cast<Symmetrization>(how));
      EXPECT_EQ(found, links_of(one.expected[how]))
          << one.forward << " | " << one.reverse << " | " << how;
    }
  }
}

TEST(Symmetrization, DoesNotDependOnTheOrderOfLinks) {
  for (const SymmetrizedCase& one : symmetrized_cases()) {
    Links forward = links_of(one.forward), reverse = links_of(one.reverse);
    std::reverse(forward.begin(), forward.end());
    std::reverse(reverse.begin(), reverse.end());
    EXPECT_EQ(symmetrize(forward, reverse, Symmetrization::kGrowDiagFinal),
              links_of(one.expected[3]));
  }
}

}  // namespace
}  // namespace heed
