#include "train/initial_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/log.h"
#include "holds.h"
#include "train/parameter_pattern.h"
#include "train/tiny_run.h"
#include "train/word_vectors.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::shared_ptr<const Codec> codec_of(const std::vector<std::string>& pieces) {
  return std::make_shared<const Codec>(std::make_shared<WordTokenizer>("", false),
                                       std::make_shared<const Vocabulary>(pieces));
}

LoadedModel model_of(const ModelConfig& config, const std::vector<std::string>& pieces,
                     uint64_t seed) {
  LoadedModel model;
  model.config.model = config;
  model.config.text = tiny_text({kSourceSide});
  for (const auto& [side, unused] : model.config.text) model.codecs[side] = codec_of(pieces);
  model.network =
      std::make_shared<Seq2Seq>(config, vocabulary_sizes(model.config, model.codecs), seed);
  return model;
}

InitialModel initial_model(LoadedModel model) {
  model.folder = "other";
  return {.model = std::move(model), .optimizer = {}, .update = 0};
}

TEST(InitialModel, GivesItsParametersByTokenWhereVocabulariesDiffer) {
  LoadedModel now = model_of(tiny_rnn(), {"c", "a", "new"}, 1);
  const NamedTensors before = tensors_of(*now.network);
  const Tensor fresh = before.at("target.embedding").detach().clone();
  const InitialModel initial = initial_model(model_of(tiny_rnn(), {"a", "b", "c"}, 2));
  const ParameterTransfer transfer(initial.model, now.config, now.codecs);
  const auto notes = initialize_from(initial, {}, transfer, *now.network);
  EXPECT_THAT(notes, testing::Contains("target: 1 of 7 tokens are new"));
  const NamedTensors given = tensors_of(*initial.model.network), own = tensors_of(*now.network);
  // Rows: four special tokens, then the pieces.
  const std::vector<std::pair<int64_t, int64_t>> common = {{0, 0}, {1, 1}, {2, 2},
                                                           {3, 3}, {4, 6}, {5, 4}};
  for (const char* name : {"target.embedding", "source_source.embedding", "output.bias"}) {
    for (const auto& [to, from] : common)
      EXPECT_TRUE(torch::equal(own.at(name)[to], given.at(name)[from])) << name << to;
  }
  EXPECT_TRUE(torch::equal(own.at("target.embedding")[6], fresh[6]));
  EXPECT_TRUE(torch::equal(own.at("decoder.layer_0.weight_hidden"),
                           given.at("decoder.layer_0.weight_hidden")));
}

TEST(InitialModel, LacksParametersOfALargerNetwork) {
  holds({"init.missing"});
  ModelConfig larger = tiny_rnn();
  dynamic_cast<RnnDecoderConfig&>(*larger.decoder).layers = 2;
  LoadedModel now = model_of(larger, {"a"}, 1);
  const InitialModel initial = initial_model(model_of(tiny_rnn(), {"a"}, 2));
  const ParameterTransfer transfer(initial.model, now.config, now.codecs);
  EXPECT_ERROR(initialize_from(initial, {}, transfer, *now.network), ErrorKind::kUsage,
               "decoder.layer_1.weight_hidden");
  InitConfig warn;
  warn.missing = InitConfig::Missing::kWarn;
  const auto notes = initialize_from(initial, warn, transfer, *now.network);
  EXPECT_THAT(notes, testing::Contains(HasSubstr("initialized randomly: decoder.bridge_2.bias")));
  EXPECT_TRUE(torch::equal(tensors_of(*now.network).at("decoder.layer_0.weight_hidden"),
                           tensors_of(*initial.model.network).at("decoder.layer_0.weight_hidden")));
}

TEST(InitialModel, GivesItsOptimizerStateByToken) {
  LoadedModel now = model_of(tiny_rnn(), {"b", "a"}, 1);
  InitialModel initial = initial_model(model_of(tiny_rnn(), {"a", "b"}, 2));
  initial.optimizer = {{"mean.target.embedding", torch::arange(48).view({6, 8}).to(torch::kFloat)},
                       {"steps", torch::tensor(int64_t{70})}};
  const ParameterTransfer transfer(initial.model, now.config, now.codecs);
  const NamedTensors state = optimizer_state_from(
      initial, transfer,
      {{"mean.target.embedding", torch::zeros({6, 8})}, {"steps", torch::tensor(int64_t{0})}});
  EXPECT_EQ(state.at("steps").item<int64_t>(), 70);
  EXPECT_EQ(state.at("mean.target.embedding")[4][0].item<float>(), 40);  // "b" was row 5
  EXPECT_EQ(state.at("mean.target.embedding")[5][0].item<float>(), 32);
}

