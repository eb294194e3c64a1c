#include "metric/nbest_list.h"

#include "../base/temporary_folder.h"

namespace heed {
namespace {

void refuses(const std::string& line, const std::string& found) {
  EXPECT_ERROR(refuse_nbest_list({line, "b"}, "list"), ErrorKind::kData, "list: " + found);
}

TEST(ListsOfTranslations, AreNoText) {
  refuses("0 ||| a b ||| -1.5", "an n-best list");
  refuses("0 ||| a b ||| LM0= -3 ||| -1.5 ||| 0-0 1-1", "an n-best list");
  refuses("{\"line\":1,\"translations\":[]}", "translations as JSON");
}

// marian-decoder --alignment, --alignment soft and --word-scores.
TEST(ListsOfTranslations, OfMarianHaveColumnsBehindTheText) {
  for (const char* line :
       {"a b ||| 0-0 1-1", " ||| 0-0", "a b ||| 0.9,0.1 1e-05,0.75", "a ||| WordScores= -0.1 -2",
        "a ||| b ||| 0-0", "a b ||| 0-0 1-1 ||| WordScores= -0.1 -2"})
    refuses(line, "translations with alignments or scores behind |||");
}

TEST(ListsOfTranslations, AreNotTextWithBars) {
  for (const char* line : {"a ||| b", "a ||| ", "a ||| 12", "a ||| - ,", "0-0 1-1", "a |||0-0", ""})
    EXPECT_NO_THROW(refuse_nbest_list({line}, "text")) << line;
}

}  // namespace
}  // namespace heed
