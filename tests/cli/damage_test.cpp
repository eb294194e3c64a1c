// A flipped bit and a truncation in every file of a model.
#include <gmock/gmock.h>

#include "cli/trained_model.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct Damage {
  std::string name;
  std::function<std::string(std::string)> apply;
};

std::vector<Damage> damages() {
  return {{"a flipped bit",
           [](std::string bytes) {
             bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
             return bytes;
           }},
          {"a truncation",
           [](const std::string& bytes) { return bytes.substr(0, bytes.size() * 2 / 3); }},
          {"emptiness", [](const std::string&) { return std::string(); }}};
}

class SlowDamage : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    fs::copy(ToyWorkshop::trained() / "runs/toy/best/model", folder_ / "model",
             fs::copy_options::recursive);
  }
  void expect_refused(const std::string& file, const Arguments& command) const {
    const std::string whole = read_plainly(folder_ / "model" / file);
    for (const Damage& damage : damages()) {
      write_plainly(folder_ / "model" / file, damage.apply(whole));
      const Outcome outcome = run_heed(command, {.input = "a b\n", .folder = folder_.path()});
      EXPECT_EQ(outcome.exit_code, 4) << damage.name << " in " << file << ": " << outcome.err;
      EXPECT_EQ(outcome.out, "");
      EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
      EXPECT_THAT(outcome.err, HasSubstr(file)) << damage.name;
    }
    write_plainly(folder_ / "model" / file, whole);
  }
  TemporaryFolder folder_;
};

TEST_F(SlowDamage, InTheTensorsIsCode4Sample) {
  expect_refused("model.safetensors", {"translate", "model"});
}

TEST_F(SlowDamage, InEveryFileIsCode4) {
  for (const auto& entry : fs::directory_iterator(folder_ / "model")) {
    expect_refused(entry.path().filename(), {"translate", "model"});
  }
}

TEST_F(SlowDamage, IsFoundByEveryCommandThatReadsModels) {
  write_plainly(folder_ / "text", "a b\n");
  for (const Arguments& command :
       {Arguments{"score", "model", "-s", "text", "-t", "text"}, Arguments{"inspect", "model"},
        Arguments{"evaluate", "--model", "model", "-s", "text", "-r", "text"},
        Arguments{"plot", "attention", "model"}}) {
    expect_refused("config.yaml", command);
  }
}

TEST_F(SlowDamage, AMissingFileIsCode4) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder_ / "model"))
    files.push_back(entry.path().filename());
  for (const std::string& file : files) {
    const std::string whole = read_plainly(folder_ / "model" / file);
    fs::remove(folder_ / "model" / file);
    EXPECT_FAILS(run_heed({"translate", "model"}, {.input = "a\n", .folder = folder_.path()}), 4,
                 "");
    write_plainly(folder_ / "model" / file, whole);
  }
}

}  // namespace
}  // namespace heed
