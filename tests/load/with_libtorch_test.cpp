// Errors about libtorch and the libraries that need it.
#include "load/with_libtorch.h"

#include <gmock/gmock.h>

#include "cli/limits.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Error error_of(const std::string& reason) {
  try {
    refuse_library("/opt/lib/libheed_tensors.so", reason, "this command");
  } catch (const Error& error) {
    return error;
  }
}

TEST(WithLibtorch, WhatIsMissingIsNamedWithTheCommandThatInstallsIt) {
  for (const char* library : {"libtorch_cpu.so", "libc10.so"}) {
    const Error error = error_of(std::string(library) +
                                 ": cannot open shared object file: No such file or directory");
    EXPECT_EQ(error.kind(), ErrorKind::kIo);
    EXPECT_THAT(
        error.what(),
        AllOf(HasSubstr("this command needs libtorch 2."),
              HasSubstr(std::string(library) + " is not in /opt/lib or /opt/lib/heed/torch/lib"),
              HasSubstr("`pip install --no-deps --index-url https://download.pytorch.org/whl/cpu "
                        "--target /opt/lib/heed torch==2."),
              HasSubstr("put a copy of libtorch at /opt/lib/heed/torch;"),
              HasSubstr("docs/library.md#models-that-need-libtorch")));
  }
  const Error other =
      error_of("libspdlog.so.1.10: cannot open shared object file: No such file or directory");
  EXPECT_EQ(other.kind(), ErrorKind::kIo);
  EXPECT_THAT(other.what(), AllOf(HasSubstr("libheed_tensors.so: cannot be opened: libspdlog.so"),
                                  Not(HasSubstr("pip install"))));
}

TEST(WithLibtorch, AnotherVersionIsNamed) {
  const Error error = error_of("/opt/lib/libheed_tensors.so: undefined symbol: _ZN3c105ErrorE");
  EXPECT_EQ(error.kind(), ErrorKind::kFailure);
  EXPECT_THAT(error.what(), HasSubstr("it needs libtorch 2."));
}

TEST(WithLibtorch, AddressSpaceIsNamedWhereItIsTheReason) {
  const std::string reason = "libtorch_cpu.so: failed to map segment from shared object";
  EXPECT_THAT(error_of(reason).what(), Not(HasSubstr("ulimit")));
  const Limit limit(RLIMIT_AS, rlim_t{1} << 46);
  rlimit kept{};
  getrlimit(RLIMIT_AS, &kept);
  if (kept.rlim_cur != rlim_t{1} << 46) GTEST_SKIP() << "QEMU limits no address space";
  EXPECT_EQ(error_of(reason).kind(), ErrorKind::kFailure);
  EXPECT_THAT(error_of(reason).what(), HasSubstr("of address space that `ulimit -v` allows"));
  const Error missing =
      error_of("libtorch_cpu.so: cannot open shared object file: No such file or directory");
  EXPECT_THAT(missing.what(), Not(HasSubstr("ulimit")));
}

TEST(WithLibtorch, ALibraryOfHeedThatIsMissingIsNamed) {
  try {
    open_with_libtorch("libheed_tensors.so", {"/opt/lib", "/opt/lib64"}, "device cuda");
    ADD_FAILURE() << "nothing was thrown";
  } catch (const MissingLibrary& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kIo);
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("device cuda needs libheed_tensors.so, which is not in /opt/lib:"),
                      HasSubstr("install the package heed-tensors")));
  }
}

}  // namespace
}  // namespace heed
