// Recurrent cells and sequences, feed-forward, residual connections, positions, embeddings and the
// loss of the vocabulary: values against the references, gradients against finite differences.
#include <gtest/gtest.h>

#include <cmath>

#include "holds.h"
#include "nn/compare.h"
#include "nn/embedding.h"
#include "nn/feed_forward.h"
#include "nn/lstm_gates.h"
#include "nn/positions.h"
#include "nn/product.h"
#include "nn/residual.h"
#include "nn/simplex_projection.h"
#include "nn/sources.h"
#include "nn/target_log_softmax.h"
#include "nn/torch.h"
#include "nn/transition.h"
#include "nn/vocabulary_loss.h"
#include "reference/layers.h"
#include "reference/recurrent.h"

namespace heed {
namespace {

struct CellCase {
  CellKind kind;
  CellNorm norm;
  bool backwards;
  size_t depth;
  int64_t most = 0;  // of adaptive computation time; 0: none
  CellForm form() const {
    CellForm form{kind, 4, norm};
    if (most > 0) form.adaptive = HaltingSettings{.most = most, .epsilon = 0.4};
    return form;
  }
};

// Cells of width 4; the first has inputs of width 3.
struct Cells final : Module {
  explicit Cells(const CellCase& c) : transition(*this, "cell", c.form(), inputs(c.depth)) {}
  static std::vector<int64_t> inputs(size_t depth) {
    std::vector<int64_t> list(depth, 0);
    list[0] = 3;
    return list;
  }
  Transition transition;
};

class RecurrentCells : public testing::TestWithParam<CellCase> {
 protected:
  RecurrentCells() { fill(cells_); }

  reference::Layer reference_layer() const {
    reference::Layer layer{{reference_cell("cell.")}};
    for (size_t i = 2; i <= GetParam().depth; ++i)
      layer.cells.push_back(reference_cell(fmt::format("cell_cell_{}.", i)));
    if (GetParam().most == 0) return layer;
    const auto p = parameters_of(cells_);
    layer.halting = {.weight = matrix_of(p.at("cell_halt.weight")).row(0),
                     .bias = p.at("cell_halt.bias").item<double>(),
                     .most = static_cast<size_t>(GetParam().most),
                     .epsilon = 0.4};
    return layer;
  }
  reference::Cell reference_cell(const std::string& name) const {
    const auto p = parameters_of(cells_);
    const auto matrix = [&](const char* part) {
      return p.contains(name + part) ? matrix_of(p.at(name + part)) : reference::Matrix();
    };
    const auto vector = [&](const char* part) {
      return p.contains(name + part) ? vector_of(p.at(name + part)) : reference::Vector();
    };
    return {.kind = cell_name(GetParam().kind),
            .input = matrix("weight_input"),
            .hidden = matrix("weight_hidden"),
            .input_bias = vector("bias_input"),
            .hidden_bias = vector("bias_hidden"),
            .input_gain = vector("norm_input"),
            .hidden_gain = vector("norm_hidden"),
            .cell_gain = vector("norm_cell"),
            .cell_shift = vector("norm_cell_bias"),
            .norm_together = GetParam().norm == CellNorm::kTogether};
  }
  CellRun run(const Tensor& x) const {
    return run_transition(cells_.transition, x, lengths_, {.backwards = GetParam().backwards},
                          Pass());
  }
  void expect_reference(const Tensor& x, double tolerance) const {
    const CellRun actual = run(x);
    for (int64_t r = 0; r < x.size(0); ++r) {
      const auto expected =
          reference::run(reference_layer(), matrix_of(x[r]),
                         static_cast<size_t>(lengths_[r].item<int64_t>()), GetParam().backwards);
      expect_close(actual.outputs[r], tensor_of(expected.outputs), tolerance, "outputs");
      expect_close(actual.final_state.hidden[r], tensor_of(expected.last.h), tolerance, "hidden");
      ASSERT_EQ(actual.ponder.defined(), GetParam().most > 0);
      if (actual.ponder.defined())
        expect_close(actual.ponder[r], tensor_of(expected.ponder), tolerance, "ponder cost");
      if (GetParam().kind != CellKind::kLstm) continue;
      expect_close(actual.final_state.cell[r], tensor_of(expected.last.c), tolerance, "cell");
    }
  }

