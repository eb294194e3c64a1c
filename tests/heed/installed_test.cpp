// The installed library, as programs outside this tree see it.
#include <gmock/gmock.h>

#include <cstdio>

#include "heed/models.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

fs::path build_folder() { return fs::path(program_path()).parent_path().parent_path(); }

// Standard output of a command of the shell, which must succeed.
std::string output_of(const std::string& command) {
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  for (char buffer[4096]; const size_t read = fread(buffer, 1, sizeof buffer, pipe);)
    output.append(buffer, read);
  EXPECT_EQ(pclose(pipe), 0) << command << "\n" << output;
  return output;
}

class InstalledLibrary : public OfTheLibrary {
 protected:
  void SetUp() override {
    OfTheLibrary::SetUp();
    for (const char* component : {"library", "development", "tensors"})
      output_of("cmake --install " + build_folder().string() + " --prefix " + prefix() +
                " --component " + component);
  }
  std::string prefix() const { return (folder_ / "prefix").string(); }
  std::string build() const { return (folder_ / "build").string(); }

  TemporaryFolder folder_;
};

TEST_F(InstalledLibrary, TheExamplesFindItAndTranslate) {
  output_of("cmake -G Ninja -S " + source_folder() + "/docs/library-example -B " + build() +
            " -DCMAKE_PREFIX_PATH=" + prefix() + " -DCMAKE_BUILD_TYPE=Debug && cmake --build " +
            build());
  const std::string cpp =
      output_of("echo 'a b c' | " + build() + "/translate " + workshop().fast());
  EXPECT_THAT(cpp, testing::StartsWith("a b c\t-"));
  const std::string c = output_of(build() + "/translate_c " + workshop().fast() + " 'a b c'");
  const Outcome program = workshop().run({"translate", "runs/toy", "--nbest", "3"}, "a b c\n");
  std::string expected;
  for (const std::string& line : lines_of(program.out)) {  // "0 ||| a b c ||| -0.1"
    const size_t text = line.find("||| ") + 4, score = line.rfind(" ||| ");
    expected += line.substr(text, score - text) + "\t" + line.substr(score + 5) + "\n";
  }
  EXPECT_EQ(c, expected);
  output_of("! " + build() + "/translate nowhere 2> " + build() + "/err");
  EXPECT_THAT(read_plainly(fs::path(build()) / "err"),
              testing::HasSubstr("nowhere: there is no such folder"));
}

TEST_F(InstalledLibrary, ShowsNothingButItsInterface) {
  const std::string symbols =
      output_of("nm -D --defined-only --format=just-symbols " + prefix() + "/lib*/libheed.so");
  EXPECT_FALSE(symbols.empty());
  for (const std::string& symbol : lines_of(symbols))
    EXPECT_THAT(symbol, testing::ContainsRegex("^(heed_[a-z_]+|_ZN?[TKVSI]*N?4heed2v0.*|HEED_0)"));
}

TEST_F(InstalledLibrary, ItsHeadersNeedNoneOfTheTree) {
  const fs::path headers = fs::path(prefix()) / "include/heed";
  for (const auto& header : fs::directory_iterator(headers)) {
    for (const std::string& line : lines_of(read_plainly(header.path()))) {
      if (!line.starts_with("#include \"")) continue;
      EXPECT_TRUE(fs::exists(headers.parent_path() / line.substr(10, line.size() - 11))) << line;
    }
  }
}

}  // namespace
}  // namespace heed
