// The size of a model that was never made against that of the model.
#include "model/model_size.h"

#include <gmock/gmock.h>

#include "attention_variants.h"
#include "base/memory.h"
#include "model/saved_model.h"
#include "model/size_bound.h"
#include "tiny_models.h"

namespace heed {
namespace {

using testing::HasSubstr;

VocabularySizes sizes_of(const ModelConfig& config) {
  VocabularySizes sizes;
  for (const std::string& source : config.sources()) sizes.sources[source] = 9;
  sizes.target = 9;
  sizes.tags = 2;
  return sizes;
}

void expect_true_size(const ModelConfig& config, const std::string& name) {
  SCOPED_TRACE(name);
  const VocabularySizes sizes = sizes_of(config);
  const ModelSize size = size_of_model(config, sizes);
  const Seq2Seq model(config, sizes, 1);
  double parameters = 0, bytes = 0;
  for (const auto& tensor : model.parameters()) parameters += static_cast<double>(tensor.numel());
  for (const auto& [key, tensor] : tensors_of(model))
    bytes += static_cast<double>(tensor.numel() * static_cast<int64_t>(tensor.element_size()));
  EXPECT_EQ(size.parameters, parameters);
  EXPECT_EQ(size.bytes, bytes);
  expect_bounded(config, sizes);
}

TEST(ModelSize, IsThatOfTheModel) {
  expect_true_size(tiny_rnn(), "rnn");
  expect_true_size(tiny_transformer(), "transformer");
}

// Every attention, in a decoder over its source or, where it stands there alone, over its own past.
TEST(ModelSize, CountsEveryAttention) {
  int64_t counted = 0;
  for (const AttentionVariant& variant : attention_variants()) {
    ModelConfig config = with_attention(tiny_transformer(), attention_of(variant.attention));
    struct Reasons final : Problems {
      bool any = false;
      void add(const std::string&, const std::string&) override { any = true; }
      bool is_set(const std::string&) const override { return false; }
    } refused;
    config.validate(refused);
    if (refused.any) {
      config = tiny_transformer();
      auto& settings = dynamic_cast<TransformerEncoderConfig&>(*config.encoder);
      settings.self_attention = attention_of(variant.attention);
      refused.any = false;
      config.validate(refused);
    }
    if (refused.any) continue;
    expect_true_size(config, variant.name);
    ++counted;
  }
  EXPECT_GT(counted, 40);
}

template <class Base>
void expect_kinds(const Registry<Base>& kinds, const std::vector<std::string>& without_defaults,
                  std::shared_ptr<Base> ModelConfig::*part) {
  for (const auto& kind : kinds) {
    if (std::ranges::count(without_defaults, kind.name) > 0) continue;
    ModelConfig config = tiny_rnn();
    config.*part = fresh_kind(kinds, kind.name);
    expect_true_size(config, kind.name);
  }
}

TEST(ModelSize, CountsEveryEncoderDecoderAndOutput) {
  expect_kinds(encoders(), {"shared", "none"}, &ModelConfig::encoder);
  expect_kinds(decoders(), {"convolution"}, &ModelConfig::decoder);
  expect_kinds(outputs(), {"pointer_sum"}, &ModelConfig::output);
}

ModelConfig of_width(int64_t width) {
  ModelConfig config = tiny_rnn();
  dynamic_cast<RnnEncoderConfig&>(*config.encoder).width = width;
  return config;
}

TEST(ModelSize, SaysWhatIsLargest) {
  const ModelSize size = size_of_model(of_width(1'000'000), sizes_of(tiny_rnn()));
  EXPECT_GT(size.parameters, 1e12);
  EXPECT_THAT(size.largest, HasSubstr("weight_hidden"));
}

TEST(ModelSize, BeyondTheMachineIsRefusedWithBoth) {
  const ModelSize size = size_of_model(of_width(1'000'000), sizes_of(tiny_rnn()));
  try {
    check_memory(size, 4, "to be trained", ErrorKind::kUsage);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_THAT(error.what(),
                HasSubstr("TB to be trained; this machine has " + format_bytes(machine_memory())));
  }
  check_memory(size_of_model(tiny_rnn(), sizes_of(tiny_rnn())), 4, "to be trained",
               ErrorKind::kUsage);
}

TEST(ModelSize, OfTooManyTensorsIsRefusedInTime) {
  ModelConfig config = tiny_transformer();
  dynamic_cast<TransformerDecoderConfig&>(*config.decoder).layers = 1000;
  dynamic_cast<TransformerDecoderConfig&>(*config.decoder).attention = attention_of(
      "{type: hops, hops: 100, shared: false, attention: {type: hops, hops: 100, "
      "shared: false}}");
  try {
    size_of_model(config, sizes_of(config));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("more than 200000 tensors"));
  }
}

TEST(Memory, IsShownInUnits) {
  EXPECT_EQ(format_bytes(999), "999 bytes");
  EXPECT_EQ(format_bytes(1500), "1.5 kB");
  EXPECT_EQ(format_bytes(23.44e9), "23.4 GB");
  EXPECT_GT(machine_memory(), 1e8);
}

}  // namespace
}  // namespace heed
