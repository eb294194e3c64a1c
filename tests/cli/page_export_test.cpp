// `heed export page`: the page holds the model and the module. tests/page/offline_page_test.py opens it in a browser.
#include <gmock/gmock.h>

#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class ExportedPage : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    fs::create_directories(toy().path() / "module");
    write_plainly(toy().path() / "module/heed.js", "var Heed = 'interface';");
    write_plainly(toy().path() / "module/heed-worker.js", "'worker'");
    write_plainly(toy().path() / "module/heed.wasm.gz", std::string("\0\xFF\x01wasm", 7));
    write_plainly(toy().path() / "module/heed-plain.wasm.gz", "plain");
  }
  static Outcome page_of(const std::string& model, const Arguments& options = {}) {
    fs::remove(toy().path() / "page.html");
    return toy().run(
        joined({"export", "page", model, "-o", "page.html", "--module", "module"}, options));
  }
  static std::string page() { return read_plainly(toy().path() / "page.html"); }
  // The text of the element with this name.
  static std::string held(const std::string& id) {
    const std::string text = page(), start = "id=\"" + id + "\">";
    const size_t begin = text.find(start) + start.size();
    return text.substr(begin, text.find("</script>", begin) - begin);
  }
  // Bytes of base64 as the program of the system decodes it.
  static std::string decoded(const std::string& text) {
    const TemporaryFolder folder;
    write_plainly(folder / "text", text);
    const std::string command = "cd " + folder.path().string() + " && base64 -d text > bytes";
    EXPECT_EQ(std::system(command.c_str()), 0);
    return read_plainly(folder / "bytes");
  }
  static ToyWorkshop& toy() { return ToyWorkshop::trained(); }
};

TEST_F(ExportedPage, HoldsThePackedModelAndTheModule) {
  holds({"heed export page", "--module", "--output", "--precision"});
  for (const char* precision : {"int8", "fp32"}) {
    const Outcome outcome = page_of("runs/toy", {"--precision", precision});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    fs::remove(toy().path() / "toy.heed");
    const Arguments pack{"pack", "runs/toy", "-o", "toy.heed", "--precision", precision};
    ASSERT_EQ(toy().run(pack).exit_code, 0);
    EXPECT_EQ(decoded(held("model-bytes")), read_plainly(toy().path() / "toy.heed")) << precision;
  }
  EXPECT_EQ(decoded(held("heed-wasm")), std::string("\0\xFF\x01wasm", 7));
  EXPECT_EQ(decoded(held("heed-wasm-plain")), "plain");
  EXPECT_EQ(held("heed-worker"), "'worker'");
  EXPECT_THAT(page(), HasSubstr("<script>var Heed = 'interface';</script>"));
  EXPECT_THAT(page(), HasSubstr("<title>toy</title>"));
}

TEST_F(ExportedPage, LoadsNothing) {
  ASSERT_EQ(page_of("runs/toy").exit_code, 0);
  EXPECT_THAT(page(), HasSubstr("default-src 'none'"));
  for (const char* loaded : {" src=", "stylesheet", "http:", "https:", "docs/serving.md;"})
    EXPECT_THAT(page(), Not(HasSubstr(loaded))) << loaded;
}

TEST_F(ExportedPage, TakesAPackedModelAsItIs) {
  ASSERT_EQ(toy().run({"pack", "runs/toy", "-o", "own.heed"}).exit_code, 0);
  ASSERT_EQ(page_of("own.heed").exit_code, 0);
  EXPECT_EQ(decoded(held("model-bytes")), read_plainly(toy().path() / "own.heed"));
  EXPECT_THAT(page(), HasSubstr("<title>own</title>"));
  EXPECT_FAILS(page_of("own.heed", {"--precision", "fp32"}), 2, "own.heed is packed already");
}

TEST_F(ExportedPage, SaysWhatIsMissing) {
  fs::remove(toy().path() / "page.html");
  const Outcome without =
      toy().run({"export", "page", "runs/toy", "-o", "page.html", "--module", "runs"});
  EXPECT_FAILS(without, 5, "there is no module for browsers");
  EXPECT_THAT(without.err, HasSubstr("scripts/wasm.sh"));
  EXPECT_FAILS(page_of("valid.src"), 4, "valid.src");
  EXPECT_FALSE(fs::exists(toy().path() / "page.html"));
}

}  // namespace
}  // namespace heed
