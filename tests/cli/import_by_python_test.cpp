// Models of JoeyNMT and OpenNMT-py: the program imports, translates with and fine-tunes them.
#include <gmock/gmock.h>

#include <algorithm>
#include <regex>

#include "cli/fine_tuning.h"
#include "exchange/fixtures.h"
#include "holds.h"

namespace heed {
namespace {

std::string toolkit_name(const testing::TestParamInfo<std::string>& model) {
  std::string word = model.param;
  std::ranges::replace(word, '/', '_');
  return word;
}

// A model of JoeyNMT or OpenNMT-py and the output of its conversion script
// (scripts/fixtures/joeynmt_models.py, opennmt_models.py).
class ModelByPython : public testing::TestWithParam<std::string> {
 protected:
  std::string file(const std::string& name) const {
    return exchange_fixture(GetParam() + "/" + name);
  }
  // Format and input of `heed import`.
  std::string format() const { return GetParam().substr(0, GetParam().find('/')); }
  std::string model_file() const {
    return file(format() == "joeynmt" ? "model" : "model/model_step_1.pt");
  }
  Outcome import(const std::string& model, const std::string& name, const std::string& python) {
    return run_heed({"import", format(), model, "--output", folder_ / name, "--python", python});
  }
  // Replaces Python by a script that copies the converted model.
  std::string stand_in() const {
    write_plainly(folder_ / "python", "#!/bin/sh\ncp " + file("converted") + "/* \"$3\"\n");
    std::filesystem::permissions(folder_ / "python", std::filesystem::perms::owner_all);
    return folder_ / "python";
  }
  bool has_pieces() const {
    return GetParam() == "joeynmt/pre" || GetParam() == "opennmt/transformer";
  }
  // Text of tokens: words, or SentencePiece pieces.
  std::string text_of(const std::vector<std::string>& tokens) const {
    if (!has_pieces()) return fmt::format("{}", fmt::join(tokens, " "));
    std::string text;
    for (const std::string& piece : tokens)
      text += piece.starts_with("▁") ? " " + piece.substr(std::string("▁").size()) : piece;
    return text.starts_with(" ") ? text.substr(1) : text;
  }
  // Skips translations that are cut at the maximum length: the toolkit writes them without an end.
  void expect_its_translations(const std::string& model, const std::string& plain) const {
    const auto expected = expected_by_toolkit(GetParam());
    std::string sources;
    std::vector<std::string> wanted;
    for (const auto& one : expected["cases"]) {
      if (one["beam"].is_null()) continue;
      std::vector<std::string> tokens;
      for (const size_t id : one["beam"]) tokens.push_back(expected["tokens"][id]);
      sources += one["source"].get<std::string>() + "\n";
      wanted.push_back(text_of(tokens));
    }
    ASSERT_FALSE(wanted.empty());
    const std::string beam = format() == "joeynmt" ? "5" : "1";
    const Outcome outcome = run_heed({"translate", model, "--max-length", "12", "--beam", beam},
                                     {.input = sources, .environment = {{"HEED_PLAIN", plain}}});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, fmt::format("{}\n", fmt::join(wanted, "\n")));
  }
  TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(All, ModelByPython,
                         testing::Values("joeynmt/default", "joeynmt/pre", "joeynmt/lstm",
                                         "joeynmt/gru", "opennmt/transformer", "opennmt/separate",
                                         "opennmt/mlp", "opennmt/general", "opennmt/dot"),
                         toolkit_name);

TEST_P(ModelByPython, FindsTheTextThatItsToolkitFinds) {
  holds({"heed import joeynmt", "heed import opennmt", "--output", "--python"});
  SKIP_WITHOUT_TENSORS();
  const Outcome outcome = import(model_file(), "model", stand_in());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* plain : {"0", "1"}) expect_its_translations(folder_ / "model", plain);
}

using FineTunedByPython = ModelByPython;
INSTANTIATE_TEST_SUITE_P(All, FineTunedByPython,
                         testing::Values("joeynmt/lstm", "opennmt/transformer", "opennmt/mlp"),
                         toolkit_name);

TEST_P(FineTunedByPython, TranslatesAsBeforeWhereNextToNothingChanges) {
  SKIP_WITHOUT_TENSORS();
  ASSERT_EQ(import(model_file(), "model", stand_in()).exit_code, 0);
  fine_tune(folder_);
  expect_its_translations(folder_ / "tuned", "0");
}

// The path is looked at before the Python that would read it.
TEST(ImportOfAnotherPath, NamesThePath) {
  SKIP_WITHOUT_TENSORS();
  const TemporaryFolder folder;
  write_plainly(folder / "python", "#!/bin/sh\nexec python3 -I -S \"$@\"\n");  // has no torch
  std::filesystem::permissions(folder / "python", std::filesystem::perms::owner_all);
  std::filesystem::create_directory(folder / "empty");
  const auto import = [&](const std::string& format, const std::string& model) {
    Arguments arguments = {"import", format, model, "-o", "model"};
    if (format != "hf" && format != "ctranslate2")
      arguments.insert(arguments.end(), {"--python", "./python"});
    return run_heed(arguments, {.folder = folder.path()});
  };
  for (const char* format : {"hf", "ctranslate2", "joeynmt", "opennmt"})
    EXPECT_FAILS(import(format, "nosuch"), 4, "nosuch: there is no such file or folder");
  EXPECT_FAILS(import("joeynmt", "empty"), 4, "has neither best.ckpt nor latest.ckpt");
  EXPECT_FAILS(import("opennmt", "empty"), 4, "it is a folder; name a checkpoint in it");
}

// Import by the Python that HEED_PYTHON names, or by python3.
class ImportByPython : public ModelByPython {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    static const bool has_packages =
        std::system((python_ + " -c 'import torch, yaml' 2> /dev/null").c_str()) == 0;
    if (!has_packages)
      GTEST_SKIP() << python_ << " has no torch or no pyyaml; HEED_PYTHON names one that has";
  }
  const std::string python_ =
      std::getenv("HEED_PYTHON") == nullptr ? "python3" : std::getenv("HEED_PYTHON");
};
INSTANTIATE_TEST_SUITE_P(All, ImportByPython, testing::Values("joeynmt/default", "opennmt/mlp"),
                         toolkit_name);