  Cells cells_{GetParam()};
  Tensor x_ = uniform({3, 5, 3}, "x"), lengths_ = torch::tensor({5, 3, 1}, torch::kLong);
};

TEST_P(RecurrentCells, EqualTheEquations) { expect_reference(x_, kExact); }

TEST_P(RecurrentCells, EqualTheEquationsInFloat) {
  const InFloat in_float(cells_);
  expect_reference(x_.to(torch::kFloat), kSingle);
}

TEST_P(RecurrentCells, GradientsAreFiniteDifferences) {
  expect_gradients(with_leaves(cells_, {{"x", x_}}), [this] {
    const CellRun all = run(x_);
    const CellState& last = all.final_state;
    Tensor loss = probed(all.outputs) + probed(last.hidden, "hidden");
    if (all.ponder.defined()) loss = loss + probed(all.ponder, "ponder");
    return last.cell.defined() ? loss + probed(last.cell, "cell") : loss;
  });
}

// Kernels compute float; they sum the gradient of inputs that are known for all steps.
TEST_P(RecurrentCells, GradientsInFloatAreThoseInDouble) {
  const auto gradients = [this](torch::ScalarType type) {
    const Tensor x = x_.to(type).detach().requires_grad_(true);
    const CellRun all = run(x);
    Tensor loss = probed(all.outputs) + probed(all.final_state.hidden, "hidden");
    if (all.ponder.defined()) loss = loss + probed(all.ponder, "ponder");
    cells_.zero_grad();
    loss.backward();
    std::vector<Tensor> found = {x.grad()};
    for (const auto& [name, parameter] : parameters_of(cells_))
      found.push_back(parameter.grad().clone());
    return found;
  };
  const auto expected = gradients(torch::kDouble);
  const InFloat in_float(cells_);
  const auto actual = gradients(torch::kFloat);
  for (size_t i = 0; i < expected.size(); ++i)
    expect_close(actual[i], expected[i], 1e-5, std::to_string(i));
}

TEST_P(RecurrentCells, PaddingAndNeighboursChangeNothing) {
  const CellRun all = run(x_);
  Tensor noisy = x_.clone();
  noisy[1].narrow(0, 3, 2).fill_(1e4);
  expect_close(run(noisy).outputs, all.outputs, 1e-14, "outputs");
  expect_close(run(noisy).final_state.hidden, all.final_state.hidden, 1e-14, "hidden");
  const CellRun alone =
      run_transition(cells_.transition, x_.narrow(0, 1, 1).narrow(1, 0, 3),
                     torch::tensor({3}, torch::kLong), {.backwards = GetParam().backwards}, Pass());
  expect_close(alone.outputs[0], all.outputs[1].narrow(0, 0, 3), 1e-12, "alone");
}

TEST_P(RecurrentCells, ARowWithoutStepsEndsInZeros) {
  const Tensor lengths = torch::tensor({0, 2, 0}, torch::kLong);
  const CellRun run =
      run_transition(cells_.transition, x_, lengths, {.backwards = GetParam().backwards}, Pass());
  for (const int64_t row : {0, 2}) {
    EXPECT_TRUE(run.outputs[row].eq(0).all().item<bool>());
    EXPECT_TRUE(run.final_state.hidden[row].eq(0).all().item<bool>());
    if (run.final_state.cell.defined()) {
      EXPECT_TRUE(run.final_state.cell[row].eq(0).all().item<bool>());
    }
  }
  EXPECT_FALSE(run.final_state.hidden[1].eq(0).any().item<bool>());
}

TEST_P(RecurrentCells, VariationalDropoutIsOneMaskForAllSteps) {
  const TransitionOptions options{.backwards = GetParam().backwards, .variational_dropout = 0.5};
  const auto outputs = [&](const Pass& pass) {
    return run_transition(cells_.transition, x_, lengths_, options, pass).outputs;
  };
  const Pass first = Pass::for_training(1, 2), same = Pass::for_training(1, 2);
  const auto cells = static_cast<int64_t>(GetParam().depth);
  const Tensor masks = dropout_mask({3, 4 * cells}, 0.5, x_, Pass::for_training(1, 2));
  Tensor expected = torch::zeros({3, 5, 4}, torch::kDouble);
  for (int64_t r = 0; r < 3; ++r) {
    UnrolledTransition walk(cells_.transition);
    CellState state = cells_.transition.zeros(1, x_);
    const int64_t length = lengths_[r].item<int64_t>();
    for (int64_t i = 0; i < length; ++i) {
      const int64_t s = GetParam().backwards ? length - 1 - i : i;
      state = walk.step(i, x_.narrow(0, r, 1).select(1, s), state, masks.narrow(0, r, 1));
      expected[r][s] = state.hidden[0].detach();
    }
  }
  expect_close(outputs(first), expected, kExact, "one mask of each cell");
  EXPECT_TRUE(outputs(same).equal(outputs(Pass::for_training(1, 2))));
  EXPECT_TRUE(outputs(Pass()).equal(run(x_).outputs)) << "no draw outside training";
}

class AdaptiveCells : public RecurrentCells {};

TEST_P(AdaptiveCells, DifferInTheirRounds) {
  const Tensor ponder =
      run(uniform({3, 5, 3}, "x", 4)).ponder.masked_select(length_mask(lengths_, 5));
  const auto last = static_cast<double>(GetParam().most);
  EXPECT_LT(ponder.min().item<double>(), last) << ponder;
  EXPECT_GT(ponder.max().item<double>(), 2.01) << ponder;
}

std::vector<CellCase> cell_cases() {
  std::vector<CellCase> cases;
  for (const auto& [word, kind] : cell_words()) {
    for (const CellNorm norm : {CellNorm::kNone, CellNorm::kApart, CellNorm::kTogether}) {
      for (const bool backwards : {false, true}) {
        for (const size_t depth : {1, 3}) {
          for (const int64_t most : {0, 4}) cases.push_back({kind, norm, backwards, depth, most});
        }
      }
    }
  }
  return cases;
}
std::vector<CellCase> adaptive_cases() {
  std::vector<CellCase> cases = cell_cases();
  std::erase_if(cases, [](const CellCase& c) { return c.most == 0; });
  return cases;
}
std::string name_of_cells(const testing::TestParamInfo<CellCase>& variant) {
  const CellCase& c = variant.param;
  return std::string(cell_name(c.kind)) +
         (c.norm == CellNorm::kApart      ? "_layer_norm"
          : c.norm == CellNorm::kTogether ? "_marian_norm"
                                          : "") +
         (c.backwards ? "_backwards" : "") + (c.depth > 1 ? "_deep" : "") +
         (c.most > 0 ? "_adaptive" : "");
}
INSTANTIATE_TEST_SUITE_P(All, RecurrentCells, testing::ValuesIn(cell_cases()), name_of_cells);
INSTANTIATE_TEST_SUITE_P(All, AdaptiveCells, testing::ValuesIn(adaptive_cases()), name_of_cells);

TEST(LstmGates, FusedEqualsPlainInValuesAndGradients) {
  for (const int64_t width : {1, 7, 64}) {
    for (const size_t count : {1, 2, 3}) {
      const auto run = [width, count](auto function, const char* used) {
        Tensor gates = uniform({5, 4 * width}, "gates", 3).to(torch::kFloat).requires_grad_(true);
        Tensor cell = uniform({5, width}, "cell", 2).to(torch::kFloat).requires_grad_(true);
        const Tensor other =
            uniform({5, 4 * width}, "other").to(torch::kFloat).requires_grad_(true);
        std::vector<Tensor> parts = {gates, other, 0.5 * gates};
        parts.resize(count);
        const auto [hidden, next] = function(parts, cell);
        const std::string which = used;
        Tensor loss = torch::zeros({});
        if (which != "cell") loss = loss + probed(hidden, "h");
        if (which != "hidden") loss = loss + probed(next, "c");
        loss.backward();
        std::vector<Tensor> found = {hidden, next, gates.grad(), cell.grad()};
        if (count > 1) found.push_back(other.grad());
        return found;
      };
      for (const char* used : {"both", "hidden", "cell"}) {
        const auto fused = run(
                       [](const auto&parts, const Tensor&c) { return lstm_gates(parts, c); }, used),
                   plain = run(lstm_gates_plain, used);
        for (size_t i = 0; i < fused.size(); ++i) {
          expect_close(fused[i], plain[i], 2e-6, std::string(used) + " " + std::to_string(i));
        }
      }
    }
  }
}

// The sequence is known in advance; one of its steps gets no gradient.
TEST(LstmGates, AKnownSequenceHasTheGradientOfItsSteps) {
  const auto run = [](bool summed) {
    const Tensor sequence = uniform({4, 3, 20}, "x").to(torch::kFloat).requires_grad_(true),
                 past = uniform({3, 20}, "past").to(torch::kFloat).requires_grad_(true);
    const Tensor whole = sequence * 2, known = summed ? with_gradient_sum(whole) : whole;
    const auto steps = known.unbind(0);
    Tensor cell = torch::zeros({3, 5}), loss = torch::zeros({});
    for (int64_t t = 0; t < 4; ++t) {
      const auto [hidden, next] =
          lstm_gates({past}, cell, {steps[static_cast<size_t>(t)], gradient_sum_of(known), t});
      if (t == 2) continue;
      loss = loss + probed(hidden, std::to_string(t));
      cell = next;
    }
    loss.backward();
    return std::pair(sequence.grad(), past.grad());
  };
  const auto expected = run(false), actual = run(true);
  expect_close(actual.first, expected.first, 1e-6, "sequence");
  expect_close(actual.second, expected.second, 1e-6, "past");
  EXPECT_EQ(actual.first[2].abs().max().item<float>(), 0);
}

class FeedForwards : public testing::TestWithParam<std::string> {
 protected:
  FeedForwards() : layer_(4, 6, activation(), 0) { fill(layer_); }
  static Activation activation() {
    for (const auto& [word, kind] : activation_words()) {
      if (word == GetParam()) return kind;
    }
    throw std::logic_error("no such activation");
  }
  Tensor expected() const {
    const auto p = parameters_of(layer_);
    reference::FeedForward w{
        .inner = matrix_of(p.at("inner.weight")),
        .gate = {},
        .outer = matrix_of(p.at("outer.weight")),
        .inner_bias = vector_of(p.at("inner.bias")),
        .gate_bias = {},
        .outer_bias = vector_of(p.at("outer.bias")),
    };
    if (p.contains("gate.weight")) {
      w.gate = matrix_of(p.at("gate.weight"));
      w.gate_bias = vector_of(p.at("gate.bias"));
    }
    const auto y = reference::each_row(matrix_of(x_), [&w](const reference::Vector& row) {
      return reference::feed_forward(row, w, GetParam());
    });
    return tensor_of(y).view({2, 3, 4});
  }
  FeedForward layer_;
  Tensor x_ = uniform({2, 3, 4}, "x", 2);
};

TEST_P(FeedForwards, EqualTheEquation) {
  expect_close(layer_.forward(x_, Pass()), expected(), kExact, "double");
  const Tensor values = expected();
  const InFloat in_float(layer_);
  expect_close(layer_.forward(x_.to(torch::kFloat), Pass()), values, kSingle, "float");
}
TEST_P(FeedForwards, GradientsAreFiniteDifferences) {
  expect_gradients(with_leaves(layer_, {{"x", x_}}),
                   [this] { return probed(layer_.forward(x_, Pass())); });
}
INSTANTIATE_TEST_SUITE_P(All, FeedForwards,
                         testing::Values("relu", "gelu", "silu", "gated", "gated_gelu",
                                         "gated_gelu_tanh"),
                         [](const auto& variant) { return variant.param; });

// Expects this output, with its gradients, of the residual connection around t².
void expect_squares_beside(Residual& residual, Tensor& x, const Tensor& expected) {
  const auto forward = [&](const Tensor& input) {
    return residual.forward(input, Pass(), [](const Tensor& t) { return t * t; });
  };
  expect_close(forward(x), expected, kExact, "double");
  expect_gradients(with_leaves(residual, {{"x", x}}), [&] { return probed(forward(x)); });
  const InFloat in_float(residual);
  expect_close(forward(x.detach().to(torch::kFloat)), expected, kSingle, "float");
}

TEST(Residual, StandsBeforeOrBehindTheNorm) {
  const auto square = [](const reference::Vector& x) {
    reference::Vector y(x);
    for (double& v : y) v *= v;
    return y;
  };
  Tensor x = uniform({2, 3, 4}, "x", 2);
  for (const NormPlace place : {NormPlace::kPre, NormPlace::kPost}) {
    Residual residual(4, place, 0);
    fill(residual);
    const auto p = parameters_of(residual);
    const auto gain = vector_of(p.at("norm.weight")), shift = vector_of(p.at("norm.bias"));
    const auto expected = reference::each_row(matrix_of(x), [&](const reference::Vector& row) {
      return place == NormPlace::kPre ? reference::residual_pre(row, gain, shift, square)
                                      : reference::residual_post(row, gain, shift, square);
    });
    expect_squares_beside(residual, x, tensor_of(expected).view({2, 3, 4}));
  }
}

TEST(Residual, ScalesItsInputBeforeTheNorm) {
  Tensor x = uniform({2, 3, 4}, "x", 2);
  for (const NormPlace place : {NormPlace::kDeep, NormPlace::kAdmin}) {
    Residual residual(4, place, 0);
    residual.deepen({.alpha = 1.7, .beta = 0.4}, nullptr);
    fill(residual);
    const auto p = parameters_of(residual);
    EXPECT_EQ(p.size(), place == NormPlace::kAdmin ? 3U : 2U);
    const auto gain = vector_of(p.at("norm.weight")), shift = vector_of(p.at("norm.bias"));
    const auto scale =
        place == NormPlace::kAdmin ? vector_of(p.at("omega")) : reference::Vector(4, 1.7);
    const auto expected = reference::each_row(matrix_of(x), [&](const reference::Vector& row) {
      return reference::residual_scaled(row, scale, gain, shift, [](const reference::Vector& v) {
        return reference::times(v, v);
      });
    });
    expect_squares_beside(residual, x, tensor_of(expected).view({2, 3, 4}));
  }
}

TEST(Residual, HasAnRmsNormIfAskedFor) {
  Tensor x = uniform({2, 3, 4}, "x", 2);
  for (const NormPlace place : {NormPlace::kPre, NormPlace::kPost}) {
    Residual residual(4, place, 0, NormType::kRms);
    fill(residual);
    const auto p = parameters_of(residual);
    EXPECT_EQ(p.size(), 1U) << "no bias";
    const auto gain = vector_of(p.at("norm.weight"));
    const auto expected = reference::each_row(matrix_of(x), [&](const reference::Vector& row) {
      const auto square = [](const reference::Vector& v) { return reference::times(v, v); };
      return place == NormPlace::kPre ? reference::sum(row, square(reference::rms_norm(row, gain)))
                                      : reference::rms_norm(reference::sum(row, square(row)), gain);
    });
    expect_squares_beside(residual, x, tensor_of(expected).view({2, 3, 4}));
  }
}

TEST(Positions, SinusoidsEqualTheFormula) {
  holds_not("reference", {{"positions: none", "adds nothing"}});
  holds("reference", {"positions: sinusoidal"});
  for (const int64_t width : {6, 7}) {
    const Tensor table = sinusoids(50, width, torch::kDouble);
    for (int64_t p = 0; p < 50; ++p) {
      expect_close(
          table[p],
          tensor_of(reference::sinusoid(static_cast<size_t>(p), static_cast<size_t>(width))),
          kExact, "position " + std::to_string(p));
    }
    const Tensor halves = sinusoids(50, width, torch::kDouble, SinusoidLayout::kHalves);
    for (int64_t p = 0; p < 50; ++p) {
      expect_close(halves[p],
                   tensor_of(reference::sinusoid_in_halves(static_cast<size_t>(p),
                                                           static_cast<size_t>(width))),
                   kExact, "position in halves " + std::to_string(p));
    }
  }
}

TEST(Positions, OfOtherToolkitsEqualTheirFormula) {
  for (const auto& [layout, first, width] : {std::tuple{SinusoidLayout::kFairseq, 2, 8},
                                             {SinusoidLayout::kFairseq, 2, 9},
                                             {SinusoidLayout::kOpennmtTf, 1, 8},
                                             {SinusoidLayout::kMarian, 0, 8}}) {
    const Tensor table = sinusoids(50, width, torch::kDouble, layout);
    for (int64_t p = 0; p < 50; ++p)
      expect_close(
          table[p],
          tensor_of(reference::sinusoid_from(static_cast<size_t>(first), static_cast<size_t>(p),
                                             static_cast<size_t>(width))),
          kExact, "position " + std::to_string(p));
  }
}

// Expected values: M2M100SinusoidalPositionalEmbedding.get_embedding(12, 7, None)[9], transformers
// 5.24.
TEST(Positions, OfFairseqWithAnOddWidthAreThoseOfTransformers) {
  const Tensor table = sinusoids(8, 7, torch::kDouble, SinusoidLayout::kFairseq);
  const std::vector<double> expected = {0.412118495, 0.089878544, 0.0009, -0.911130250,
                                        0.995952725, 0.999999583, 0.0};
  EXPECT_TRUE(table[7].allclose(torch::tensor(expected, torch::kDouble), 0, 1e-6)) << table[7];
}

TEST(Positions, AreAddedAndGrowBeyondTheTable) {
  holds("reference", {"positions: learned", "positions: sinusoidal"});
  Positions sinusoidal(PositionKind::kSinusoidal, 6, 4);
  const Tensor x = uniform({2, 2, 6}, "x"), at = torch::tensor({{0, 3}, {9, 2000}}, torch::kLong);
  const Tensor added = sinusoidal.add_to(x, at) - x;
  for (int64_t r = 0; r < 2; ++r) {
    for (int64_t t = 0; t < 2; ++t) {
      const auto position = static_cast<size_t>(at[r][t].item<int64_t>());
      expect_close(added[r][t], tensor_of(reference::sinusoid(position, 6)), kExact, "sinusoidal");
    }
  }
  EXPECT_TRUE(Positions(PositionKind::kNone, 6, 4).add_to(x, at).equal(x));
  Positions learned(PositionKind::kLearned, 6, 4);
  fill(learned);
  const Tensor table = parameters_of(learned).at("table");
  const Tensor more = learned.add_to(x, at) - x;
  expect_close(more[0][1], table[3], kExact, "learned");
  expect_close(more[1][0], table[3], kExact, "later ones share the last");
  expect_gradients({{"table", table}}, [&] { return probed(learned.add_to(x, at)); });
}

TEST(Embedding, TakesTheRowsOfItsTable) {
  Embedding embedding(5, 3, 0.5);
  fill(embedding);
  const Tensor ids = torch::tensor({{4, 0, 4}}, torch::kLong);
  const Tensor embedded = embedding.embed(ids, Pass());
  for (int64_t t = 0; t < 3; ++t) {
    expect_close(embedded[0][t], embedding.weight()[ids[0][t].item<int64_t>()], 0, "row");
  }
  expect_gradients(parameters_of(embedding), [&] { return probed(embedding.embed(ids, Pass())); });
}

// In training the weight already has a gradient, to which that of the rows is added.
TEST(Embedding, AddsItsGradientToOneThatIsThere) {
  const Tensor ids = torch::tensor({{4, 0, 4}, {1, 4, 4}}, torch::kLong);
  const auto gradient = [&](double before, bool is_tied) {
    Embedding embedding(5, 3, 0);
    fill(embedding);
    Tensor weight = embedding.weight();
    if (before != 0) weight.mutable_grad() = torch::full_like(weight, before);
    Tensor result =
        probed(embedding.embed(ids, Pass())) + 3 * probed(embedding.look_up(ids.flip(1)));
    if (is_tied) result = result + probed(torch::matmul(weight, weight.t()));
    result.backward();
    return weight.grad();
  };
  for (const bool is_tied : {false, true}) {
    const Tensor alone = gradient(0, is_tied), added = gradient(2, is_tied);
    EXPECT_FALSE(added.is_sparse());
    expect_close(added, alone + 2, kExact, is_tied ? "tied" : "not tied");
  }
}

// Up to 600 tokens, more than the function holds at a time.
class VocabularyLosses : public testing::TestWithParam<std::tuple<int64_t, bool, double>> {
 protected:
  static constexpr int64_t kWords = 11;
  int64_t count() const { return std::get<0>(GetParam()); }
  bool has_bias() const { return std::get<1>(GetParam()); }
  double smoothing() const { return std::get<2>(GetParam()); }

