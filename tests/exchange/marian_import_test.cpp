// Models of Marian with the log-probabilities of its formulas (scripts/fixtures/marian_networks.py), and
// what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "nn/torch.h"

#include "base/error.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "captured_log.h"
#include "exchange/fixtures.h"
#include "exchange/imports.h"
#include "exchange/log_probs.h"
#include "exchange/marian_file.h"
#include "holds.h"
#include "inference/engine_shape.h"
#include "one_thread.h"

namespace heed {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

fs::path marian_network(const std::string& name) {
  return exchange_fixture("marian_networks/" + name);
}

class NetworksOfMarian : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, NetworksOfMarian,
                         testing::Values("post", "pre", "average", "rms", "ssru", "ssru_pre"),
                         [](const auto& name) { return name.param; });

TEST_P(NetworksOfMarian, HaveTheLogProbabilitiesOfItsFormulas) {
  holds({"heed import marian", "model.embedding.zero_begin"});
  const LoadedModel model = import_marian(marian_network(GetParam()));
  const Vocabulary& target = model.codecs.at("target")->vocabulary();
  const json expected = expected_by_toolkit("marian_networks/" + GetParam());
  std::vector<int32_t> own;  // id in heed for each id of Marian
  for (const std::string token : expected["tokens"])
    own.push_back(token == "</s>" ? kEnd : token == "<unk>" ? kUnknown : target.id(token));
  EXPECT_EQ(std::ranges::count(own, kUnknown), 1);
  for (const json& one : expected["cases"]) {
    const Ids source = model.codecs.at("source")->encode(one["source"].get<std::string>());
    EXPECT_EQ(source.size() + 1, one["source_ids"].size());  // with </s>
    Ids ids;
    for (const size_t id : one["target"]) ids.push_back(own.at(id));
    const Tensor found = log_probs_of(model, source, ids);
    ASSERT_EQ(found.size(0), std::ssize(one["log_probabilities"]));
    for (int64_t t = 0; t < found.size(0); ++t) {
      for (size_t id = 0; id < own.size(); ++id)
        EXPECT_NEAR(found[t][own[id]].item<double>(), one["log_probabilities"][t][id], 2e-4)
            << t << " " << id;
    }
  }
}

TEST_P(NetworksOfMarian, AreTranslatedWithoutLibtorch) {
  EXPECT_TRUE(engine_shape(import_marian(marian_network(GetParam())).config).has_value());
}

TEST(NetworksOfMarianSearch, IsThatOfTheDecoderFile) {
  const SearchConfig search = import_marian(marian_network("post")).config.search;
  EXPECT_EQ(search.beam, 4);
  EXPECT_EQ(search.length_penalty, 0.6);
  EXPECT_FALSE(search.allow_unknown);
  const SearchConfig of_student = import_marian(marian_network("ssru")).config.search;
  EXPECT_EQ(of_student.beam, 1);
}

TEST(NetworksOfMarianSearch, IsRefusedByTheLineOfTheFile) {
  const TemporaryFolder folder;
  fs::copy(marian_network("post"), folder / "post");
  const fs::path file = folder / "post/model.npz.decoder.yml";
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"beam-size: 0\n", ":1: beam-size: found 0, expected a whole number from 1 to 1000"},
           {"# x\nbeam-size: big\n", ":2: beam-size: found \"big\", expected a whole number"},
           {"beam-size: 4\nnormalize: -1\n", ":2: normalize: found -1, expected a number from 0"},
           {"normalize: [1]\n", ":1: normalize: found [1], expected a number"},
           {"max-length-factor: 9999\n", ":1: max-length-factor: found 9999, expected"},
           {"word-penalty: high\n", ":1: word-penalty: found \"high\", expected a number"},
           {"allow-unk: maybe\n", ":1: allow-unk: found \"maybe\", expected true or false"},
           {"vocabs: [a, b, c]\n", ":1: vocabs: found 3 vocabularies, expected one source"},
           {"- beam-size\n", ": found a list, expected keys"}}) {
    write_plainly(file, text);
    SCOPED_TRACE(text);
    EXPECT_ERROR(import_marian(folder / "post"), ErrorKind::kModel, file.string() + message);
  }
  // All of them at once.
  write_plainly(file, "beam-size: 0\nallow-unk: 2\n");
  EXPECT_ERROR(import_marian(folder / "post"), ErrorKind::kModel, ":2: allow-unk: found 2");
  EXPECT_ERROR(import_marian(folder / "post"), ErrorKind::kModel, ":1: beam-size: found 0");
}

