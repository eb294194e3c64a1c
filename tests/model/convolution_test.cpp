// The convolutional encoder and decoder equal the equations of Gehring et al. 2017.
#include <gtest/gtest.h>

#include "config/reader.h"
#include "holds.h"
#include "model/builders.h"
#include "model/decoders/convolution_config.h"
#include "model/encoders/convolution_config.h"
#include "model/seq2seq.h"
#include "nn/compare.h"
#include "reference/convolution.h"

namespace heed {
namespace {

using reference::Matrix;
using reference::Vector;

constexpr int64_t kConvolutionInput = 6;

// The parts of a module with the parameters under these names.
class Parts {
 public:
  explicit Parts(const torch::nn::Module& module) : parameters_(parameters_of(module)) {}
  Matrix matrix(const std::string& name) const { return matrix_of(parameters_.at(name)); }
  Vector vector(const std::string& name) const { return vector_of(parameters_.at(name)); }
  // w = g v / |v|, a row at a time.
  Matrix normed(const std::string& name) const {
    return reference::weight_norm({matrix(name + ".v")}, vector(name + ".gain"))[0];
  }
  Matrix affine(const std::string& name, const Matrix& x) const {
    return reference::affine(normed(name), vector(name + ".bias"), x);
  }
  // w = g v / |v|, a matrix for each position of the kernel.
  reference::Kernel kernel(const std::string& name) const {
    const Tensor v = parameters_.at(name + ".v");  // [2W,W,K]
    reference::Kernel taps;
    for (int64_t k = 0; k < v.size(2); ++k) taps.push_back(matrix_of(v.select(2, k).contiguous()));
    return reference::weight_norm(taps, vector(name + ".gain"));
  }
  // e_j = w_j + p_j
  Matrix placed(const Matrix& x) const {
    const Matrix table = matrix("input.positions.table");
    Matrix y = x;
    for (size_t j = 0; j < y.rows; ++j) y.set_row(j, reference::sum(x.row(j), table.row(j)));
    return y;
  }