TEST_P(ImportByPython, FindsTheTextThatItsToolkitFinds) {
  const Outcome outcome = import(model_file(), "model", python_);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_its_translations(folder_ / "model", "0");
}

// Checkpoints of OpenNMT-py do not have these settings.
using SettingsByPython = ImportByPython;
INSTANTIATE_TEST_SUITE_P(All, SettingsByPython, testing::Values("joeynmt/default"), toolkit_name);

TEST_P(SettingsByPython, AreThoseOfSearchOrAreNamed) {
  std::filesystem::copy(model_file(), folder_ / "joey");
  const std::string config = folder_ / "joey/config.yaml", text = read_plainly(config);
  ASSERT_NE(text.find("beam_size: 5"), std::string::npos);
  write_plainly(config, std::regex_replace(text, std::regex("beam_size: 5"),
                                           "beam_size: 3\n  max_output_length: 17\n  "
                                           "repetition_penalty: 1.3\n  nucleus: 0.9\n  n_best: 2"));
  const Outcome outcome = import(folder_ / "joey", "model", python_);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err,
              testing::HasSubstr("warning: config.yaml: testing: settings that heed's search does "
                                 "not have are left out: nucleus (0.9), n_best (2)\n"));
  const std::string imported = read_plainly(folder_ / "model/config.yaml");
  for (const char* setting :
       {"beam: 3", "max_length_ratio: 0.0", "max_length_extra: 17", "repetition_penalty: 1.3"})
    EXPECT_THAT(imported, testing::HasSubstr(setting));
}

// A module of the same name in the current folder is not imported instead of the installed one.
TEST_P(ImportByPython, ReadsNoModuleOfTheCurrentFolder) {
  write_plainly(folder_ / "torch.py", "open('was-run', 'w')\n");
  const Outcome outcome = run_heed({"import", format(), std::filesystem::absolute(model_file()),
                                    "--output", "model", "--python", python_},
                                   {.folder = folder_.path()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "was-run"));
}