  Tensor hidden_ = uniform({count(), 4}, "hidden", 2), weight_ = uniform({kWords, 4}, "weight", 2),
         bias_ = has_bias() ? uniform({kWords}, "bias", 2) : Tensor(),
         targets_ = (uniform({count()}, "target").abs() * kWords).to(torch::kLong);
};

TEST_P(VocabularyLosses, EqualTheFormula) {
  holds({"train.label_smoothing"});
  const auto w = matrix_of(weight_);
  const auto b = has_bias() ? vector_of(bias_) : reference::Vector();
  const auto logits = reference::affine(w, b, matrix_of(hidden_));
  std::vector<size_t> targets;
  int64_t correct = 0;
  for (int64_t n = 0; n < count(); ++n) {
    targets.push_back(static_cast<size_t>(targets_[n].item<int64_t>()));
    const auto row = logits.row(static_cast<size_t>(n));
    const auto best = std::max_element(row.begin(), row.end()) - row.begin();
    correct += best == static_cast<std::ptrdiff_t>(targets.back());
  }
  const double loss = reference::smoothed_cross_entropy(logits, targets, smoothing());
  const double nll = reference::smoothed_cross_entropy(logits, targets, 0);
  const auto actual = vocabulary_loss(hidden_, weight_, bias_, targets_, smoothing());
  EXPECT_NEAR(actual.loss.item<double>(), loss, kExact * loss);
  EXPECT_NEAR(actual.negative_log_probability.item<double>(), nll, kExact * nll);
  EXPECT_EQ(actual.correct.item<int64_t>(), correct);
  const auto single =
      vocabulary_loss(hidden_.to(torch::kFloat), weight_.to(torch::kFloat),
                      has_bias() ? bias_.to(torch::kFloat) : bias_, targets_, smoothing());
  EXPECT_NEAR(single.loss.item<double>(), loss, kSingle * loss);
  EXPECT_EQ(single.correct.item<int64_t>(), correct);
}

// Single precision uses the kernel.
TEST_P(VocabularyLosses, SinglePrecisionHasTheSameGradient) {
  const auto gradients = [&](torch::ScalarType type) {
    std::vector<Tensor> leaves;
    for (const Tensor& x : {hidden_, weight_, bias_})
      leaves.push_back(x.defined() ? x.detach().to(type).clone().requires_grad_() : x);
    vocabulary_loss(leaves[0], leaves[1], leaves[2], targets_, smoothing()).loss.backward();
    for (Tensor& leaf : leaves) {
      if (leaf.defined()) leaf = leaf.grad().to(torch::kDouble);
    }
    return leaves;
  };
  const auto exact = gradients(torch::kDouble), single = gradients(torch::kFloat);
  for (size_t i = 0; i < exact.size(); ++i) {
    if (exact[i].defined())
      expect_close(single[i], exact[i], 2e-5 * static_cast<double>(count()), "");
  }
}

TEST_P(VocabularyLosses, GradientsAreFiniteDifferences) {
  Leaves leaves{{"hidden", hidden_}, {"weight", weight_}};
  if (has_bias()) leaves["bias"] = bias_;
  // Divided by the tokens, as in training, so that the incoming gradient is not 1.
  expect_gradients(
      leaves,
      [this] {
        return vocabulary_loss(hidden_, weight_, bias_, targets_, smoothing()).loss /
               static_cast<double>(count());
      },
      20);
}

INSTANTIATE_TEST_SUITE_P(All, VocabularyLosses,
                         testing::Combine(testing::Values(1, 9, 600), testing::Bool(),
                                          testing::Values(0.0, 0.1)),
                         [](const auto& variant) {
                           return std::to_string(std::get<0>(variant.param)) + "_tokens" +
                                  (std::get<1>(variant.param) ? "_bias" : "") +
                                  (std::get<2>(variant.param) > 0 ? "_smoothed" : "");
                         });

// Slices of a large vocabulary hold more tokens than those of a small one. In double precision
// slices are multiplied one by one; in bfloat16 several together, or one by one with the larger
// vocabulary.
TEST(VocabularyLoss, OfALargeVocabularyIsTheSumOverItsTokens) {
  struct Case {
    int64_t vocabulary;
    bool bf16;
    double tolerance;
  };
  for (const auto& [vocabulary, bf16, tolerance] :
       {Case{9001, false, kExact}, Case{8000, true, 1e-5}, Case{40000, true, 1e-5}}) {
    const Bf16Scope products(bf16);
    const auto type = bf16 ? torch::kFloat : torch::kDouble;
    const Tensor hidden = uniform({583, 2}, "hidden").to(type),
                 weight = uniform({vocabulary, 2}, "weight").to(type),
                 bias = uniform({vocabulary}, "bias").to(type),
                 targets = (uniform({583}, "target").abs() * vocabulary).to(torch::kLong);
    struct Result {
      double loss;
      std::vector<Tensor> gradients;
    };
    const auto result_of = [&](int64_t begin, int64_t count) {
      std::vector<Tensor> leaves = {hidden.narrow(0, begin, count).clone(), weight.clone(),
                                    bias.clone()};
      for (const Tensor& leaf : leaves) leaf.requires_grad_(true);
      const auto result =
          vocabulary_loss(leaves[0], leaves[1], leaves[2], targets.narrow(0, begin, count), 0.1);
      result.loss.backward();
      return Result{result.loss.item<double>(),
                    {leaves[0].grad(), leaves[1].grad(), leaves[2].grad()}};
    };
    const Result all = result_of(0, 583);
    double sum = 0;
    std::vector<Tensor> rows;
    Tensor by_weight = torch::zeros_like(weight), by_bias = torch::zeros_like(bias);
    for (int64_t begin = 0; begin < 583; begin += 53) {
      const Result part = result_of(begin, 53);
      sum += part.loss;
      rows.push_back(part.gradients[0]);
      by_weight += part.gradients[1];
      by_bias += part.gradients[2];
    }
    EXPECT_NEAR(all.loss, sum, tolerance * sum);
    expect_close(all.gradients[0], torch::cat(rows), tolerance * 583, "gradient of the states");
    expect_close(all.gradients[1], by_weight, tolerance * 583, "gradient of the weight");
    expect_close(all.gradients[2], by_bias, tolerance * 583, "gradient of the bias");
  }
}

TEST(VocabularyLoss, GivesAGradientToWhateverWantsOne) {
  const std::vector<Tensor> inputs = {uniform({5, 4}, "hidden"), uniform({6, 4}, "weight"),
                                      uniform({6}, "bias")};
  const Tensor targets = torch::tensor({0L, 5L, 2L, 2L, 1L});
  const auto gradients = [&](const std::vector<size_t>& wanted) {
    std::vector<Tensor> leaves;
    for (const Tensor& input : inputs) leaves.push_back(input.clone());
    for (const size_t i : wanted) leaves[i].requires_grad_(true);
    vocabulary_loss(leaves[0], leaves[1], leaves[2], targets, 0.1).loss.backward();
    return std::vector<Tensor>{leaves[0].grad(), leaves[1].grad(), leaves[2].grad()};
  };
  const auto all = gradients({0, 1, 2});
  for (const size_t i : {0, 1, 2}) {
    const auto alone = gradients({i});
    EXPECT_TRUE(alone[i].equal(all[i])) << i;
    EXPECT_FALSE(alone[(i + 1) % 3].defined());
  }
}

TEST(VocabularyLoss, StaysFiniteAtExtremes) {
  Tensor hidden = torch::tensor({{1e4F, -1e4F}, {-1e4F, 1e4F}}).requires_grad_(true);
  Tensor weight = torch::tensor({{1e2F, 0.F}, {0.F, 1e2F}, {-1e2F, 1.F}}).requires_grad_(true);
  const auto loss = vocabulary_loss(hidden, weight, Tensor(), torch::tensor({0L, 2L}), 0.1);
  loss.loss.backward();
  EXPECT_TRUE(loss.loss.isfinite().item<bool>());
  EXPECT_TRUE(hidden.grad().isfinite().all().item<bool>());
  EXPECT_TRUE(weight.grad().isfinite().all().item<bool>());
}

class TargetLogSoftmaxes : public testing::TestWithParam<bool> {
 protected:
  TargetLogSoftmax result() const { return target_log_softmax(hidden_, weight_, bias_, targets_); }