 private:
  std::map<std::string, Tensor> parameters_;
};

Tensor lengths_of(std::vector<int64_t> lengths) { return torch::tensor(lengths, torch::kLong); }

SourceBatch batch_of(const Tensor& lengths, int64_t size) {
  SourceBatch batch;
  batch.ids = torch::zeros({lengths.size(0), size}, torch::kLong);
  batch.lengths = lengths;
  batch.mask = length_mask(lengths, size);
  return batch;
}

TEST(ConvolutionEncoder, EqualsTheEquations) {
  holds("reference", {"encoder: convolution"});
  ConvolutionEncoderConfig config;
  read_config_text(
      "{layers: 2, width: 8, kernel: 3, positions: {type: learned, max_positions: 7}, dropout: 0}",
      "test", config);
  const auto encoder = builders::convolution_encoder(config, kConvolutionInput, 0);
  fill(*encoder);
  const Tensor x = uniform({3, 5, kConvolutionInput}, "x"), lengths = lengths_of({5, 3, 1});
  EncoderOutput output;
  const EncodedSource encoded = encoder->encode(x, batch_of(lengths, 5), Pass(), output);
  const Parts parts(*encoder);
  for (int64_t r = 0; r < 3; ++r) {
    const int64_t length = lengths[r].item<int64_t>();
    const Matrix e = parts.placed(matrix_of(x[r].narrow(0, 0, length)));
    Matrix h = parts.affine("to_width", e);
    for (const char* layer : {"layer_0", "layer_1"}) {
      h = reference::convolution_block(h, parts.kernel(layer),
                                       parts.vector(std::string(layer) + ".bias"), false);
    }
    const Matrix z = parts.affine("to_embedding", h);
    Matrix values = z;
    for (size_t j = 0; j < z.rows; ++j) values.set_row(j, reference::sum(z.row(j), e.row(j)));
    expect_close(encoded.source.keys[r].narrow(0, 0, length), tensor_of(z), kExact, "z");
    expect_close(encoded.source.values[r].narrow(0, 0, length), tensor_of(values), kExact, "z + e");
  }
}

TEST(ConvolutionDecoder, EqualsTheEquations) {
  holds("reference", {"decoder: convolution"});
  ConvolutionDecoderConfig config;
  read_config_text(
      "{layers: 2, width: 8, kernel: 3, positions: {type: learned, max_positions: 7}, dropout: 0}",
      "test", config);
  const DecoderDims dims{
      .input = kConvolutionInput,
      .sources = {{"source",
                   {.source = {.key = kConvolutionInput, .value = kConvolutionInput},
                    .cell = "",
                    .layers = 1,
                    .final_width = kConvolutionInput}}}};
  const auto decoder = builders::convolution_decoder(config, dims);
  fill(*decoder);
  const Tensor keys = uniform({2, 5, kConvolutionInput}, "keys"),
               values = uniform({2, 5, kConvolutionInput}, "values"),
               inputs = uniform({2, 4, kConvolutionInput}, "inputs"), lengths = lengths_of({5, 3});
  EncoderOutput output;
  output.sources["source"].source = make_source(keys, lengths);
  output.sources["source"].source.values = values;
  State state(decoder->layout(), 2, Pass(), torch::kCPU);
  decoder->start(output, state.view());
  const Step step = decoder->advance(inputs, state.view());
  const Parts parts(*decoder);
  for (int64_t r = 0; r < 2; ++r) {
    const int64_t length = lengths[r].item<int64_t>();
    const Matrix z = matrix_of(keys[r].narrow(0, 0, length)),
                 read = matrix_of(values[r].narrow(0, 0, length));
    const Matrix g = parts.placed(matrix_of(inputs[r]));
    Matrix x = parts.affine("to_width", g);
    for (const std::string layer : {"layer_0.", "layer_1."}) {
      const Matrix h =
          reference::each_row(reference::convolve(x, parts.kernel(layer + "convolution"),
                                                  parts.vector(layer + "convolution.bias"), true),
                              reference::glu);
      const Matrix d = reference::decoder_summary(h, g, parts.normed(layer + "to_query"),
                                                  parts.vector(layer + "to_query.bias"));
      const auto a = reference::softmax(reference::scores(d, z, reference::dot_score),
                                        reference::Mask(d.rows, std::vector<bool>(z.rows, true)));
      Matrix context = reference::weighted_sum(a, read);
      for (double& c : context.numbers) c *= std::sqrt(static_cast<double>(length));
      const Matrix added = parts.affine(layer + "from_context", context);
      for (size_t i = 0; i < x.numbers.size(); ++i)
        x.numbers[i] = (h.numbers[i] + added.numbers[i] + x.numbers[i]) * std::sqrt(0.5);
    }
    expect_close(step.hidden[r], tensor_of(x), kExact, "hidden");
  }
}

ModelConfig model_of(const std::string& encoder, const std::string& decoder) {
  const std::string part = "{type: convolution, layers: 2, width: 8, kernel: 3, dropout: 0";
  ModelConfig config;
  read_config_text(
      "{embedding: {width: 6}, encoder: " + part + encoder + "}, decoder: " + part + decoder + "}}",
      "test", config);
  return config;
}

std::map<std::string, Tensor> gradients_of(const ModelConfig& config) {
  Seq2Seq model(config, {{{"source", 9}}, 9}, 1);
  model.to(torch::kDouble);
  const SourceBatches source({{"source", source_batch({{5, 6, 7}, {8}}, torch::kCPU)}});
  const TargetBatch target = target_batch({{5, 6}, {7}}, torch::kCPU);
  State state = model.start(source, Pass());
  model.loss(model.advance(target.inputs, state), target.outputs, 0, state).loss.backward();
  std::map<std::string, Tensor> gradients;
  for (const auto& item : model.named_parameters()) gradients[item.key()] = item.value().grad();
  return gradients;
}

// Gehring et al. 2017, section 3.5: by the attentions, of which there are two, and by two as in the
// authors' code; the source's embeddings, which are read beside z, get more than that.
TEST(ConvolutionEncoder, ScalesWhatComesBackFromAllAttentions) {
  const auto scaled = gradients_of(model_of("", "")),
             plain = gradients_of(model_of(", scale_gradients: false", ""));
  ASSERT_EQ(scaled.size(), plain.size());
  size_t of_layers = 0;
  for (const auto& [name, gradient] : scaled) {
    const bool of_source = name.starts_with("source_source") || name.find("positions") != name.npos;
    if (name.starts_with("encoder_source.") && !of_source) {
      expect_close(gradient, plain.at(name) / 4, kExact, name);
      ++of_layers;
    } else if (!name.starts_with("encoder_source.") && !of_source) {
      expect_close(gradient, plain.at(name), kExact, name);
    } else if (name.starts_with("source_source")) {
      EXPECT_FALSE(torch::allclose(gradient, plain.at(name) / 4)) << name;
    }
  }
  EXPECT_EQ(of_layers, 12U);
}

// Section 3.5: normal numbers of variance (1 - dropout) / n, whose rows have this length.
TEST(ConvolutionLayers, BeginWithRowsThatKeepTheVariance) {
  ModelConfig config = model_of("", "");
  dynamic_cast<ConvolutionEncoderConfig&>(*config.encoder).dropout = 0.36;
  dynamic_cast<ConvolutionDecoderConfig&>(*config.decoder).dropout = 0.36;
  const Seq2Seq model(config, {{{"source", 9}}, 9}, 1);
  const auto parameters = model.named_parameters();
  const auto is = [&](const char* name, double length) {
    EXPECT_TRUE(parameters[std::string(name) + ".gain"].allclose(torch::full({1}, length))) << name;
  };
  is("encoder_source.to_width", 0.8);
  is("encoder_source.layer_0", 1.6);
  is("encoder_source.to_embedding", 1);
  is("decoder.layer_0.to_query", 1);
  is("output.to_embedding", 0.8);
}

// Weight norm is on all weights but the embeddings, the output's too: log-probabilities of a batch.
void expect_normed_output(const std::string& tie, const std::string& normed) {
  ModelConfig config = model_of("", "");
  read_config_text("{embedding: {width: 6, tie: " + tie + "}}", "test", config);
  Seq2Seq model(config, {{{"source", 9}}, 9}, 1);
  fill(model);
  State state =
      model.start(SourceBatches({{"source", source_batch({{5, 6, 7}}, torch::kCPU)}}), Pass());
  const Step step = model.advance(torch::tensor({{kBegin, 5}}, torch::kLong), state);
  const Parts parts(model);
  Matrix read = matrix_of(step.hidden[0]), w = parts.normed(normed);
  if (tie == "target") {
    read = reference::affine(w, Vector(w.rows, 0), read);
    w = parts.matrix("target.embedding");
  }
  const Matrix scores = reference::affine(w, parts.vector("output.bias"), read);
  expect_close(model.log_probs(step, state)[0], tensor_of(scores).log_softmax(-1), kExact, tie);
}

TEST(ConvolutionDecoder, HasWeightNormInTheOutput) {
  expect_normed_output("target", "output.to_embedding");
  expect_normed_output("none", "output");
}

TEST(ConvolutionDecoder, DropsOutWhatTheOutputReads) {
  ModelConfig config = model_of("", "");
  dynamic_cast<ConvolutionDecoderConfig&>(*config.decoder).dropout = 0.5;
  Seq2Seq model(config, {{{"source", 9}}, 9}, 1);
  State state = model.start(SourceBatches({{"source", source_batch({{5, 6}}, torch::kCPU)}}),
                            Pass::for_training(1, 1));
  const Step step = model.advance(torch::full({1, 40}, kBegin, torch::kLong), state);
  EXPECT_NEAR(step.hidden.eq(0).to(torch::kFloat).mean().item<double>(), 0.5, 0.1);
}

TEST(ConvolutionDecoder, WithoutAttentionReadsItsOwnPastAlone) {
  ModelConfig config;
  read_config_text(
      "{embedding: {width: 6}, encoder: {type: rnn, width: 8}, "
      "decoder: {type: convolution, layers: 2, width: 8, attention: none}}",
      "test", config);
  Seq2Seq model(config, {{{"source", 9}}, 9}, 1);
  const auto say = [&](const Ids& source) {
    State state =
        model.start(SourceBatches({{"source", source_batch({source}, torch::kCPU)}}), Pass());
    const Tensor tokens = torch::tensor({{kBegin, 5, 6}}, torch::kLong);
    return model.log_probs(model.advance(tokens, state), state);
  };
  EXPECT_TRUE(say({5, 6}).equal(say({7})));
}

}  // namespace
}  // namespace heed