TEST(InitialModel, GivesTheEmbeddingsOfTagsByName) {
  const auto tagged = [](const Tags& tags, uint64_t seed) {
    LoadedModel model = model_of(tiny_rnn(), {"a"}, seed);
    model.config.tags = tags;
    model.network = std::make_shared<Seq2Seq>(model.config.model,
                                              vocabulary_sizes(model.config, model.codecs), seed);
    return model;
  };
  LoadedModel now = tagged({"de", "en", "fr"}, 1);
  const InitialModel initial = initial_model(tagged({"de", "fr"}, 2));
  const ParameterTransfer transfer(initial.model, now.config, now.codecs);
  const auto notes = initialize_from(initial, {}, transfer, *now.network);
  EXPECT_THAT(notes, testing::Contains("1 of 3 tags are new"));
  const Tensor own = tensors_of(*now.network).at("target_tag.embedding"),
               given = tensors_of(*initial.model.network).at("target_tag.embedding");
  EXPECT_TRUE(torch::equal(own[0], given[0]));
  EXPECT_TRUE(torch::equal(own[2], given[1]));
}

TEST(InitialModel, RefusesTheStateOfAnotherOptimizer) {
  InitialModel initial = initial_model(model_of(tiny_rnn(), {"a"}, 2));
  initial.optimizer = {{"velocity.target.embedding", torch::zeros({5, 8})}};
  const ParameterTransfer transfer(initial.model, initial.model.config, initial.model.codecs);
  EXPECT_ERROR(
      optimizer_state_from(initial, transfer, {{"mean.target.embedding", torch::zeros({5, 8})}}),
      ErrorKind::kUsage, "trained by another optimizer");
}

TEST(ParameterPattern, SelectsByBeginningEndOrStars) {
  const std::string name = "encoder_source.layer_0.weight_input";
  for (const char* pattern : {"encoder", "encoder_source", "encoder_source.layer_0", "weight_input",
                              "encoder_*", "*.layer_0.*", "encoder_source.layer_0.weight_input"})
    EXPECT_TRUE(selects(pattern, name)) << pattern;
  for (const char* pattern : {"enc", "layer_0", "weight", "decoder", "layer_0.*", ""})
    EXPECT_FALSE(selects(pattern, name)) << pattern;
  EXPECT_THAT(selected({"b", "*.x"}, {"a.x", "a.y", "b.x", "b.z"}, "key"),
              ElementsAre("a.x", "b.x", "b.z"));
  EXPECT_ERROR(selected({"c"}, {"a.x", "b.x"}, "train.freeze"), ErrorKind::kUsage,
               "train.freeze: 'c' selects no parameter; the network has a, b");
}

TEST(Freeze, KeepsValuesWhateverTheOptimizerDoes) {
  holds({"train.freeze"});
  const TemporaryFolder folder;
  TrainJob job = tiny_job(folder / "run", tiny_rnn());
  const Seq2Seq start(job.model.model, vocabulary_sizes(job.model, job.codecs), job.seed);
  auto adamw = make_kind<AdamWConfig>("adamw");
  adamw->weight_decay = 0.5;
  job.train.optimizer = adamw;
  job.train.freeze = {"encoder", "*.embedding"};
  job.folder.open(RunMode::kOverwrite);
  EXPECT_EQ(train_run(job), 0);
  const NamedTensors before = tensors_of(start),
                     after = tensors_of(
                         *load_checkpoint(*job.folder.latest(), torch::kCPU).model.network);
  int64_t frozen = 0;
  for (const auto& [name, tensor] : before) {
    const bool is_frozen = name.starts_with("encoder") || name.ends_with(".embedding");
    EXPECT_EQ(torch::equal(tensor, after.at(name)), is_frozen) << name;
    frozen += is_frozen ? 1 : 0;
  }
  EXPECT_EQ(frozen, 10);
}

// A tied output layer and weight decay would change the embedding of <s>.
TEST(Freeze, KeepsTheZerosThatATargetBeginsWith) {
  holds({"model.embedding.zero_begin"});
  for (const bool zero : {true, false}) {
    const TemporaryFolder folder;
    ModelConfig model = tiny_rnn();
    model.embedding.tie = Tie::kTarget;
    model.embedding.zero_begin = zero;
    TrainJob job = tiny_job(folder / "run", model);
    auto adamw = make_kind<AdamWConfig>("adamw");
    adamw->weight_decay = 0.5;
    job.train.optimizer = adamw;
    job.folder.open(RunMode::kOverwrite);
    EXPECT_EQ(train_run(job), 0);
    const Tensor table =
        tensors_of(*load_checkpoint(*job.folder.latest(), torch::kCPU).model.network)
            .at("target.embedding");
    EXPECT_NE(table[kBegin].any().item<bool>(), zero);
    EXPECT_TRUE(table[kEnd].any().item<bool>());
  }
}

class WordVectors : public testing::Test {
 protected:
  Tensor read(const std::string& name, const std::string& bytes,
              const std::vector<std::string>& pieces = {"dog",
                                                        "\xE2\x96\x81"
                                                        "cat",
                                                        "s"}) {
    write_plainly(folder_ / name, bytes);
    const Tensor embedding = torch::zeros({static_cast<int64_t>(pieces.size()) + kSpecials, 2});
    coverage_ = read_word_vectors(folder_ / name, *codec_of(pieces), embedding);
    return embedding;
  }
  static void expect_row(const Tensor& embedding, int64_t row, float a, float b) {
    EXPECT_TRUE(torch::equal(embedding[row], torch::tensor({a, b}))) << row << embedding;
  }
  TemporaryFolder folder_;
  VectorCoverage coverage_;
};

