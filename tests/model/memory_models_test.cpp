// The presets of memory networks equal their papers, from words to the probabilities of the answer:
// plain loops over the references.
#include <gtest/gtest.h>

#include "config/reader.h"
#include "holds.h"
#include "kinds_of.h"
#include "model/seq2seq.h"
#include "nn/compare.h"
#include "nn/torch.h"
#include "reference/memory.h"
#include "turing_heads.h"

namespace heed {
namespace {

constexpr int32_t kWordCount = 14, kSentenceMarker = 5;

// Two stories, the second one of a single sentence, with questions and answers of one word.
class MemoryModels : public testing::Test {
 protected:
  using Vector = reference::Vector;
  using Matrix = reference::Matrix;
  using Sentences = std::vector<Ids>;

  void build(const std::string& text) {
    ModelConfig config;
    read_config_text(text, text, config);
    VocabularySizes sizes{.sources = {}, .target = kWordCount};
    for (const std::string& name : config.sources()) {
      sizes.sources[name] = kWordCount;
      sizes.owners[name] = config.sources().front();
      sizes.markers[name] = kSentenceMarker;
    }
    model_ = std::make_shared<Seq2Seq>(config, sizes, 3);
    fill(*model_);
    parameters_ = parameters_of(*model_);
    kinds_ = kinds_of(config);
  }

  bool has(const std::string& name) const { return parameters_.contains(name); }
  Matrix matrix(const std::string& name) const { return matrix_of(parameters_.at(name)); }
  Vector vector(const std::string& name) const { return vector_of(parameters_.at(name)); }

  static Ids joined(const Sentences& sentences) {
    Ids ids;
    for (const Ids& sentence : sentences) {
      if (!ids.empty()) ids.push_back(kSentenceMarker);
      ids.insert(ids.end(), sentence.begin(), sentence.end());
    }
    return ids;
  }
  static std::vector<Ids> joined(const std::vector<Sentences>& texts) {
    std::vector<Ids> lines;
    for (const Sentences& text : texts) lines.push_back(joined(text));
    return lines;
  }

  // Rows of a table for words; of each the numbers begin … begin+width-1, by default all.
  static Matrix rows_of(const Matrix& table, const Ids& words, size_t begin = 0, size_t width = 0) {
    if (width == 0) width = table.columns;
    Matrix rows(words.size(), width);
    for (size_t i = 0; i < words.size(); ++i) {
      for (size_t k = 0; k < width; ++k)
        rows(i, k) = table(static_cast<size_t>(words[i]), begin + k);
    }
    return rows;
  }
  static Vector bag(const Matrix& words) {
    Vector total(words.columns, 0.0);
    for (size_t i = 0; i < words.rows; ++i) total = reference::sum(total, words.row(i));
    return total;
  }
  static Vector concatenated(const Vector& a, const Vector& b) {
    Vector all(a);
    all.insert(all.end(), b.begin(), b.end());
    return all;
  }
  reference::Cell cell(const std::string& name, const char* kind) const {
    return {.kind = kind,
            .input = matrix(name + ".weight_input"),
            .hidden = matrix(name + ".weight_hidden"),
            .input_bias = vector(name + ".bias_input"),
            .hidden_bias = vector(name + ".bias_hidden")};
  }
  static reference::Run run(const reference::Cell& cell, const Matrix& x, bool backwards = false) {
    return reference::run({cell}, x, x.rows, backwards);
  }
  Vector log_probs_of(const Vector& hidden) const {
    Vector logits = product(matrix("output.weight"), hidden);
    if (has("output.bias")) logits = reference::sum(logits, vector("output.bias"));
    return reference::log_probabilities(logits);
  }

