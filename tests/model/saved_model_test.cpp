#include "model/saved_model.h"

#include <gtest/gtest.h>
#include "nn/torch.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/sealed_json.h"
#include "base/temporary_folder.h"
#include "config/reader.h"
#include "model/decoders/rnn_config.h"
#include "model/encoders/rnn_config.h"
#include "model/outputs/copynet_config.h"
#include "text/words.h"

namespace heed {
namespace {

struct Example {
  SavedModelConfig config;
  Codecs codecs;
  std::shared_ptr<Seq2Seq> network;
};

Example small_model() {
  Example example;
  auto encoder = make_kind<RnnEncoderConfig>("rnn");
  encoder->width = 6;
  auto decoder = make_kind<RnnDecoderConfig>("rnn");
  decoder->width = 6;
  ModelConfig& model = example.config.model;
  model.embedding.width = 4;
  model.encoder = encoder;
  model.decoder = decoder;
  const auto tokenizer = std::make_shared<WordTokenizer>("", false);
  const auto codec = [&](const std::vector<std::string>& words) {
    return std::make_shared<const Codec>(tokenizer, std::make_shared<const Vocabulary>(words));
  };
  for (const char* side : {"source", "target"})
    example.config.text[side].tokenizer = make_kind<WordsConfig>("words");
  example.config.max_length = 77;
  example.config.search.beam = 9;
  example.codecs = {{"source", codec({"ein", "Haus"})}, {"target", codec({"a", "house", "it"})}};
  example.network =
      std::make_shared<Seq2Seq>(model, vocabulary_sizes(example.config, example.codecs), 3);
  return example;
}

class SavedModel : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(path_);
    save_model(path_, example_.config, example_.codecs, *example_.network);
  }
  LoadedModel load() { return load_model(path_, torch::kCPU); }
  // Another content under the same name, with a manifest that agrees.
  void replace_tensors(const NamedTensors& tensors) {
    write_safetensors(path_ / "model.safetensors", tensors);
    fs::remove(path_ / "MANIFEST.json");
    write_manifest(path_);
  }
  // The same model as an earlier version of heed wrote it.
  void make_format_1() {
    const std::string whole = read_file(path_ / kManifest);
    const size_t format = whole.find("\"format\":2"), end = whole.rfind('}');
    ASSERT_NE(format, std::string::npos);
    const std::string body = whole.substr(format, end - format);
    fs::remove(path_ / kManifest);
    write_file(path_ / kManifest, seal_json("\"format\":1" + body.substr(body.find(','))));
  }
  void save_again() {
    fs::remove_all(path_);
    fs::create_directories(path_);
    example_.network = std::make_shared<Seq2Seq>(
        example_.config.model, vocabulary_sizes(example_.config, example_.codecs), 3);
    save_model(path_, example_.config, example_.codecs, *example_.network);
  }
  TemporaryFolder folder_;
  fs::path path_ = folder_ / "model";
  Example example_ = small_model();
};

TEST_F(SavedModel, ComesBackAsItWas) {
  const LoadedModel loaded = load();
  const NamedTensors expected = tensors_of(*example_.network), found = tensors_of(*loaded.network);
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [name, tensor] : expected) EXPECT_TRUE(found.at(name).equal(tensor)) << name;
  EXPECT_EQ(loaded.config.sources, std::vector<std::string>{"source"});
  EXPECT_EQ(loaded.config.max_length, 77);
  EXPECT_EQ(loaded.config.search.beam, 9);
  EXPECT_EQ(loaded.codecs.at("target")->vocabulary(), example_.codecs.at("target")->vocabulary());
  EXPECT_EQ(loaded.codecs.at("source")->encode("ein Haus"), (Ids{4, 5}));
  EXPECT_FALSE(loaded.network->is_training());
}

TEST_F(SavedModel, KeepsTheTypeOfItsNumbers) {
  example_.network->to(torch::kDouble);
  replace_tensors(tensors_of(*example_.network));
  const NamedTensors expected = tensors_of(*example_.network);
  for (const auto& [name, tensor] : tensors_of(*load().network))
    EXPECT_TRUE(tensor.equal(expected.at(name))) << name;
}