TEST_F(WordVectors, AreReadFromText) {
  for (const char* header : {"", "3 2\n"}) {
    const Tensor embedding =
        read("a.vec", std::string(header) + "cat 1 -2.5\n. . . 7 7\ndog 3e-1 4 \nbird 0 0\n");
    expect_row(embedding, 4, 0.3F, 4);
    expect_row(embedding, 5, 1, -2.5);
    expect_row(embedding, 6, 0, 0);
    EXPECT_EQ(coverage_.found, 2);
    EXPECT_EQ(coverage_.tokens, 3);
  }
  expect_row(read("a.vec", "dog 1e-60 1\n"), 4, 0, 1);
}

TEST_F(WordVectors, OfAPieceAsItIsWrittenComeFirst) {
  for (const char* text : {"cat 1 1\n\xE2\x96\x81"
                           "cat 2 2\n",
                           "\xE2\x96\x81"
                           "cat 2 2\ncat 1 1\n"})
    expect_row(read("a.txt", text), 5, 2, 2);
}

TEST_F(WordVectors, AreReadFromBinaryFiles) {
  const auto numbers = [](float a, float b) {
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &a, 4);
    std::memcpy(bytes.data() + 4, &b, 4);
    return bytes;
  };
  const Tensor embedding =
      read("a.bin", "2 2\ncat " + numbers(1, 2) + "\ndog " + numbers(3, 4) + "\n");
  expect_row(embedding, 4, 3, 4);
  expect_row(embedding, 5, 1, 2);
  EXPECT_ERROR(read("a.bin", "2 2\ncat " + numbers(1, 2).substr(0, 7)), ErrorKind::kData,
               "end of the file within a vector");
  EXPECT_ERROR(read("a.bin", "2 3\ncat " + numbers(1, 2)), ErrorKind::kData, "the header '2 3'");
  EXPECT_ERROR(read("a.bin", "x 2\ncat " + numbers(1, 2)), ErrorKind::kData, "the header 'x 2'");
  EXPECT_ERROR(read("a.bin", "1 2\ncat " + numbers(1, NAN)), ErrorKind::kData, "of 'cat'");
}

// The content tells the format, whatever the name.
TEST_F(WordVectors, ShowTheirFormat) {
  std::string binary = "1 2\ncat ";
  for (const float value : {0.5F, -2.25F}) {
    std::string bytes(4, '\0');
    std::memcpy(bytes.data(), &value, 4);
    binary += bytes;
  }
  expect_row(read("vectors.vec", binary), 5, 0.5, -2.25);
  expect_row(read("vectors.bin", "1 2\ncat 0.5 -2.25\n"), 5, 0.5, -2.25);
  expect_row(read("vectors", "cat 0.5 -2.25\n"), 5, 0.5, -2.25);
}

TEST_F(WordVectors, AreAsManyAsTheHeaderPromises) {
  const auto log_of = [this](const std::string& bytes) {
    const auto before = spdlog::default_logger();
    log_to_file(folder_ / "log");
    read("a.vec", bytes);
    spdlog::set_default_logger(before);
    const std::string log = read_plainly(folder_ / "log");
    std::filesystem::remove(folder_ / "log");
    return log;
  };
  EXPECT_NE(log_of("3 2\ncat 1 2\ndog 1 2\n").find("promises 3 vectors, but 2 follow"),
            std::string::npos);
  EXPECT_NE(log_of("1 2\ncat 1 2\ndog 1 2\n").find("promises 1 vectors, but 2 follow"),
            std::string::npos);
  EXPECT_EQ(log_of("2 2\ncat 1 2\ndog 1 2\n").find("promises"), std::string::npos);
  const std::string vector(8, '\0');
  EXPECT_ERROR(read("a.bin", "3 2\ncat " + vector + "\ndog " + vector + "\n"), ErrorKind::kData,
               "found 2 of the 3 vectors that the header promises");
  EXPECT_NE(log_of("1 2\ncat " + vector + "\ndog " + vector + "\n").find("but more follow"),
            std::string::npos);
  EXPECT_EQ(log_of("1 2\ncat " + vector + "\n").find("more follow"), std::string::npos);
  EXPECT_ERROR(read("a.vec", "many 2\ncat 1 2\n"), ErrorKind::kData, "the header 'many 2'");
}

TEST_F(WordVectors, OfOtherWidthsAreRefusedByLine) {
  EXPECT_ERROR(read("a.vec", "cat 1 2\ndog 1\n"), ErrorKind::kData, "a.vec:2: found a word and 1");
  EXPECT_ERROR(read("a.vec", "9 300\n"), ErrorKind::kData, "a.vec:1: found vectors of width 300");
  EXPECT_ERROR(read("a.vec", "dog 1 x\n"), ErrorKind::kData, "found 'x'");
  EXPECT_ERROR(read("a.vec", "dog 1 nan\n"), ErrorKind::kData, "found 'nan'");
}

}  // namespace
}  // namespace heed