class FilesOfMarian : public testing::Test {
 protected:
  // A model with other tensors, beside the vocabularies of a fixture.
  fs::path changed(const std::string& name, const std::function<void(MarianTensors&)>& change) {
    fs::copy(marian_network(name), folder_ / name,
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    for (const char* file : {"model.npz", "model.bin"}) fs::remove(folder_ / name / file);
    const bool is_npz = fs::exists(marian_network(name) / "model.npz");
    MarianFile file(marian_network(name) / (is_npz ? "model.npz" : "model.bin"));
    MarianTensors tensors{.tensors = {}, .settings = file.settings()};
    for (const std::string& tensor : file.names()) tensors.tensors[tensor] = file.read(tensor);
    change(tensors);
    write_marian_npz(folder_ / name / "model.npz", tensors);
    return folder_ / name;
  }
  fs::path with_setting(const std::string& name, const std::string& line) {
    return changed(name, [&](MarianTensors& tensors) {
      const std::string key = line.substr(0, line.find(':') + 1);
      const size_t begin = ("\n" + tensors.settings).find("\n" + key);
      if (begin == std::string::npos) {
        tensors.settings += "\n" + line;
      } else {
        const size_t end = tensors.settings.find('\n', begin);
        tensors.settings.replace(begin, end - begin, line);
      }
    });
  }
  TemporaryFolder folder_;
};

TEST_F(FilesOfMarian, AreTheSameWhenTheyAreWrittenAgain) {
  const LoadedModel before = import_marian(marian_network("post"));
  const LoadedModel again = import_marian(changed("post", [](MarianTensors&) {}));
  const NamedTensors tensors = tensors_of(*before.network);
  for (const auto& [name, tensor] : tensors_of(*again.network))
    EXPECT_TRUE(tensor.equal(tensors.at(name))) << name;
}

TEST_F(FilesOfMarian, AreRefusedForSettingsThatHeedLacks) {
  for (const auto& [line, message] : std::vector<std::pair<std::string, std::string>>{
           {"type: multi-transformer",
            "type: found \"multi-transformer\", expected \"transformer\""},
           {"transformer-postprocess: dn", "expected one normalization"},
           {"transformer-ffn-depth: 3", "transformer-ffn-depth: found 3, expected 2"},
           {"transformer-ffn-activation: tanh", "transformer-ffn-activation: found \"tanh\""},
           {"transformer-postprocess-top: n", "transformer-postprocess-top: found \"n\""},
           {"transformer-decoder-autoreg: rnn", "dec-cell: found \"gru\", expected \"ssru\""},
           {"layer-normalization: true", "layer-normalization: found true, expected false"},
           {"ulr: true", "ulr: found true"},
           {"right-left: true", "right-left: found true"},
           {"lemma-dim-emb: 12", "lemma-dim-emb: found 12"},
           {"transformer-attention-mask: alibi", "transformer-attention-mask: found \"alibi\""},
           {"transformer-train-position-embeddings: true", "transformer-train-position-embeddings"},
           {"transformer-tied-layers: [1]", "transformer-tied-layers: found [1]"},
           {"enc-depth: 100000", "enc-depth: found 100000"},
           {"dec-depth: 0", "dec-depth: found 0"},
           {"dim-emb: 0", "dim-emb: found 0, expected a whole number from 1"},
           {"transformer-heads: 3", "transformer-heads: found 3, expected a number that divides"},
           {"transformer-dim-ffn: -2", "transformer-dim-ffn: found -2"},
           {"transformer-no-bias: true", "transformer-no-bias: found true"}}) {
    SCOPED_TRACE(line);
    EXPECT_ERROR(import_marian(with_setting("post", line)), ErrorKind::kModel, message);
  }
  EXPECT_ERROR(import_marian(with_setting("ssru", "transformer-rnn-projection: true")),
               ErrorKind::kModel, "transformer-rnn-projection: found true");
  EXPECT_ERROR(import_marian(with_setting("average", "transformer-aan-activation: swish")),
               ErrorKind::kModel, "transformer-aan-activation: found \"swish\"");
  EXPECT_ERROR(import_marian(with_setting("average", "transformer-dim-aan: 16")), ErrorKind::kModel,
               "transformer-dim-aan: found 16");
}

TEST_F(FilesOfMarian, AreReportedWithSettingsThatHeedDoesNotKnow) {
  CapturedLog log;
  import_marian(with_setting("post", "transformer-new-gate: 3"));
  EXPECT_THAT(log.end(), testing::HasSubstr("transformer-new-gate (3)"));
}

TEST_F(FilesOfMarian, AreRefusedForOtherParameters) {
  EXPECT_ERROR(import_marian(changed("post",
                                     [](MarianTensors& model) {
                                       model.tensors["decoder_l3_self_Wq"] = torch::zeros({16, 16});
                                     })),
               ErrorKind::kModel,
               "parameters of layers that are not converted: decoder_l3_self_Wq");
  EXPECT_ERROR(
      import_marian(
          changed("post", [](MarianTensors& model) { model.tensors.erase("encoder_l1_self_bq"); })),
      ErrorKind::kModel, "it has no parameter encoder_l1_self_bq");
  EXPECT_ERROR(import_marian(changed("post",
                                     [](MarianTensors& model) {
                                       model.tensors["encoder_l1_self_Wq"] = torch::zeros({16, 12});
                                     })),
               ErrorKind::kModel,
               "encoder_l1_self_Wq is [16,12], expected [16,16] by the settings of the model");
  EXPECT_ERROR(import_marian(changed("post",
                                     [](MarianTensors& model) {
                                       model.tensors["encoder_l1_self_Wq"][0][0] = INFINITY;
                                     })),
               ErrorKind::kModel, "encoder_l1_self_Wq has numbers that are not finite");
  EXPECT_ERROR(import_marian(changed("post",
                                     [](MarianTensors& model) {
                                       model.tensors["Wemb"] = torch::zeros({12, 16});
                                     })),
               ErrorKind::kModel, "but the embeddings 12 rows; it is of another model");
}

// Each parameter with another shape: its name, this shape and the expected one are in the message.
TEST_F(FilesOfMarian, AreRefusedForOtherShapes) {
  for (const char* name : {"post", "pre", "average", "ssru"}) {
    const bool is_npz = fs::exists(marian_network(name) / "model.npz");
    MarianFile file(marian_network(name) / (is_npz ? "model.npz" : "model.bin"));
    for (const std::string& parameter : file.names()) {
      if (parameter.find("_l2_") != std::string::npos) continue;  // as the first layers
      const Tensor whole = file.read(parameter);
      std::vector<Tensor> others;
      if (whole.size(0) != whole.size(1)) others.push_back(whole.t().contiguous());
      if (whole.size(0) != 1) others.push_back(whole.flatten());
      others.push_back(whole.unsqueeze(0));
      others.push_back(whole.narrow(1, 0, whole.size(1) - 1).contiguous());
      for (const Tensor& other : others) {
        SCOPED_TRACE(fmt::format("{} {}", name, parameter));
        const std::string found =
            fmt::format("{} is [{}], expected", parameter, fmt::join(other.sizes(), ","));
        EXPECT_ERROR(import_marian(changed(
                         name, [&](MarianTensors& model) { model.tensors[parameter] = other; })),
                     ErrorKind::kModel, found);
      }
    }
  }
}

TEST_F(FilesOfMarian, AreRefusedWhereTheyEndEarlyOrAreDamaged) {
  for (const std::string name : {"post/model.npz", "average/model.bin", "ssru/model.bin"}) {
    const std::string whole = read_plainly(marian_network(name));
    const fs::path path = folder_ / fs::path(name).filename();
    const auto expect_refused = [&](const std::string& bytes) {
      write_plainly(path, bytes);
      SCOPED_TRACE(bytes.size());
      EXPECT_ERROR(MarianFile{path}, ErrorKind::kModel, path.filename().string());
    };
    for (size_t size = 0; size < whole.size(); size += whole.size() / 40 + 1)
      expect_refused(whole.substr(0, size));
    expect_refused(whole.substr(0, whole.size() - 1));
    expect_refused(whole + "x");
    // Damage may also make another model, which the import then compares with its settings.
    for (size_t at = 0; at < std::min<size_t>(whole.size(), 4000); at += 53) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x81);
      write_plainly(path, damaged);
      try {
        MarianFile file(path);
        for (const std::string& tensor : file.names()) file.read(tensor);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kModel) << error.what();
      }
    }
  }
}

