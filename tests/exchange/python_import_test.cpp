#include "exchange/python_import.h"

#include <gtest/gtest.h>
#include "nn/torch.h"

#include "base/error.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "exchange/fixtures.h"
#include "exchange/log_probs.h"
#include "holds.h"
#include "one_thread.h"

namespace heed {
namespace {

using nlohmann::json;

// What the script has written for a model of JoeyNMT, and what JoeyNMT computes by it
// (scripts/fixtures/joeynmt_models.py).
class JoeynmtModels : public testing::TestWithParam<std::string> {
 protected:
  JoeynmtModels() {
    std::filesystem::copy(exchange_fixture("joeynmt/" + GetParam()) / "converted",
                          folder_ / "model");
    write_manifest(folder_ / "model");
  }
  TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(All, JoeynmtModels, testing::Values("default", "pre"),
                         [](const auto& name) { return name.param; });

TEST_P(JoeynmtModels, HaveItsLogProbabilities) {
  holds({"heed import joeynmt"});
  const LoadedModel model = load_model(folder_ / "model", torch::kCPU);
  const Vocabulary& target = model.codecs.at("target")->vocabulary();
  const json expected = expected_by_toolkit("joeynmt/" + GetParam());
  std::vector<int32_t> own;  // of each of its ids
  for (const std::string token : expected["tokens"]) {
    const bool is_special = is_special_piece(token);
    own.push_back(!is_special        ? target.id(token)
                  : token == "<pad>" ? kPad
                  : token == "<s>"   ? kBegin
                  : token == "</s>"  ? kEnd
                                     : kUnknown);
  }
  for (const json& one : expected["cases"]) {
    const Ids source = model.codecs.at("source")->encode(one["source"].get<std::string>());
    Ids ids;
    for (const size_t id : one["target"]) ids.push_back(own.at(id));
    const Tensor found = log_probs_of(model, source, ids);
    ASSERT_EQ(found.size(0), std::ssize(one["log_probabilities"]));
    for (int64_t t = 0; t < found.size(0); ++t) {
      for (size_t id = 0; id < own.size(); ++id) {
        const double wanted = one["log_probabilities"][t][id];
        EXPECT_NEAR(found[t][own[id]].item<double>(), wanted, 1e-4) << t << " " << id;
      }
    }
  }
}

TEST(PythonImport, SaysWhatIsMissing) {
  const TemporaryFolder folder;
  const auto import = [&](const std::string& script, const std::string& python) {
    import_by_python({.script = script, .python = python}, "a model", folder.path());
  };
  EXPECT_ERROR(import("", "no-such-python"), ErrorKind::kFailure, "no-such-python: not found");
  EXPECT_ERROR(import("import sys; print('it is other'); sys.exit(3)", "python3"),
               ErrorKind::kModel, "a model: cannot be imported: it is other");
  EXPECT_ERROR(import("import sys; sys.exit(1)", "python3"), ErrorKind::kModel,
               "could not read it (exit code 1)");
  EXPECT_ERROR(import("", "python3"), ErrorKind::kModel, "config.yaml");
}

}  // namespace
}  // namespace heed
