// Lists the libraries that the program opens.
#pragma once

#include <gmock/gmock.h>

#include "cli/program.h"

namespace heed {

// Log of the dynamic linker about the files that it opened.
inline std::string opened_libraries(const Arguments& arguments, const std::string& input = "",
                                    const std::string& folder = "") {
  const Outcome outcome = run_heed(
      arguments, {.input = input, .environment = {{"LD_DEBUG", "files"}}, .folder = folder});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err.substr(0, 2000);
  EXPECT_THAT(outcome.err, testing::HasSubstr("libstdc++"));
  return outcome.err;
}

}  // namespace heed