TEST_F(FilesOfMarian, AreFoundByTheirNames) {
  const fs::path folder = folder_ / "several";
  fs::create_directory(folder);
  EXPECT_ERROR(import_marian(folder), ErrorKind::kModel, "the folder has no model");
  for (const char* file : {"model.npz", "model.bin"})
    fs::copy(marian_network("post/model.npz"), folder / file);
  EXPECT_ERROR(import_marian(folder), ErrorKind::kModel,
               "the folder has several models: model.bin, model.npz; name one");
  EXPECT_ERROR(import_marian(folder / "model.npz"), ErrorKind::kModel,
               "found no file; name the vocabularies by --source-vocab and --target-vocab");
  const fs::path vocabulary = marian_network("post/vocab.spm");
  EXPECT_EQ(
      import_marian(folder / "model.npz",
                    {.source_vocabulary = vocabulary, .target_vocabulary = vocabulary})
          .codecs.at("source")
          ->decode(import_marian(marian_network("post")).codecs.at("source")->encode("the dog")),
      "the dog");
}

// The vocabulary of one side says nothing about the other.
TEST_F(FilesOfMarian, AreNotHalfOfTheVocabularies) {
  fs::copy(marian_network("pre"), folder_ / "pre");
  fs::remove(folder_ / "pre/vocab.src.yml");
  EXPECT_ERROR(import_marian(folder_ / "pre"), ErrorKind::kModel,
               "name the vocabularies by --source-vocab and --target-vocab");
}

