// Exports of models to Marian, which come back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nn/torch.h"

#include "base/error.h"
#include "base/temporary_folder.h"
#include "captured_log.h"
#include "config/reader.h"
#include "exchange/exports.h"
#include "exchange/fixtures.h"
#include "exchange/imports.h"
#include "exchange/marian_file.h"
#include "exchange/token_rows.h"
#include "holds.h"
#include "one_thread.h"
#include "text/sentencepiece.h"
#include "text/words.h"

namespace heed {
namespace {

using testing::HasSubstr;

struct StudentForm {
  std::string stacks = "norm: post, activation: relu", tie = "all", memory = "ssru";
  std::string more = "zero_begin: true";  // of the embedding
  int64_t width = 64;
  bool words = false;
  std::string pieces = "marian/source.spm";  // of unigrams
};

std::string student_config(const StudentForm& form) {
  const char* positions = form.stacks.find("positions") == std::string::npos
                              ? "positions: {type: sinusoidal, layout: marian}, "
                              : "";
  const std::string stack =
      fmt::format("type: transformer, layers: 2, width: {}, feed_forward: 64, {}{}", form.width,
                  positions, form.stacks);
  const std::string heads = "{score: scaled_dot, heads: 2}";
  return fmt::format(
      "{{embedding: {{width: {}, tie: {}, {}}}, encoder: {{{}, self_attention: {}}}, decoder: "
      "{{{}, "
      "self_attention: {}, attention: {}}}}}",
      form.width, form.tie, form.more, stack, heads, stack, form.memory, heads);
}

// Model with random weights, whose sides share one vocabulary.
LoadedModel student(const StudentForm& form) {
  LoadedModel model;
  read_config_text(student_config(form), "model", model.config.model);
  std::shared_ptr<const Tokenizer> tokenizer;
  std::vector<std::string> tokens = {"Haus", "it's", "\"so\"", "a:"};
  for (const char* side : {"source", "target"}) {
    if (form.words)
      model.config.text[side].tokenizer = make_kind<WordsConfig>("words");
    else
      model.config.text[side].tokenizer = make_kind<SentencePieceConfig>("sentencepiece");
  }
  model.config.text["target"].tokenizer->share = "source";
  if (form.words) {
    tokenizer = std::make_shared<WordTokenizer>("", /*lower=*/false);
  } else {
    const auto pieces = std::make_shared<SentencePieceTokenizer>(
        read_plainly(exchange_fixture(form.pieces)), form.pieces, /*lower=*/false);
    tokens = pieces->own_pieces();
    tokenizer = pieces;
  }
  const auto codec =
      std::make_shared<const Codec>(tokenizer, std::make_shared<const Vocabulary>(tokens));
  model.codecs = {{"source", codec}, {"target", codec}};
  model.network = std::make_shared<Seq2Seq>(model.config.model,
                                            vocabulary_sizes(model.config, model.codecs), 5);
  const torch::NoGradGuard no_grad;
  for (auto& [name, tensor] : tensors_of(*model.network)) {
    tensor.add_(0.2 * torch::randn(tensor.sizes()));
    if (name == "target.embedding" && form.more.find("true") != std::string::npos)
      tensor[kBegin].zero_();
  }
  return model;
}

// The rows of <pad>, and of <s> in an output layer, are no part of Marian's models.
Tensor held_rows(const std::string& name, const Tensor& tensor) {
  Tensor held = tensor.clone();
  if (name.find("embedding") != std::string::npos || name.starts_with("output.")) {
    held[kPad].zero_();
    held[kBegin].zero_();
  }
  return held;
}

TEST(ExportedToMarian, ComesBackWithTheSameParameters) {
  holds({"heed import marian", "heed export marian"});
  for (const StudentForm& form :
       std::vector<StudentForm>{{},
                                {.memory = "{score: scaled_dot, heads: 2}"},
                                {.stacks = "norm: pre, activation: silu", .tie = "target"},
                                {.stacks = "norm: pre, activation: silu",
                                .tie = "none",
                                .memory = "{score: scaled_dot, heads: 2}"},
                                {.tie = "inputs", .words = true}}) {
    for (const MarianFormat format : {MarianFormat::kNpz, MarianFormat::kBinary}) {
      SCOPED_TRACE(student_config(form));
      const LoadedModel model = student(form);
      const TemporaryFolder folder;
      export_marian(model, folder.path(), format);
      const LoadedModel again = import_marian(folder.path());
      EXPECT_EQ(model.codecs.at("source")->vocabulary(), again.codecs.at("source")->vocabulary());
      EXPECT_EQ(model.codecs.at("target")->encode("the dog"),
                again.codecs.at("target")->encode("the dog"));
      NamedTensors before = tensors_of(*model.network), now = tensors_of(*again.network);
      ASSERT_TRUE(now.contains("output.bias"));
      if (!before.contains("output.bias"))
        before["output.bias"] = torch::zeros_like(now.at("output.bias"));
      ASSERT_EQ(before.size(), now.size());
      for (const auto& [name, tensor] : before)
        EXPECT_TRUE(held_rows(name, tensor).equal(held_rows(name, now.at(name)))) << name;
    }
  }
}

// Each matrix has an error of half a step of its largest number, all else none.
TEST(ExportedToMarian, ComesBackRoundedFromInt8) {
  holds({"heed export marian", "--format"});
  const LoadedModel model = student({});
  const TemporaryFolder folder;
  export_marian(model, folder.path(), MarianFormat::kIntgemm, {"the dog sees a tree", "a cat"});
  const LoadedModel again = import_marian(folder.path());
  const NamedTensors now = tensors_of(*again.network);
  for (const auto& [name, tensor] : tensors_of(*model.network)) {
    const auto size = tensor.size(0), same = std::min(size, now.at(name).size(0));
    const Tensor held = held_rows(name, tensor),
                 found = held_rows(name, now.at(name).narrow(0, 0, same));
    const double largest = held.abs().max().item<double>(),
                 error = (held - found).abs().max().item<double>();
    const bool is_matrix = tensor.dim() == 2;
    EXPECT_LE(error, is_matrix ? largest / 127 / 2 * 1.001 : 0.0) << name;
    EXPECT_EQ(error > 0, is_matrix) << name;
  }
  // Products of intgemm write 8 numbers.
  EXPECT_EQ(now.at("target.embedding").size(0) % 8, 2);
}

TEST(ExportedToMarian, IsWarnedOfForSubwordsOfMerges) {
  const auto log_of = [](const std::string& pieces, MarianFormat format) {
    const LoadedModel model = student({.pieces = pieces});
    const TemporaryFolder folder;
    CapturedLog log;
    export_marian(model, folder.path(), format, {"the dog"});
    return log.end();
  };
  const char* bpe = "nllb/sentencepiece.bpe.model";
  EXPECT_THAT(log_of(bpe, MarianFormat::kIntgemm), testing::HasSubstr("model_type: unigram"));
  for (const std::string& log :
       {log_of("marian/source.spm", MarianFormat::kIntgemm), log_of(bpe, MarianFormat::kNpz)})
    EXPECT_THAT(log, testing::Not(testing::HasSubstr("unigram")));
}

TEST(ExportedToMarian, IsWarnedOfForNormalizationBeforeALayer) {
  const auto log_of = [](const char* stacks, MarianFormat format) {
    const LoadedModel model = student({.stacks = stacks});
    const TemporaryFolder folder;
    CapturedLog log;
    export_marian(model, folder.path(), format, {"the dog"});
    return log.end();
  };
  EXPECT_THAT(log_of("norm: pre", MarianFormat::kIntgemm),
              HasSubstr("fxtranslate cannot: train with norm: post"));
  EXPECT_THAT(log_of("norm: pre", MarianFormat::kNpz), testing::Not(HasSubstr("fxtranslate")));
  EXPECT_THAT(log_of("norm: post", MarianFormat::kIntgemm),
              testing::Not(HasSubstr("fxtranslate cannot")));
}

TEST(ExportedToMarian, HasTheScalesOfActivations) {
  const LoadedModel model = student({});
  const TemporaryFolder folder;
  export_marian(model, folder.path(), MarianFormat::kIntgemm, {"the dog sees a tree"});
  const std::string bytes = read_plainly(folder / "model.intgemm.alphas.bin");
  for (const char* name :
       {"encoder_l1_self_Wq", "encoder_l2_ffn_W2", "decoder_l1_rnn_W", "decoder_l1_rnn_Wf",
        "decoder_l2_context_Wk", "decoder_l2_context_Wo", "none", "Wemb"})
    EXPECT_NE(bytes.find(std::string(name) + "_QuantMultA"), std::string::npos) << name;
}

std::string refusal_by_marian(const StudentForm& form, MarianFormat format) {
  const TemporaryFolder folder;
  try {
    export_marian(student(form), folder.path(), format);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_THAT(folder.names(), testing::IsEmpty());
    return error.what();
  }
  return "nothing was refused";
}

TEST(ExportedToMarian, IsRefusedWhereItCannotHoldTheModel) {
  const auto npz = [](const StudentForm& form) {
    return refusal_by_marian(form, MarianFormat::kNpz);
  };
  const auto int8 = [](const StudentForm& form) {
    return refusal_by_marian(form, MarianFormat::kIntgemm);
  };
  EXPECT_THAT(npz({.more = "zero_begin: false"}),
              HasSubstr("train with model.embedding.zero_begin: true"));
  EXPECT_THAT(npz({.stacks = "norm: post, activation: gelu"}),
              HasSubstr("model.encoder.activation: expected relu or silu"));
  EXPECT_THAT(npz({.stacks = "norm: post, positions: sinusoidal"}),
              HasSubstr("expected {type: sinusoidal, layout: marian}"));
  EXPECT_THAT(npz({.stacks = "norm: post, scale_embedding: false"}),
              HasSubstr("model.encoder.scale_embedding: expected true"));
  EXPECT_THAT(npz({.stacks = "norm: post, norm_type: rms"}), HasSubstr("norm_type is rms"));
  EXPECT_THAT(npz({.memory = "{type: average, feed_forward: 20}"}),
              HasSubstr("reads token and average for each gate"));
  EXPECT_THAT(int8({.tie = "none"}), HasSubstr("model.embedding.tie: in 8 bits"));
  EXPECT_THAT(int8({.width = 32}), HasSubstr("a width of 32: in 8 bits a multiple of 64"));
  EXPECT_THAT(int8({}), HasSubstr("--calibrate: 8 bits need source lines"));
}

}  // namespace
}  // namespace heed
