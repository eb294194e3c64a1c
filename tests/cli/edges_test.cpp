// Edges beside the text, from training to translation: `terms: [edges]`.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;

// An edge from every word to the one whose place mirrors its own; a line a sentence.
std::string mirrored(const std::string& text) {
  std::string edges;
  for (const std::string& line : lines_of(text)) {
    const auto words = 1 + std::count(line.begin(), line.end(), ' ');
    for (int64_t i = 0; i < words; ++i)
      edges += (i > 0 ? " " : "") + std::to_string(i) + "-" + std::to_string(words - 1 - i);
    edges += "\n";
  }
  return edges;
}

const char* const kEdgesConfig = R"(
run: runs/edges
data:
  train: [{source: train.src, target: train.tgt, edges: train.edges}]
  valid: {source: valid.src, target: valid.tgt, edges: valid.edges}
  test: {again: {source: valid.src, target: valid.tgt, edges: valid.edges}}
text: {source: words, target: {share: source}}
model:
  embedding: {width: 16}
  encoder:
    type: transformer
    layers: 1
    width: 16
    feed_forward: 32
    self_attention: {score: scaled_dot, heads: 2, terms: [edges]}
  decoder: {type: rnn, width: 16}
train: {batch: {sentences: 16}, max_updates: 30, validate: {every: 15, metric: bleu}}
)";

class EdgesOfTheProgram : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    for (const char* part : {"train", "valid"}) {
      const std::string name = part;
      write_plainly(workshop_ / (name + ".edges"), mirrored(workshop_.read(name + ".src")));
    }
    write_plainly(workshop_ / "edges.yaml", kEdgesConfig);
  }
  Outcome train(Arguments more = {}) const {
    return workshop_.run(joined({"train", "edges.yaml"}, more));
  }
  ToyWorkshop workshop_;
};

TEST_F(EdgesOfTheProgram, GoFromTrainingToTranslation) {
  holds({"data.train[].edges", "data.valid.edges", "data.test.NAME.edges"});
  const Outcome trained = train();
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.err, HasSubstr("test again, checkpoint"));

  const Arguments sources = {"translate",        "runs/edges", "-i",
                             "source=valid.src", "-i",         "edges=valid.edges"};
  const Outcome from_files = workshop_.run(sources);
  ASSERT_EQ(from_files.exit_code, 0) << from_files.err;
  EXPECT_EQ(lines_of(from_files.out).size(), 50U);

  std::string objects;
  const auto texts = lines_of(workshop_.read("valid.src")),
             edges = lines_of(workshop_.read("valid.edges"));
  for (size_t i = 0; i < texts.size(); ++i)
    objects += nlohmann::json{{"source", texts[i]}, {"edges", edges[i]}}.dump() + "\n";
  const Outcome from_objects = workshop_.run({"translate", "runs/edges"}, objects);
  EXPECT_EQ(from_objects.exit_code, 0) << from_objects.err;
  EXPECT_EQ(from_objects.out, from_files.out);

  // An empty line stays one, bytes that are no UTF-8 are read as U+FFFD, and - is standard input.
  const Outcome odd = workshop_.run({"translate", "runs/edges", "-i", "-"},
                                    "\n{\"source\": \"a\xFF\", \"edges\": \"0-0\"}\n");
  EXPECT_EQ(odd.exit_code, 0) << odd.err;
  EXPECT_EQ(lines_of(odd.out).size(), 2U);
  EXPECT_EQ(lines_of(odd.out).at(0), "");
  EXPECT_THAT(odd.err, HasSubstr("malformed UTF-8, read as U+FFFD: line 2"));
  EXPECT_FAILS(workshop_.run({"translate", "runs/edges", "-i", "source=-", "-i", "edges=-"}), 2,
               "only one of");

  const auto score = [&](const std::string& file) {
    return workshop_.run({"score", "runs/edges", "-s", "source=valid.src", "-s", "edges=" + file,
                          "-t", "valid.tgt"});
  };
  write_plainly(workshop_ / "none.edges", std::string(50, '\n'));
  EXPECT_EQ(score("valid.edges").exit_code, 0);
  EXPECT_NE(score("valid.edges").out, score("none.edges").out) << "the edges are read";

  const Outcome plot = workshop_.run({"plot", "attention", "runs/edges", "-i", "source=valid.src",
                                      "-i", "edges=valid.edges", "--line", "3"});
  EXPECT_EQ(plot.exit_code, 0) << plot.err;
  EXPECT_EQ(train({"--resume", "--set", "train.max_updates=40"}).exit_code, 0);

  EXPECT_FAILS(workshop_.run({"translate", "runs/edges", "-i", "valid.src"}), 2, "edges=FILE");
  EXPECT_FAILS(
      workshop_.run({"translate", "runs/edges", "-i", "source=valid.src", "-i", "edge=valid.src"}),
      2, "input 'edges' is missing, found 'edge'");
  write_plainly(workshop_ / "short.edges", "\n");
  EXPECT_FAILS(workshop_.run({"translate", "runs/edges", "-i", "source=valid.src", "-i",
                              "edges=short.edges"}),
               3, "short.edges: ends after 1 lines");
  for (const auto& [line, message] :
       {std::pair{"a b", "is not a JSON object"},
        std::pair{"{\"source\": \"a\"}", "'edges' is missing"},
        std::pair{"{\"source\": \"a\", \"edges\": 1}", "'edges' is missing or not a string"},
        std::pair{"{\"source\": \"a\\nb\", \"edges\": \"\"}", "'source' holds a line break"},
        std::pair{"{\"source\": \"a\", \"edges\": \"\", \"tag\": \"\"}", "'tag'"},
        std::pair{"{\"source\": \"a b\", \"edges\": \"0-2\"}", "line 1 of the edges: edge 0-2"},
        std::pair{"{\"source\": \"a b\", \"edges\": \"0:1\"}", "'0:1' is not an edge"}}) {
    EXPECT_FAILS(workshop_.run({"translate", "runs/edges"}, std::string(line) + "\n"), 3, message);
  }
}

}  // namespace
}  // namespace heed
