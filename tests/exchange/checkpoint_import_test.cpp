// Models of JoeyNMT and OpenNMT-py, with the results that their toolkits compute
// (scripts/fixtures/joeynmt_models.py, opennmt_models.py), and what is refused.
#include "exchange/imports.h"

#include <caffe2/serialize/inline_container.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

#include "nn/torch.h"

#include "base/error.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "captured_log.h"
#include "exchange/fixtures.h"
#include "exchange/log_probs.h"
#include "exchange/pickle.h"
#include "exchange/stored_tensors.h"
#include "exchange/torch_file.h"
#include "holds.h"
#include "one_thread.h"

namespace heed {
namespace {

using nlohmann::json;

std::string fixture_file(const std::string& name, const std::string& file) {
  return (exchange_fixture(name) / "model" / file).string();
}

LoadedModel imported(const std::string& name) {
  return name.starts_with("joeynmt") ? import_joeynmt(exchange_fixture(name) / "model")
                                     : import_opennmt(fixture_file(name, "model_step_1.pt"));
}

class ModelsOfToolkits : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, ModelsOfToolkits,
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

TEST_P(ModelsOfToolkits, HaveItsLogProbabilities) {
  holds({"heed import joeynmt", "heed import opennmt", "model.source_end"});
  const LoadedModel model = imported(GetParam());
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

void replace_first(std::string& text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
}

// A text as a pickle has it.
std::string pickled(const std::string& text) {
  return std::string("X") + static_cast<char>(text.size()) + std::string(3, '\0') + text;
}

class CheckpointsOfToolkits : public testing::Test {
 protected:
  // Copies a checkpoint, with changed records.
  using Change = std::function<void(const std::string& record, std::string& bytes)>;
  std::string changed(const std::string& from, const Change& change) {
    const std::string to = folder_ / "changed.pt";
    caffe2::serialize::PyTorchStreamReader reader(from);
    caffe2::serialize::PyTorchStreamWriter writer(to);
    for (const std::string& name : reader.getAllRecords()) {
      if (name != "data.pkl" && !name.starts_with("data/")) continue;
      std::string bytes(reader.getRecordSize(name), '\0');
      reader.getRecord(name, bytes.data(), bytes.size());
      change(name, bytes);
      writer.writeRecord(name, bytes.data(), bytes.size());
    }
    writer.writeEndOfFile();
    return to;
  }
  // The same, with another text in the pickle.
  std::string renamed(const std::string& from, const std::string& text, const std::string& other) {
    return changed(from, [&](const std::string& record, std::string& bytes) {
      if (record == "data.pkl") replace_first(bytes, pickled(text), pickled(other));
    });
  }
  void copy_joeynmt(const std::string& name) {
    std::filesystem::copy(exchange_fixture(name) / "model", folder_ / "joey");
  }
  void change_config(const std::string& from, const std::string& to) {
    std::string config = read_plainly(folder_ / "joey/config.yaml");
    replace_first(config, from, to);
    write_plainly(folder_ / "joey/config.yaml", config);
  }
  const std::string mlp_ = fixture_file("opennmt/mlp", "model_step_1.pt");
  TemporaryFolder folder_;
};

TEST_F(CheckpointsOfToolkits, HaveSettingsOfAllTypes) {
  const Json values =
      open_checkpoint(mlp_, {.state_dicts = {{"model", ""}}, .values = {"opt", "vocab"}}).values;
  EXPECT_EQ(values["opt"]["encoder_type"], "brnn");
  EXPECT_EQ(values["opt"]["input_feed"].dump(), "1");
  EXPECT_EQ(values["opt"]["position_encoding"], false);
  EXPECT_EQ(values["opt"]["context_gate"], nullptr);
  EXPECT_TRUE(values["vocab"]["src"].is_array());
  EXPECT_FALSE(values.contains("model"));
}

TEST_F(CheckpointsOfToolkits, AreRefusedWhereTheyEndEarly) {
  const std::string whole = read_plainly(mlp_);
  write_plainly(folder_ / "cut.pt", whole.substr(0, whole.size() / 2));
  EXPECT_ERROR(import_opennmt(folder_ / "cut.pt"), ErrorKind::kModel,
               "cut.pt: is incomplete, or no checkpoint");
  write_plainly(folder_ / "text.pt", "text");
  EXPECT_ERROR(import_opennmt(folder_ / "text.pt"), ErrorKind::kModel, "it is not a zip archive");
}

TEST_F(CheckpointsOfToolkits, RunNothing) {
  EXPECT_ERROR(import_opennmt(exchange_fixture("torch") / "command.bin"), ErrorKind::kModel,
               "command.bin: is incomplete, or no checkpoint");
  EXPECT_FALSE(std::filesystem::exists("executed"));
}

TEST_F(CheckpointsOfToolkits, AreRefusedByTheirSettings) {
  const auto other = [&](const std::string& record, std::string& bytes) {
    if (record != "data.pkl") return;
    for (const char* option : {"position_encoding", "coverage_attn"}) {
      const size_t value = bytes.find('\x89', bytes.find(pickled(option)));
      ASSERT_NE(value, std::string::npos);
      bytes[value] = '\x88';  // false becomes true
    }
  };
  EXPECT_ERROR(import_opennmt(changed(mlp_, other)), ErrorKind::kModel,
               "cannot be imported: position_encoding: found true, expected false; coverage_attn: "
               "found true, expected false");
  EXPECT_ERROR(import_opennmt(renamed(mlp_, "opt", "options")), ErrorKind::kModel,
               "has no vocab or no opt");
  EXPECT_ERROR(import_opennmt(renamed(mlp_, "<blank>", "<empty>")), ErrorKind::kModel,
               "the vocabulary src has no <blank>");
}

TEST_F(CheckpointsOfToolkits, AreRefusedByTheirParameters) {
  EXPECT_ERROR(import_opennmt(renamed(mlp_, "decoder.attn.v.weight", "decoder.attn.w.weight")),
               ErrorKind::kModel, "it has no parameter decoder.attn.v.weight");
  EXPECT_ERROR(import_opennmt(renamed(mlp_, "decoder.attn.linear_out.bias", "decoder.gate.bias")),
               ErrorKind::kModel, "layers that are not converted: decoder.gate.bias");
  const auto infinite = [](const std::string& record, std::string& bytes) {
    const float value = std::numeric_limits<float>::infinity();
    if (record == "data/0") bytes.replace(0, 4, reinterpret_cast<const char*>(&value), 4);
  };
  EXPECT_ERROR(import_opennmt(changed(mlp_, infinite)), ErrorKind::kModel,
               "has numbers that are not finite");
}

// Tables that a model computes or has twice are compared, not ignored.
TEST_F(CheckpointsOfToolkits, AreRefusedByCopiesThatDiffer) {
  EXPECT_ERROR(import_opennmt(renamed(mlp_, "decoder.attn.linear_out.bias", "decoder.gate.pe")),
               ErrorKind::kModel, "decoder.gate.pe holds other numbers than sines and cosines");
  copy_joeynmt("joeynmt/pre");
  change_config("tied_softmax: false", "tied_softmax: true");
  EXPECT_ERROR(import_joeynmt(folder_ / "joey"), ErrorKind::kModel,
               "decoder.output_layer.weight differs from trg_embed.lut.weight");
}

TEST_F(CheckpointsOfToolkits, AreRefusedByAVocabularyOfAnotherSize) {
  copy_joeynmt("joeynmt/default");
  std::string tokens = read_plainly(folder_ / "joey/src_vocab.txt");
  replace_first(tokens, "the\n", "");
  write_plainly(folder_ / "joey/src_vocab.txt", tokens);
  EXPECT_ERROR(import_joeynmt(folder_ / "joey"), ErrorKind::kModel, "but its vocabulary has");
}

// The special tokens come first, as in the class Vocabulary of JoeyNMT.
TEST_F(CheckpointsOfToolkits, HaveTheOrderOfJoeynmt) {
  copy_joeynmt("joeynmt/default");
  const auto vocabulary = [this] {
    return import_joeynmt(folder_ / "joey").codecs.at("source")->vocabulary();
  };
  const Vocabulary usual = vocabulary();
  const std::string specials = "<unk>\n<pad>\n<s>\n</s>\n", file = folder_ / "joey/src_vocab.txt";
  const std::string tokens = read_plainly(file).substr(specials.size());
  for (const std::string& other :
       {tokens + "</s>\n<s>\n<pad>\n<unk>\n", tokens, specials + tokens + "the\n"}) {
    write_plainly(file, other);
    EXPECT_EQ(vocabulary(), usual);
  }
}

// JoeyNMT gives SentencePiece the vocabulary, which then cuts words into pieces that it has.
TEST_F(CheckpointsOfToolkits, CutWordsIntoTokens) {
  copy_joeynmt("joeynmt/pre");
  const std::string file = folder_ / "joey/src_vocab.txt";
  const auto encoded = [this] {
    const Codec codec = *import_joeynmt(folder_ / "joey").codecs.at("source");
    return codec.pieces(codec.encode("the tree"));
  };
  EXPECT_THAT(encoded(), testing::ElementsAre("▁the", "▁tree"));
  std::string tokens = read_plainly(file);
  replace_first(tokens, "▁the\n", "other\n");
  write_plainly(file, tokens);
  EXPECT_THAT(encoded(), testing::Not(testing::Contains("<unk>")));
}

TEST_F(CheckpointsOfToolkits, BlockRepetitionsAsJoeynmt) {
  copy_joeynmt("joeynmt/default");
  const auto ngram = [this](const std::string& from, const std::string& to) {
    change_config(from, to);
    return import_joeynmt(folder_ / "joey").config.search.no_repeat_ngram;
  };
  EXPECT_EQ(ngram("beam_size: 5", "no_repeat_ngram_size: 1"), 0) << "no n-gram of one token there";
  CapturedLog log;
  EXPECT_EQ(ngram("no_repeat_ngram_size: 1", "no_repeat_ngram_size: 2"), 2);
  EXPECT_THAT(log.end(), testing::HasSubstr("counts the tokens of the source"));
}

TEST_F(CheckpointsOfToolkits, AreRefusedByTheLineOfASettingOfSearch) {
  copy_joeynmt("joeynmt/default");
  std::string before = "beam_size: 5";
  for (const auto& [now, found] : {std::pair("beam_size: 0", "0"),
                                   {"alpha: big", "\"big\""},
                                   {"max_output_length: 1.5", "1.5"},
                                   {"generate_unk: [1]", "[1]"}}) {
    change_config(before, now);
    before = now;
    const std::string text = read_plainly(folder_ / "joey/config.yaml"), key(now, strchr(now, ':'));
    const auto line = std::count(text.begin(), text.begin() + text.find(now), '\n') + 1;
    EXPECT_ERROR(import_joeynmt(folder_ / "joey"), ErrorKind::kModel,
                 fmt::format("config.yaml:{}: testing.{}: found {}, expected", line, key, found));
  }
}

TEST_F(CheckpointsOfToolkits, AreRefusedByAShapeOfAnotherConfig) {
  copy_joeynmt("joeynmt/gru");
  change_config("hidden_size: 9", "hidden_size: 8");
  EXPECT_ERROR(import_joeynmt(folder_ / "joey"), ErrorKind::kModel, "by its settings");
}

TEST_F(CheckpointsOfToolkits, AreRefusedByTheirConfig) {
  copy_joeynmt("joeynmt/default");
  change_config("dropout: 0.1", "alpha: 0.8\n    dropout: 0.1");
  EXPECT_ERROR(import_joeynmt(folder_ / "joey"), ErrorKind::kModel,
               "cannot be imported: model.decoder.alpha: found 0.8, expected 1.0");
  change_config("alpha: 0.8", "layer_norm: before");
  EXPECT_ERROR(import_joeynmt(folder_ / "joey"), ErrorKind::kModel,
               "model.decoder.layer_norm: found \"before\", expected \"pre\" or \"post\"");
  change_config("layer_norm: before", "layer_norm: post");
  change_config("level: word", "level: char");
  EXPECT_ERROR(import_joeynmt(folder_ / "joey"), ErrorKind::kModel,
               "data.src.level: found \"char\", expected \"word\" or \"bpe\"");
}

TEST_F(CheckpointsOfToolkits, AreFoundByTheirNames) {
  copy_joeynmt("joeynmt/default");
  std::filesystem::rename(folder_ / "joey/best.ckpt", folder_ / "joey/latest.ckpt");
  EXPECT_NE(import_joeynmt(folder_ / "joey").network, nullptr);
  EXPECT_NE(import_joeynmt(folder_ / "joey/latest.ckpt").network, nullptr);
  // best.ckpt of JoeyNMT is a link.
  std::filesystem::create_symlink("100.ckpt", folder_ / "joey/best.ckpt");
  EXPECT_ERROR(import_joeynmt(folder_ / "joey"), ErrorKind::kModel,
               "best.ckpt: names 100.ckpt, which is missing");
}

// A short pickle can refer to its values so often that no memory holds a copy of each.
TEST(CheckpointContents, HaveALimitedNumberOfValues) {
  std::string values("]q\0", 3);
  for (char level = 0; level < 40; ++level)  // each tuple has the one before it twice
    values += std::string("h") + level + "h" + level + "\x86q" + static_cast<char>(level + 1);
  const std::string pickle = "\x80\x02}(" + pickled("opt") + "(" + values + "tu.";
  EXPECT_THAT([&] { read_checkpoint(pickle, {.state_dicts = {}, .values = {"opt"}}); },
              testing::ThrowsMessage<PickleError>(testing::HasSubstr("too many")));
}

}  // namespace
}  // namespace heed