TEST_F(SavedModel, IsRefusedWithAnyFileDamagedCutOrMissing) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path_)) files.push_back(entry.path());
  EXPECT_EQ(files.size(), 5);  // tensors, config, two vocabularies, manifest
  for (const fs::path& file : files) {
    const std::string whole = read_plainly(file);
    for (const size_t byte : {size_t{0}, whole.size() / 2, whole.size() - 1}) {
      std::string damaged = whole;
      damaged[byte] = static_cast<char>(damaged[byte] ^ 4);
      write_plainly(file, damaged);
      EXPECT_ERROR(load(), ErrorKind::kModel, file.filename().string());
    }
    write_plainly(file, whole.substr(0, whole.size() / 2));
    EXPECT_ERROR(load(), ErrorKind::kModel, file.filename().string());
    fs::remove(file);
    EXPECT_ERROR(load(), ErrorKind::kModel, file.filename().string());
    write_plainly(file, whole);
  }
  load();
}

TEST_F(SavedModel, NamesTheTensorThatIsMissingForeignOrOfAnotherShape) {
  const NamedTensors tensors = tensors_of(*example_.network);
  const std::string name = tensors.begin()->first;
  NamedTensors wrong = tensors;
  wrong.erase(name);
  replace_tensors(wrong);
  EXPECT_ERROR(load(), ErrorKind::kModel, name + " is missing");
  wrong = tensors;
  wrong["extra"] = torch::zeros({1});
  replace_tensors(wrong);
  EXPECT_ERROR(load(), ErrorKind::kModel, "extra is not a tensor of this model");
  wrong = tensors;
  wrong[name] = torch::zeros({1, 2, 3});
  replace_tensors(wrong);
  EXPECT_ERROR(load(), ErrorKind::kModel, name + " is Float [1,2,3], expected Float [");
  wrong[name] = tensors.at(name).to(torch::kHalf);
  replace_tensors(wrong);
  EXPECT_ERROR(load(), ErrorKind::kModel, name);
}

// 10¹² parameters by the config, none of which the file has.
TEST_F(SavedModel, ComparesShapesBeforeMemoryIsTaken) {
  const std::string config = read_plainly(path_ / "config.yaml");
  const size_t at = config.find("width: 6");
  ASSERT_NE(at, std::string::npos);
  const double before = resident_memory();
  for (const char* width : {"width: 100000", "width: 20000", "width: 7"}) {
    write_plainly(path_ / "config.yaml", std::string(config).replace(at, 8, width));
    fs::remove(path_ / "MANIFEST.json");
    write_manifest(path_);
    EXPECT_ERROR(load(), ErrorKind::kModel, "");
  }
  constexpr double kMuch = 1e9;
  EXPECT_LT(resident_memory() - before, kMuch);
}

TEST_F(SavedModel, RefusesAConfigThatItCannotRead) {
  write_plainly(path_ / "config.yaml", "model: {unheard_of: 1}\n");
  fs::remove(path_ / "MANIFEST.json");
  write_manifest(path_);
  try {
    load();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kModel);
    EXPECT_NE(std::string(error.what()).find("unheard_of"), std::string::npos) << error.what();
  }
}

TEST(FindModel, TakesRunsCheckpointsAndModels) {
  TemporaryFolder folder;
  const fs::path run = folder / "run";
  EXPECT_ERROR(find_model(run), ErrorKind::kModel, "no such folder");
  fs::create_directories(run);
  EXPECT_ERROR(find_model(run), ErrorKind::kModel, "is not a run");
  write_plainly(run / "config.yaml", "");
  EXPECT_ERROR(find_model(run), ErrorKind::kModel, "no checkpoint yet");
  for (const char* step : {"step-1", "step-2"}) {
    fs::create_directories(run / "checkpoints" / step / "model");
    write_plainly(run / "checkpoints" / step / "model" / "model.safetensors", "");
  }
  const fs::path checkpoint = run / "checkpoints" / "step-1";
  EXPECT_EQ(find_model(checkpoint / "model"), checkpoint / "model");
  EXPECT_EQ(find_model(checkpoint), checkpoint / "model");
  replace_link(run / "latest", "checkpoints/step-2");
  EXPECT_EQ(find_model(run), run / "latest" / "model");
  replace_link(run / "best", "checkpoints/step-1");
  EXPECT_EQ(find_model(run), run / "best" / "model");
}