// Models of JoeyNMT or OpenNMT-py that are damaged or cannot be converted.
class RefusedByPython : public ImportByPython {
 protected:
  // Checkpoint changed by a Python statement, in which it is called `c`.
  std::string changed(const std::string& statement) {
    const std::string script =
        " -c 'import sys, torch; c = torch.load(sys.argv[1], weights_only=False); " + statement +
        "; torch.save(c, sys.argv[2])' ";
    const std::string model = model_file(), to = folder_ / "changed.pt";
    const std::string from = std::filesystem::is_directory(model) ? model + "/best.ckpt" : model;
    EXPECT_EQ(std::system((python_ + script + from + " " + to).c_str()), 0);
    return to;
  }
  // Copies the model with these bytes as its checkpoint; returns the input of `heed import`.
  std::string with_checkpoint(const std::string& bytes) {
    std::filesystem::copy(file("model"), folder_ / "damaged");
    const bool is_joeynmt = format() == "joeynmt";
    const char* checkpoint = is_joeynmt ? "damaged/best.ckpt" : "damaged/model_step_1.pt";
    write_plainly(folder_ / checkpoint, bytes);
    return folder_ / (is_joeynmt ? "damaged" : checkpoint);
  }
  std::string checkpoint() const {
    return read_plainly(file(format() == "joeynmt" ? "model/best.ckpt" : "model/model_step_1.pt"));
  }
  void expect_refused(const std::string& model, const std::string& reason) {
    const auto before = folder_.names();
    EXPECT_FAILS(import(model, "none", python_), 4, reason);
    EXPECT_EQ(folder_.names(), before);
  }
};
class JoeynmtRefused : public RefusedByPython {};
class OpennmtRefused : public RefusedByPython {};
INSTANTIATE_TEST_SUITE_P(All, RefusedByPython, testing::Values("joeynmt/default", "opennmt/mlp"),
                         toolkit_name);
INSTANTIATE_TEST_SUITE_P(All, JoeynmtRefused, testing::Values("joeynmt/default"), toolkit_name);
INSTANTIATE_TEST_SUITE_P(All, OpennmtRefused, testing::Values("opennmt/mlp"), toolkit_name);

TEST_P(RefusedByPython, WhereItIsCutOff) {
  const std::string whole = checkpoint();
  expect_refused(with_checkpoint(whole.substr(0, whole.size() / 2)),
                 "is incomplete, or no checkpoint");
}

TEST_P(RefusedByPython, WhereItCallsOtherCode) {
  expect_refused(with_checkpoint(read_plainly(exchange_fixture("torch/command.bin"))),
                 "unsupported GLOBAL posix.system");
}

TEST_P(JoeynmtRefused, ByItsSetting) {
  std::filesystem::copy(file("model"), folder_ / "changed");
  std::string config = read_plainly(folder_ / "changed/config.yaml");
  config.replace(config.find("hidden_size"), 0, "alpha: 0.8\n    ");
  write_plainly(folder_ / "changed/config.yaml", config);
  expect_refused(folder_ / "changed", "alpha: found 0.8, expected 1.0");
}

TEST_P(JoeynmtRefused, WhereANumberIsNotFinite) {
  const std::string statement =
      "next(iter(c[\"model_state\"].values())).view(-1)[0] = float(\"inf\")";
  expect_refused(with_checkpoint(read_plainly(changed(statement))),
                 "it has numbers that are not finite, in heed's ");
}

// best.ckpt of JoeyNMT is a link.
TEST_P(JoeynmtRefused, WhereTheBestCheckpointIsGone) {
  std::filesystem::copy(file("model"), folder_ / "gone");
  std::filesystem::rename(folder_ / "gone/best.ckpt", folder_ / "gone/latest.ckpt");
  std::filesystem::create_symlink("100.ckpt", folder_ / "gone/best.ckpt");
  expect_refused(folder_ / "gone", "best.ckpt: names 100.ckpt, which is missing");
}

TEST_P(OpennmtRefused, ByItsSettings) {
  expect_refused(changed("c[\"opt\"].context_gate = \"both\"; c[\"opt\"].position_encoding = True"),
                 "position_encoding: found True, expected False; context_gate: found 'both', "
                 "expected None");
}

TEST_P(OpennmtRefused, ByAParameterThatIsNotConverted) {
  expect_refused(changed("c[\"model\"][\"decoder.gate.weight\"] = torch.zeros(1)"),
                 "layers that are not converted: decoder.gate.weight");
}

// heed finds the error when it reads the output of the script.
TEST_P(OpennmtRefused, ByAParameterOfAnotherShape) {
  expect_refused(changed("c[\"model\"][\"decoder.attn.v.weight\"] = torch.zeros(1, 99)"),
                 "cannot be imported: model.safetensors: decoder.attention.score.v is Float [99]");
}

TEST_P(OpennmtRefused, ByAParameterThatIsNotThere) {
  expect_refused(changed("del c[\"model\"][\"decoder.attn.v.weight\"]"),
                 "it has no parameter decoder.attn.v.weight");
}

}  // namespace
}  // namespace heed