TEST_F(FilesOfMarian, AreFoundInTheFolderOfTheProcess) {
  const fs::path before = fs::current_path();
  fs::current_path(marian_network("rms"));
  EXPECT_EQ(import_marian("model.npz").config.model.embedding.tie, Tie::kInputs);
  fs::current_path(before);
}

TEST_F(FilesOfMarian, MayHaveTokensWithoutText) {
  fs::copy(marian_network("pre"), folder_ / "pre");
  const fs::path file = folder_ / "pre/vocab.src.yml";
  const std::string whole = read_plainly(file);
  const auto lines = std::ranges::count(whole, '\n');
  // Without the last two lines.
  const size_t last = whole.rfind('\n', whole.size() - 2), end = whole.rfind('\n', last - 1);
  write_plainly(file, whole.substr(0, end + 1));
  CapturedLog log;
  import_marian(folder_ / "pre");
  EXPECT_THAT(log.end(), testing::HasSubstr(fmt::format(
                             "{}: has {} tokens, but the embeddings {} rows: 2 tokens have no text",
                             file.string(), lines - 2, lines)));
}

TEST_F(FilesOfMarian, AreRefusedForDamagedVocabularies) {
  fs::copy(marian_network("pre"), folder_ / "pre");
  const fs::path file = folder_ / "pre/vocab.src.yml";
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"</s>: 0\n<unk>: 1\ntree 2\n", ":3: expected a token and its id"},
           {"</s>: 0\n<unk>: 1\ntree: x\n", ":3: expected a token and its id"},
           {"</s>: 0\n<unk>: 1\n\"tree: 2\n", ":3: expected a token and its id"},
           {"</s>: 0\n<unk>: 0\n", ":2: the id 0 is there twice"},
           {"</s>: 0\ntree: 2\n", "has no <unk>"},
           {"</s>: 0\n<unk>: 1\ntree: 99\n", "has the id 99, but the embeddings"}}) {
    write_plainly(file, text);
    SCOPED_TRACE(text);
    EXPECT_ERROR(import_marian(folder_ / "pre"), ErrorKind::kModel, message);
  }
}

}  // namespace
}  // namespace heed