  Tensor hidden_ = uniform({5, 4}, "hidden", 2), weight_ = uniform({6, 4}, "weight", 2),
         bias_ = GetParam() ? uniform({6}, "bias", 2) : Tensor(),
         targets_ = torch::tensor({0L, 5L, 2L, 2L, 1L});
};

TEST_P(TargetLogSoftmaxes, EqualTheFormula) {
  const auto b = GetParam() ? vector_of(bias_) : reference::Vector();
  const auto scores = reference::affine(matrix_of(weight_), b, matrix_of(hidden_));
  const TargetLogSoftmax found = result();
  for (int64_t n = 0; n < targets_.size(0); ++n) {
    const auto row = scores.row(static_cast<size_t>(n));
    const auto log_p = reference::log_probabilities(row);
    const auto target = static_cast<size_t>(targets_[n].item<int64_t>());
    EXPECT_NEAR(found.log_norm[n].item<double>(), row[0] - log_p[0], kExact);
    EXPECT_NEAR(found.log_probs[n].item<double>(), log_p[target], kExact);
    expect_close(found.probabilities[n].log(), tensor_of(log_p), kExact, "probabilities");
  }
}

TEST_P(TargetLogSoftmaxes, GradientsAreFiniteDifferences) {
  Leaves leaves{{"hidden", hidden_}, {"weight", weight_}};
  if (GetParam()) leaves["bias"] = bias_;
  for (const bool both : {false, true}) {  // one of the two may be unused
    expect_gradients(
        leaves,
        [&] {
          const TargetLogSoftmax found = result();
          const Tensor loss = probed(found.log_probs, "probs");
          return both ? loss + probed(found.log_norm, "norm") : loss;
        },
        24);
  }
}

TEST_P(TargetLogSoftmaxes, StayFiniteAtExtremes) {
  hidden_ = (hidden_.detach() * 1e4).requires_grad_(true);
  const TargetLogSoftmax found = result();
  (found.log_probs.sum() + found.log_norm.sum()).backward();
  EXPECT_TRUE(found.log_probs.isfinite().all().item<bool>());
  EXPECT_TRUE(hidden_.grad().isfinite().all().item<bool>());
}

INSTANTIATE_TEST_SUITE_P(All, TargetLogSoftmaxes, testing::Bool(),
                         [](const auto& variant) { return variant.param ? "bias" : "plain"; });

// The loss is not a number either then, and the update is skipped.
TEST(SimplexProjection, KeepsWhatIsNotANumber) {
  const Tensor scores = torch::tensor({std::nan(""), 1.0, 2.0, 0.5, 1.0, 2.0}).view({2, 3});
  for (const auto kind : {SimplexProjection::kSparsemax, SimplexProjection::kEntmax15}) {
    const Tensor weights = project_on_simplex(scores, kind);
    EXPECT_TRUE(weights[0].isnan().any().item<bool>());
    EXPECT_NEAR(weights[1].sum().item<double>(), 1, 1e-6);
  }
}

}  // namespace
}  // namespace heed
