#include "exchange/python_import.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

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

// Models converted by a script, with the expected results of their toolkit
// (scripts/fixtures/joeynmt_models.py, opennmt_models.py).
class ModelsByPython : public testing::TestWithParam<std::string> {
 protected:
  ModelsByPython() {
    std::filesystem::copy(exchange_fixture(GetParam()) / "converted", folder_ / "model");
    write_manifest(folder_ / "model");
  }
  TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(All, ModelsByPython,
                         testing::Values("joeynmt/default", "joeynmt/pre", "joeynmt/lstm",
                                         "joeynmt/gru", "opennmt/transformer", "opennmt/separate",
                                         "opennmt/mlp", "opennmt/general", "opennmt/dot"),
                         [](const auto& name) {
                           std::string word = name.param;
                           std::ranges::replace(word, '/', '_');
                           return word;
                         });

// Special token of heed for a token of another toolkit; -1 if it is not special.
int32_t special_id(const std::string& token) {
  static const std::map<std::string, int32_t> ids = {
      {"<pad>", kPad}, {"<blank>", kPad}, {"<s>", kBegin}, {"</s>", kEnd}, {"<unk>", kUnknown}};
  const auto found = ids.find(token);
  return found == ids.end() ? -1 : found->second;
}

TEST_P(ModelsByPython, HaveItsLogProbabilities) {
  holds({"heed import joeynmt", "heed import opennmt", "model.source_end"});
  const LoadedModel model = load_model(folder_ / "model", torch::kCPU);
  const Vocabulary& target = model.codecs.at("target")->vocabulary();
  const json expected = expected_by_toolkit(GetParam());
  std::vector<int32_t> own;  // id in heed for each id of the toolkit
  for (const std::string token : expected["tokens"]) {
    const int32_t special = special_id(token);
    own.push_back(special < 0 ? target.id(token) : special);
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
