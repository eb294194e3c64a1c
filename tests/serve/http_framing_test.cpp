#include "serve/http_framing.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(HttpFraming, RefusesHeadersThatAProxyMayReadInAnotherWay) {
  const HeaderLines good[] = {{},
                              {{"host", "a"}, {"content-length", "3"}},
                              {{"host", "a"}, {"transfer-encoding", "Chunked"}},
                              {{"accept", "a"}, {"accept", "b"}}};
  for (const HeaderLines& headers : good) EXPECT_FALSE(framing_problem(headers));
  const HeaderLines bad[] = {{{"transfer-encoding ", "chunked"}},
                             {{"content-length\t", "3"}},
                             {{"x\x0by", "3"}},
                             {{"transfer-encoding", "gzip"}},
                             {{"transfer-encoding", "gzip, chunked"}},
                             {{"transfer-encoding",
                               "\x0b"
                               "chunked"}},
                             {{"transfer-encoding", ""}},
                             {{"transfer-encoding", "chunked"}, {"transfer-encoding", "chunked"}},
                             {{"transfer-encoding", "chunked"}, {"content-length", "3"}},
                             {{"content-length", "3"}, {"content-length", "3"}},
                             {{"host", "a"}, {"host", "b"}}};
  for (const HeaderLines& headers : bad) {
    const auto problem = framing_problem(headers);
    ASSERT_TRUE(problem) << headers.begin()->first << ": " << headers.begin()->second;
    EXPECT_EQ(problem->status(), HttpStatus::kBadRequest);
  }
}

}  // namespace
}  // namespace heed