  // expected(r, t): log-probabilities of token t of row r, t from 0.
  template <class Expected>
  void expect_log_probs(const std::map<std::string, std::vector<Ids>>& sources,
                        const Expected& expected) {
    holds("reference", kinds_);
    const torch::NoGradGuard no_grad;
    SourceBatches batches(2);
    for (const auto& [name, lines] : sources)
      batches.named[name] = source_batch(lines, torch::kCPU);
    State state = model_->start(batches, Pass());
    const TargetBatch target = target_batch(answers_, torch::kCPU);
    const Tensor found = model_->log_probs(model_->advance(target.inputs, state), state);
    for (int64_t r = 0; r < 2; ++r) {
      for (int64_t t = 0; t < 2; ++t)
        expect_close(found[r][t], tensor_of(expected(static_cast<size_t>(r), t)), 1e-10,
                     fmt::format("row {}, token {}", r, t));
    }
  }

  const std::vector<Sentences> stories_ = {{{6, 7, 8}, {9, 6}, {10, 11, 7, 12}, {8}}, {{12, 9}}};
  const std::vector<Ids> questions_ = {{13, 7}, {8, 13, 9}}, answers_ = {{7}, {12}};
  std::shared_ptr<Seq2Seq> model_;
  std::map<std::string, Tensor> parameters_;
  std::set<std::string> kinds_;
};

// Sukhbaatar et al. 2015 with K = 3 and d = 4. The table of the sentences has three rows, which the
// sentences farther from the question share.
TEST_F(MemoryModels, Memn2nIsThatOfThePaper) {
  build(
      "{preset: memn2n, embedding: {width: 16}, encoders: {story: {sentence_encoder: {positions: "
      "{max_positions: 3}}}}}");
  const Matrix table = matrix("target.embedding"),
               times = matrix("encoder_story.sentences.positions.table");
  constexpr size_t kD = 4, kHops = 3;
  expect_log_probs(
      {{"story", joined(stories_)}, {"question", questions_}}, [&](size_t r, int64_t t) {
        const Sentences& story = stories_[r];
        // Memories embedded by A^k, or C^{k-1}; k from 0.
        const auto memories = [&](size_t k) {
          Matrix m(story.size(), kD);
          for (size_t i = 0; i < story.size(); ++i) {
            Vector row = reference::position_encoded(rows_of(table, story[i], k * kD, kD));
            const size_t distance = std::min<size_t>(2, story.size() - 1 - i);
            for (size_t d = 0; d < kD; ++d) row[d] += times(distance, k * kD + d);
            m.set_row(i, row);
          }
          return m;
        };
        Vector u = reference::position_encoded(rows_of(table, questions_[r], 0, kD));
        if (t == 1) u = reference::sum(u, rows_of(table, answers_[r], 0, kD).row(0));
        for (size_t k = 0; k < kHops; ++k)
          u = reference::memory_hop(u, memories(k), memories(k + 1));
        Vector logits;
        for (size_t word = 0; word < table.rows; ++word) {
          const Vector c(table.row(word));
          logits.push_back(reference::dot(u, {c.begin() + kHops * kD, c.end()}));
        }
        return reference::log_probabilities(logits);
      });
}

// Layer-wise tying, and bags of words: of the embeddings that lie side by side the story uses both,
// the question the first.
TEST_F(MemoryModels, Memn2nHasLayerWiseTying) {
  build(
      "{preset: memn2n, embedding: {width: 8, tie: none}, encoders: {story: {pool: sum, "
      "sentence_encoder: {positions: none}}, question: {pool: sum}}, decoder: {attention: "
      "{attention: {tying: layer_wise, hops: 2}}}}");
  constexpr size_t kD = 4;
  expect_log_probs(
      {{"story", joined(stories_)}, {"question", questions_}}, [&](size_t r, int64_t t) {
        const auto memories = [&](size_t block) {
          Matrix m(stories_[r].size(), kD);
          for (size_t i = 0; i < m.rows; ++i)
            m.set_row(
                i, bag(rows_of(matrix("source_story.embedding"), stories_[r][i], block * kD, kD)));
          return m;
        };
        Vector u = bag(rows_of(matrix("source_question.embedding"), questions_[r], 0, kD));
        if (t == 1)
          u = reference::sum(u, rows_of(matrix("target.embedding"), answers_[r], 0, kD).row(0));
        const Matrix h = matrix("decoder.attention.attention.map.weight");
        for (int k = 0; k < 2; ++k) u = reference::memory_hop(u, memories(0), memories(1), h);
        return log_probs_of(concatenated(Vector(kD, 0.0), u));
      });
}

TEST_F(MemoryModels, KeyValueMemoryIsThatOfThePaper) {
  build("{preset: key_value_memory, embedding: {width: 4}}");
  const std::vector<Sentences> keys = stories_, values = {{{6}, {7, 7}, {8}, {9, 13}}, {{6}}};
  holds({"model.embedding.share_sources"});
  EXPECT_FALSE(has("source_values.embedding")) << "one A";
  const Matrix a = matrix("source_keys.embedding");
  const auto bags = [&](const Sentences& entries) {
    Matrix rows(entries.size(), a.columns);
    for (size_t i = 0; i < entries.size(); ++i) rows.set_row(i, bag(rows_of(a, entries[i])));
    return rows;
  };
  expect_log_probs(
      {{"keys", joined(keys)}, {"values", joined(values)}, {"question", questions_}},
      [&](size_t r, int64_t t) {
        Vector q = bag(rows_of(a, questions_[r]));
        if (t == 1) q = reference::sum(q, rows_of(matrix("target.embedding"), answers_[r]).row(0));
        for (int hop = 0; hop < 2; ++hop)
          q = reference::key_value_hop(q, bags(keys[r]), bags(values[r]),
                                       matrix(fmt::format("decoder.attention.map_{}.weight", hop)));
        return log_probs_of(q);
      });
}

// The parameters of an episodic memory.
struct EpisodicParameters {
  std::map<std::string, Tensor> all;
  std::string of;
  Tensor at(const std::string& name) const { return all.at(of + name); }
  reference::Episode episode() const {
    const auto bilinear = all.find(of + "gate.bilinear.weight"),
               bias = all.find(of + "gate.outer.bias");
    return {.inner = matrix_of(at("gate.inner.weight")),
            .outer = matrix_of(at("gate.outer.weight")),
            .bilinear = bilinear == all.end() ? reference::Matrix() : matrix_of(bilinear->second),
            .inner_bias = vector_of(at("gate.inner.bias")),
            .outer_bias = bias == all.end() ? reference::Vector() : vector_of(bias->second)};
  }
  reference::FactCell cell() const {
    reference::FactCell cell;
    const int64_t gates = at("episode.weight").size(0);
    for (int64_t gate = 0; gate < gates; ++gate) {
      cell.input.push_back(matrix_of(at("episode.weight")[gate]));
      cell.recurrent.push_back(matrix_of(at("episode.recurrent")[gate]));
      cell.bias.push_back(vector_of(at("episode.bias").chunk(gates)[static_cast<size_t>(gate)]));
    }
    return cell;
  }
};

// Xiong et al. 2016: facts f_i = →f_i + ←f_i of position encodings; the answer is of [q; m].
TEST_F(MemoryModels, DmnPlusIsThatOfThePaper) {
  build(
      "{preset: dmn_plus, embedding: {width: 4}, encoders: {story: {sentence_encoder: {width: 4}}, "
      "question: {width: 4}}, decoder: {attention: {attention: {passes: 2, hidden: 3}}}}");
  const Matrix table = matrix("source_question.embedding");
  const EpisodicParameters memory{parameters_, "decoder.attention.attention."};
  const auto fused = [&](const Sentences& story) {
    Matrix read(story.size(), table.columns);
    for (size_t i = 0; i < story.size(); ++i)
      read.set_row(i, reference::position_encoded(rows_of(table, story[i])));
    const Matrix forward =
        run(cell("encoder_story.sentences.layer_0_forward", "gru"), read).outputs;
    Matrix facts = run(cell("encoder_story.sentences.layer_0_backward", "gru"), read, true).outputs;
    for (size_t i = 0; i < facts.numbers.size(); ++i) facts.numbers[i] += forward.numbers[i];
    return facts;
  };
  expect_log_probs({{"story", joined(stories_)}, {"question", questions_}}, [&](size_t r,
                                                                                int64_t t) {
    const Matrix facts = fused(stories_[r]);
    Vector q =
        run(cell("encoder_question.layer_0_forward", "gru"), rows_of(table, questions_[r])).last.h;
    if (t == 1) q = reference::sum(q, rows_of(matrix("target.embedding"), answers_[r]).row(0));
    Vector m = q;
    for (int pass = 0; pass < 2; ++pass) {
      const Vector c = reference::episode_state(
          memory.cell(), facts, reference::fact_gates(memory.episode(), facts, q, m));
      const std::string layer = fmt::format("memory_{}", pass);
      m = reference::relu_memory(matrix_of(memory.at(layer + ".weight")),
                                 vector_of(memory.at(layer + ".bias")), m, c, q);
    }
    return log_probs_of(concatenated(q, m));
  });
}

// Kumar et al. 2016: one GRU over the words of the story and the tokens that end its sentences, the
// last of which is </s>; its states there are the facts.
TEST_F(MemoryModels, DmnIsThatOfThePaper) {
  build(
      "{preset: dmn, embedding: {width: 3}, encoders: {story: {word_encoder: {width: 4}}, "
      "question: "
      "{width: 4}}, decoder: {attention: {attention: {passes: 2, hidden: 3}}}}");
  const Matrix table = matrix("source_question.embedding");
  const EpisodicParameters memory{parameters_, "decoder.attention.attention."};
  const auto ended = [](Ids ids) {
    ids.push_back(kEnd);
    return ids;
  };
  expect_log_probs(
      {{"story", joined(stories_)}, {"question", questions_}}, [&](size_t r, int64_t t) {
        const Ids words = ended(joined(stories_[r]));
        const Matrix states =
            run(cell("encoder_story.words.layer_0_forward", "gru"), rows_of(table, words)).outputs;
        Matrix facts(stories_[r].size(), states.columns);
        for (size_t s = 0, i = 0; s < words.size(); ++s) {
          if (words[s] == kSentenceMarker || words[s] == kEnd) facts.set_row(i++, states.row(s));
        }
        const Vector q = run(cell("encoder_question.layer_0_forward", "gru"),
                             rows_of(table, ended(questions_[r])))
                             .last.h;
        Vector m = q;
        reference::Episode episode = memory.episode();
        episode.gates_by_sigmoid = true;
        for (int pass = 0; pass < 2; ++pass) {
          const Vector e = reference::episode_state(memory.cell(), facts,
                                                    reference::fact_gates(episode, facts, q, m));
          m = reference::step(cell(memory.of + "memory_0", "gru"), e, {m, {}}).h;
        }
        Vector a = m;
        for (int64_t step = 0; step <= t; ++step) {
          const Ids before = {step == 0 ? kBegin : answers_[r][0]};
          const Vector y = rows_of(matrix("target.embedding"), before).row(0);
          a = reference::step(cell("decoder.cell", "gru"), concatenated(y, q), {a, {}}).h;
        }
        return log_probs_of(a);
      });
}

// The weights of each pass, summed over the words of a sentence, are its gates.
TEST_F(MemoryModels, PassesOverTheSourceHaveTheGatesOfThePaper) {
  for (const bool is_plus : {false, true}) {
    build(
        fmt::format("{{preset: {}, embedding: {{width: 4}}, encoders: {{story: {{{}: {{width: "
                    "4}}}}, question: {{width: 4}}}}, decoder: {{attention: {{attention: "
                    "{{passes: 2, hidden: 3}}}}}}}}",
                    is_plus ? "dmn_plus" : "dmn", is_plus ? "sentence_encoder" : "word_encoder"));
    const torch::NoGradGuard no_grad;
    SourceBatches batches(2);
    batches.named["story"] = source_batch(joined(stories_), torch::kCPU);
    batches.named["question"] = source_batch(questions_, torch::kCPU);
    Pass pass;
    pass.keep_weights = true;
    EncoderOutput encoded;
    State state = model_->start(batches, pass, encoded);
    const Step step = model_->advance(target_batch(answers_, torch::kCPU).inputs, state);
    const std::vector<SourcePass> passes = passes_over_source(step);
    ASSERT_EQ(passes.size(), 2U);
    EXPECT_EQ(passes[0].form, is_plus ? WeightForm::kShares : WeightForm::kGates);
    const EpisodicParameters memory{parameters_, "decoder.attention.attention."};
    reference::Episode episode = memory.episode();
    episode.gates_by_sigmoid = !is_plus;
    for (int64_t r = 0; r < 2; ++r) {
      const Sentences& story = stories_[static_cast<size_t>(r)];
      const Matrix facts = matrix_of(encoded.sources.at("story").source.keys[r].narrow(
          0, 0, static_cast<int64_t>(story.size())));
      const Vector q = vector_of(encoded.sources.at("question").final_state.hidden.back()[r]);
      Vector m = q;
      for (size_t p = 0; p < 2; ++p) {
        const Vector gates = reference::fact_gates(episode, facts, q, m);
        int64_t position = 0;
        for (size_t s = 0; s < story.size(); ++s) {
          const int64_t words = std::ssize(story[s]) + 1;  // and the marker or </s>
          EXPECT_NEAR(passes[p].weights[r][0][0].narrow(0, position, words).sum().item<double>(),
                      gates[s], 1e-10)
              << is_plus << ", row " << r << ", pass " << p << ", sentence " << s;
          position += words;
        }
        const Vector e = reference::episode_state(memory.cell(), facts, gates);
        m = is_plus ? reference::relu_memory(
                          matrix_of(memory.at(fmt::format("memory_{}.weight", p))),
                          vector_of(memory.at(fmt::format("memory_{}.bias", p))), m, e, q)
                    : reference::step(cell(memory.of + "memory_0", "gru"), e, {m, {}}).h;
      }
    }
  }
}

// Graves et al. 2014, with a controller of one LSTM: its input is x_t and r_{t-1}, and its state
// h_{t-1} gives the heads that write M_{t-1} and read r_{t-1} of it.
TEST_F(MemoryModels, TheNeuralTuringMachineIsThatOfThePaper) {
  build(
      "{preset: ntm, embedding: {width: 3}, decoder: {width: 4, attention: {rows: 5, width: 3, "
      "heads: "
      "2}}}");
  const TuringHeads heads(parameters_, "decoder.attention.");
  ASSERT_EQ(heads.read_heads(), 2U);
  expect_log_probs({}, [&](size_t r, int64_t t) {
    const reference::Cell controller = cell("decoder.layer_0", "lstm");
    reference::CellState state{Vector(4, 0.0), Vector(4, 0.0)};
    Matrix memory = heads.matrix("initial");
    std::vector<Vector> weights(3, TuringHeads::first_weights(memory.rows));
    Vector read, hidden;
    for (int64_t step = 0; step <= t; ++step) {
      weights[2] = reference::turing_weights(heads.head(state.h, 2), memory, weights[2]);
      heads.write(memory, weights[2], state.h);
      read.clear();
      for (size_t h = 0; h < 2; ++h) {
        weights[h] = reference::turing_weights(heads.head(state.h, h), memory, weights[h]);
        read = concatenated(read, reference::turing_read(memory, weights[h]));
      }
      const Ids token = {step == 0 ? kBegin : answers_[r][0]};
      const Vector x = rows_of(matrix("target.embedding"), token).row(0);
      state = reference::step(controller, concatenated(x, read), state);
      hidden = affine(matrix("decoder.output.weight"), vector("decoder.output.bias"),
                      concatenated(state.h, read));
    }
    return log_probs_of(hidden);
  });
}

}  // namespace
}  // namespace heed
