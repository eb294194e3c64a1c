// Recurrent models of Marian with the log-probabilities of its formulas
// (scripts/fixtures/marian_recurrent.py), their way back, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "nn/torch.h"

#include "base/error.h"
#include "base/temporary_folder.h"
#include "captured_log.h"
#include "config/reader.h"
#include "exchange/exports.h"
#include "exchange/fixtures.h"
#include "exchange/imports.h"
#include "exchange/log_probs.h"
#include "exchange/marian_file.h"
#include "holds.h"
#include "inference/engine_shape.h"
#include "one_thread.h"
#include "text/words.h"

namespace heed {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

fs::path recurrent_fixture(const std::string& name) {
  return exchange_fixture("marian_recurrent/" + name);
}
fs::path file_of(const fs::path& folder) {
  return folder / (fs::exists(folder / "model.npz") ? "model.npz" : "model.bin");
}

class RecurrentNetworksOfMarian : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, RecurrentNetworksOfMarian,
                         testing::Values("gru", "lstm", "tanh", "deep", "best_deep", "lstm_norm",
                                         "amun", "nematus"),
                         [](const auto& name) { return name.param; });

void expect_log_probabilities(const LoadedModel& model, const std::string& name,
                              double tolerance = 1e-4) {
  const Vocabulary& target = model.codecs.at("target")->vocabulary();
  const json expected = expected_by_toolkit("marian_recurrent/" + name);
  std::vector<int32_t> own;  // id in heed for each id of Marian
  for (const std::string token : expected["tokens"])
    own.push_back(token == "</s>" ? kEnd : token == "<unk>" ? kUnknown : target.id(token));
  EXPECT_EQ(std::ranges::count(own, kUnknown), 1);
  ASSERT_GT(expected["cases"].size(), 4U);
  for (const json& one : expected["cases"]) {
    const Ids source = model.codecs.at("source")->encode(one["source"].get<std::string>());
    EXPECT_EQ(source.size() + 1, one["source_ids"].size());  // with </s>
    Ids ids;
    for (const size_t id : one["target"]) ids.push_back(own.at(id));
    const Tensor found = log_probs_of(model, source, ids);
    ASSERT_EQ(found.size(0), std::ssize(one["log_probabilities"]));
    for (int64_t t = 0; t < found.size(0); ++t) {
      for (size_t id = 0; id < own.size(); ++id)
        EXPECT_NEAR(found[t][own[id]].item<double>(), one["log_probabilities"][t][id], tolerance)
            << t << " " << id;
    }
  }
}

TEST_P(RecurrentNetworksOfMarian, HaveTheLogProbabilitiesOfItsFormulas) {
  holds({"heed import marian", "model.embedding.zero_begin"});
  const LoadedModel model = import_marian(recurrent_fixture(GetParam()));
  expect_log_probabilities(model, GetParam());  // with the rounding of float32
  model.network->to(torch::kDouble);
  expect_log_probabilities(model, GetParam(), 1e-6);
}

bool is_part_of_read_out_bias(const std::string& name) {
  return name.starts_with("decoder_ff_logit_l1_b");
}

TEST_P(RecurrentNetworksOfMarian, ComeBackWithTheSameNumbers) {
  holds({"heed export marian"});
  const LoadedModel model = import_marian(recurrent_fixture(GetParam()));
  MarianFile before(file_of(recurrent_fixture(GetParam())));
  for (const MarianFormat format : {MarianFormat::kNpz, MarianFormat::kBinary}) {
    const TemporaryFolder folder;
    export_marian(model, folder.path(), format);
    const LoadedModel again = import_marian(folder.path());
    const NamedTensors now = tensors_of(*again.network);
    for (const auto& [name, tensor] : tensors_of(*model.network))
      EXPECT_TRUE(tensor.equal(now.at(name))) << name;
    expect_log_probabilities(again, GetParam());
    if (GetParam() == "amun" || GetParam() == "nematus") continue;  // with the names of s2s
    MarianFile file(file_of(folder.path()));
    // Marian adds three biases of the layer over the decoder's state; heed has their sum.
    Tensor sum = torch::zeros({1}), sum_now = torch::zeros({1});
    for (const std::string& name : before.names()) {
      ASSERT_TRUE(file.has(name)) << name;
      if (is_part_of_read_out_bias(name)) {
        sum = sum + before.read(name);
        sum_now = sum_now + file.read(name);
      } else {
        EXPECT_TRUE(file.read(name).equal(before.read(name))) << name;
      }
    }
    EXPECT_TRUE(sum.allclose(sum_now, 0, 1e-6));
    const size_t more = GetParam() == "tanh" ? 1 : 0;  // a bias of zeros for --output-omit-bias
    EXPECT_EQ(file.names().size(), before.names().size() + more);
  }
}