// A run with the checkpoints 1 and 2, of which `best` names the first.
class ReadModel : public testing::Test {
 protected:
  ReadModel() {
    for (const char* step : {"1", "2"}) {
      make_folders(run_ / "checkpoints" / step / "model");
      write_plainly(run_ / "checkpoints" / step / "model/model.safetensors", step);
    }
    replace_link(run_ / "best", "checkpoints/1");
  }
  void move_best() const {
    replace_link(run_ / "best", "checkpoints/2");
    remove_tree(run_ / "checkpoints/1");
  }
  static std::string content(const fs::path& folder) {
    return read_plainly(folder / "model.safetensors");
  }
  TemporaryFolder folder_;
  const fs::path run_ = folder_ / "run";
};

TEST_F(ReadModel, NamesTheCheckpointItself) {
  read_model(run_, [&](const fs::path& folder) {
    EXPECT_EQ(folder, fs::canonical(run_ / "checkpoints/1/model"));
  });
}

TEST_F(ReadModel, GoesOnToTheNextWhereOneWentAwayWhileItWasRead) {
  for (const bool fails : {true, false}) {
    std::vector<std::string> seen;
    read_model(run_, [&](const fs::path& folder) {
      seen.push_back(content(folder));
      if (seen.size() > 1) return;
      move_best();
      if (fails) throw_error(ErrorKind::kModel, "damaged");
    });
    EXPECT_EQ(seen, (std::vector<std::string>{"1", "2"}));
    make_folders(run_ / "checkpoints/1/model");
    write_plainly(run_ / "checkpoints/1/model/model.safetensors", "1");
    replace_link(run_ / "best", "checkpoints/1");
  }
}

TEST_F(ReadModel, TellsOfDamageWhereTheModelStillLies) {
  int calls = 0;
  const auto read = [&](const fs::path&) {
    ++calls;
    throw_error(ErrorKind::kModel, "damaged");
  };
  EXPECT_ERROR(read_model(run_, read), ErrorKind::kModel, "damaged");
  EXPECT_EQ(calls, 1);
}

TEST_F(ReadModel, TellsThatANamedCheckpointWentAway) {
  const auto read = [&](const fs::path&) { move_best(); };
  EXPECT_ERROR(read_model(run_ / "checkpoints/1", read), ErrorKind::kModel, "no such folder");
}

TEST_F(SavedModel, OfFormat1KeepsItsMeaning) {
  example_.config.model.output = std::make_shared<CopyNetConfig>();
  example_.config.model.output->type = "copynet";
  save_again();
  const auto copies_end = [&] {
    return std::dynamic_pointer_cast<CopyNetConfig>(load().config.model.output)->copy_end;
  };
  EXPECT_FALSE(copies_end());
  make_format_1();
  EXPECT_TRUE(copies_end());
}

TEST_F(SavedModel, OfFormat1WithAnotherFormulaIsRefused) {
  const auto use = [&](const std::string& self_attention) {
    read_config_text(
        "{embedding: {width: 12}, encoder: {type: transformer, layers: 1, width: 12, "
        "positions: none, self_attention: " +
            self_attention + "}, decoder: {type: rnn, width: 12}}",
        "test", example_.config.model);
    save_again();
    EXPECT_NO_THROW(load());
    make_format_1();
  };
  use("{heads: 4, score: scaled_dot, terms: [alibi]}");
  EXPECT_NO_THROW(load());
  use("{heads: 3, score: scaled_dot, terms: [alibi]}");
  EXPECT_ERROR(load(), ErrorKind::kModel, "model.encoder.self_attention: an earlier version");
}

}  // namespace
}  // namespace heed