TEST(RecurrentModelsOfMarian, HaveTheSettingsOfTheFile) {
  const LoadedModel model = import_marian(recurrent_fixture("best_deep"));
  CapturedLog log;
  import_marian(recurrent_fixture("best_deep"));
  EXPECT_THAT(log.end(), testing::Not(testing::HasSubstr("does not know")));
  EXPECT_FALSE(engine_shape(model.config).has_value());
}

class ChangedRecurrentModels : public testing::Test {
 protected:
  fs::path with(
      const std::string& name, const std::string& line,
      const std::function<void(MarianTensors&)>& change = [](MarianTensors&) {}) {
    fs::copy(recurrent_fixture(name), folder_ / name,
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    MarianFile file(file_of(recurrent_fixture(name)));
    for (const char* model : {"model.npz", "model.bin"}) fs::remove(folder_ / name / model);
    MarianTensors tensors{.tensors = {}, .settings = file.settings()};
    for (const std::string& tensor : file.names()) tensors.tensors[tensor] = file.read(tensor);
    const std::string key = line.substr(0, line.find(':') + 1);
    const size_t begin = ("\n" + tensors.settings).find("\n" + key);
    if (begin == std::string::npos)
      tensors.settings += "\n" + line;
    else
      tensors.settings.replace(begin, tensors.settings.find('\n', begin) - begin, line);
    change(tensors);
    write_marian_npz(folder_ / name / "model.npz", tensors);
    return folder_ / name;
  }
  TemporaryFolder folder_;
};

TEST_F(ChangedRecurrentModels, AreRefusedForSettingsThatHeedLacks) {
  for (const auto& [name, line, message] : std::vector<std::array<std::string, 3>>{
           {"gru", "type: multi-s2s",
            "type: found \"multi-s2s\", expected \"transformer\" or \"s2s\" or \"amun\" or "
            "\"nematus\""},
           {"gru", "enc-cell: mlstm",
            "enc-cell: found \"mlstm\", expected \"gru\" or \"gru-nematus\" or \"lstm\" or "
            "\"tanh\""},
           {"gru", "dec-cell: sru", "dec-cell: found \"sru\""},
           {"deep", "enc-type: bi-unidirectional",
            "enc-type: found \"bi-unidirectional\" of 3 layers"},
           {"gru", "right-left: true", "right-left: found true"},
           {"gru", "skip: maybe", "skip: found \"maybe\""},
           {"gru", "dec-high-context: repeat", "dec-high-context: found \"repeat\""},
           {"gru", "ulr: true", "ulr: found true"},
           {"gru", "lemma-dim-emb: 3", "lemma-dim-emb: found 3"},
           {"gru", "input-types: [class, sequence]", "input-types: found"},
           {"tanh", "layer-normalization: true",
            "layer-normalization with enc-cell: \"tanh\": expected gru or lstm"},
           {"nematus", "layer-normalization: true",
            "layer-normalization with dec-cell: \"gru-nematus\": expected gru or lstm"},
           {"deep", "dec-cell-base-depth: 1", "dec-cell-base-depth: found 1 with 2 layers"},
           {"deep", "dec-cell: gru-nematus", "dec-cell-high-depth: found 2, expected 1"},
           {"gru", "enc-depth: 0", "enc-depth: found 0, expected 1 to 1000"},
           {"gru", "dec-depth: 100000", "dec-depth: found 100000"},
           {"gru", "dim-rnn: 12",
            "encoder_bi_W is [12,20], expected [12,24] by the settings of the model"},
           {"gru", "dim-rnn: -1", "dim-rnn: found -1"}}) {
    SCOPED_TRACE(line);
    EXPECT_ERROR(import_marian(with(name, line)), ErrorKind::kModel, message);
  }
}

TEST_F(ChangedRecurrentModels, AreReadWithEquivalentSettings) {
  // One layer has no stack, and a GRU of Nematus without norm is that of Marian.
  for (const char* line : {"enc-type: bi-unidirectional", "enc-type: alternating",
                           "enc-cell: gru-nematus", "skip: true"}) {
    SCOPED_TRACE(line);
    expect_log_probabilities(import_marian(with("gru", line)), "gru");
  }
}

TEST_F(ChangedRecurrentModels, AreRefusedForOtherParameters) {
  EXPECT_ERROR(import_marian(with("gru", "skip: false",
                                  [](MarianTensors& model) {
                                    model.tensors["encoder_bi_gamma1"] = torch::ones({1, 30});
                                  })),
               ErrorKind::kModel, "parameters of layers that are not converted: encoder_bi_gamma1");
  EXPECT_ERROR(
      import_marian(with("lstm", "skip: false",
                         [](MarianTensors& model) { model.tensors.erase("decoder_cell3_U"); })),
      ErrorKind::kModel, "it has no parameter decoder_cell3_U");
  EXPECT_ERROR(import_marian(with("gru", "skip: false",
                                  [](MarianTensors& model) {
                                    model.tensors["encoder_bi_U"] = torch::ones({10, 18});
                                  })),
               ErrorKind::kModel, "encoder_bi_U is [10,18], expected [10,20]");
  for (const auto& [name, size] : {std::pair("encoder_bi_b", 6), std::pair("encoder_bi_b", 1),
                                   std::pair("encoder_bi_gamma1", 3)}) {
    EXPECT_ERROR(import_marian(with("lstm_norm", "skip: false",
                                    [&](MarianTensors& model) {
                                      model.tensors[name] = torch::ones({1, size});
                                    })),
                 ErrorKind::kModel, fmt::format("{} is [1,{}], expected [1,", name, size));
  }
  EXPECT_ERROR(import_marian(with("amun", "skip: false",
                                  [](MarianTensors& model) {
                                    model.tensors["encoder_bi_U"] = torch::ones({10, 20});
                                  })),
               ErrorKind::kModel, "encoder_bi_U is there twice");
}

// Each parameter with another shape: its name, this shape and the expected one are in the message.
TEST_F(ChangedRecurrentModels, AreRefusedForOtherShapes) {
  for (const std::string name : {"gru", "deep", "lstm_norm"}) {
    MarianFile file(file_of(recurrent_fixture(name)));
    for (const std::string& parameter : file.names()) {
      const Tensor whole = file.read(parameter);
      // Further layers and the other direction are the same.
      if (parameter.find("_l3_") != std::string::npos ||
          parameter.find("bi_r_") != std::string::npos)
        continue;
      std::vector<Tensor> others{whole.unsqueeze(0), torch::cat({whole, whole.narrow(1, 0, 1)}, 1)};
      if (whole.size(0) != whole.size(1)) others.push_back(whole.t().contiguous());
      for (const Tensor& other : others) {
        SCOPED_TRACE(fmt::format("{} {}", name, parameter));
        EXPECT_ERROR(import_marian(with(name, "right-left: false",
                                        [&](MarianTensors& m) { m.tensors[parameter] = other; })),
                     ErrorKind::kModel,
                     fmt::format("{} is [{}], expected", parameter, fmt::join(other.sizes(), ",")));
      }
    }
  }
}

// A model of heed with random weights.
LoadedModel own_model(const std::string& encoder, const std::string& decoder) {
  LoadedModel model;
  read_config_text("{embedding: {width: 6, zero_begin: true}, encoder: {type: rnn, " + encoder +
                       "}, decoder: {type: rnn, width: 5, " + decoder + "}}",
                   "model", model.config.model);
  const auto codec = std::make_shared<const Codec>(
      std::make_shared<WordTokenizer>("", /*lower=*/false),
      std::make_shared<const Vocabulary>(std::vector<std::string>{"the", "dog", "sees"}));
  for (const char* side : {"source", "target"}) {
    model.config.text[side].tokenizer = make_kind<WordsConfig>("words");
    model.codecs[side] = codec;
  }
  model.network = std::make_shared<Seq2Seq>(model.config.model,
                                            vocabulary_sizes(model.config, model.codecs), 5);
  const torch::NoGradGuard no_grad;
  for (auto& [name, tensor] : tensors_of(*model.network)) {
    tensor.add_(0.2 * torch::randn(tensor.sizes()));
    if (name == "target.embedding") tensor[kBegin].zero_();
  }
  return model;
}

const std::string kOwnEncoder = "cell: lstm, width: 10",
                  kOwnDecoder =
                      "cell: lstm, attend: conditional, bridge: mean, output_activation: tanh, "
                      "output_width: 6, attention: {score: {type: additive, hidden: 10}}";

TEST(ExportedRecurrentModels, OfHeedComeBackWithTheSameLogProbabilities) {
  const std::string norm = ", layer_norm: true, layer_norm_form: marian";
  for (const auto& [encoder, decoder] : std::vector<std::pair<std::string, std::string>>{
           {kOwnEncoder, kOwnDecoder},
           {kOwnEncoder + ", layers: 2, stacks: alternating, residual: true" + norm,
            "cell: lstm, attend: conditional, bridge: mean, output_activation: tanh, "
            "output_width: 6, layers: 2, residual: true, attention: {score: {type: additive, "
            "hidden: 10, layer_norm: true}}" +
                norm},
           {"cell: rnn, width: 10, transition_depth: 2",
            "cell: rnn, attend: after, bridge: mean, output_activation: tanh, output_width: 6, "
            "attention: {score: {type: additive, hidden: 10}}"}}) {
    SCOPED_TRACE(encoder + decoder);
    const LoadedModel model = own_model(encoder, decoder);
    const TemporaryFolder folder;
    export_marian(model, folder.path(), MarianFormat::kBinary);
    const LoadedModel again = import_marian(folder.path());
    const Ids source = model.codecs.at("source")->encode("dog sees the dog"),
              target = model.codecs.at("target")->encode("sees the");
    const Tensor before = log_probs_of(model, source, target),
                 now = log_probs_of(again, source, target);
    // <pad> and <s> are never generated in Marian, and have a probability in a random model of heed.
    const auto rest = [](const Tensor& x) {
      return x.narrow(1, kSpecials - 1, x.size(1) - kSpecials + 1).log_softmax(1);
    };
    EXPECT_TRUE(rest(before).allclose(rest(now), 0, 1e-5)) << rest(before) << rest(now);
  }
}

TEST(ExportedRecurrentModels, AreRefusedForWhatMarianLacks) {
  for (const auto& [encoder, decoder, message] : std::vector<std::array<std::string, 3>>{
           {kOwnEncoder + ", layers: 2", kOwnDecoder,
            "model.encoder.stacks is joint, expected separate"},
           {kOwnEncoder + ", layer_norm: true", kOwnDecoder,
            "model.encoder.layer_norm is true, expected false"},
           {"cell: lstm, width: 12", kOwnDecoder, "model.encoder.width is 12, expected 10"},
           {kOwnEncoder, kOwnDecoder + ", input_feeding: true",
            "model.decoder.input_feeding is true, expected false"},
           {kOwnEncoder,
            "cell: lstm, attend: before, bridge: tanh, output_activation: maxout, attention: "
            "{score: general}",
            "model.decoder.attend is before, expected conditional"},
           {kOwnEncoder + ", layer_norm: true", kOwnDecoder + ", layer_norm: true",
            "model.decoder.layer_norm_form is ba, expected marian"},
           {"cell: gru, width: 10",
            "cell: gru, attend: conditional, bridge: mean, output_activation: tanh, output_width: "
            "6, attention: {score: {type: additive, hidden: 10}}",
            "encoder_source.layer_0_forward has two biases of n"}}) {
    SCOPED_TRACE(message);
    const LoadedModel model = own_model(encoder, decoder);
    const TemporaryFolder folder;
    EXPECT_ERROR(export_marian(model, folder.path(), MarianFormat::kNpz), ErrorKind::kUsage,
                 message);
  }
  const LoadedModel model = own_model(kOwnEncoder, kOwnDecoder);
  const TemporaryFolder folder;
  EXPECT_ERROR(export_marian(model, folder.path(), MarianFormat::kIntgemm, {"the dog"}),
               ErrorKind::kUsage, "--format int8 is of a Transformer, expected npz or bin");
}

}  // namespace
}  // namespace heed
