// Every row of scripts/bench/attention_quality.g2p.txt can be drawn: its model is trained for an
// update, then its attention is plotted.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

#include "cli/kinds_of_run.h"
#include "cli/trained_model.h"

namespace heed {
namespace {

using testing::HasSubstr;

struct PictureRow {
  std::string name;
  Arguments settings;  // --set KEY=VALUE …
};
std::ostream& operator<<(std::ostream& out, const PictureRow& row) { return out << row.name; }

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? ""
                                    : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// NAME | KEY=VALUE | KEY=VALUE …
std::vector<PictureRow> picture_rows() {
  std::ifstream file(source_folder() + "/scripts/bench/attention_quality.g2p.txt");
  std::vector<PictureRow> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::stringstream parts(line);
    PictureRow row;
    std::getline(parts, row.name, '|');
    row.name = trimmed(row.name);
    for (std::string part; std::getline(parts, part, '|');) {
      row.settings.push_back("--set");
      row.settings.push_back(trimmed(part));
    }
    rows.push_back(row);
  }
  return rows;
}

// A model without attention has nothing to draw.
bool draws(const PictureRow& row) { return row.name != "no_attention"; }

bool sets(const PictureRow& row, const char* text) {
  return std::ranges::any_of(row.settings,
                             [text](const auto& one) { return one.find(text) != one.npos; });
}
bool wants_edges(const PictureRow& row) { return sets(row, "[edges]"); }
// Monotonic attention reads nothing before it has learned to stop.
bool reads_at_once(const PictureRow& row) {
  return !sets(row, "monotonic}") && !sets(row, "type: monotonic");
}

class SlowPictures : public testing::TestWithParam<PictureRow> {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
};

TEST_P(SlowPictures, AreDrawn) {
  const ToyWorkshop workshop;
  for (const char* part : {"train", "valid"}) {
    std::string edges;
    for (size_t i = 0; i < lines_of(workshop.read(std::string(part) + ".src")).size(); ++i)
      edges += "0-0\n";
    write_plainly(workshop / (std::string(part) + ".edges"), edges);
  }
  write_plainly(workshop / "rows.yaml", R"(
run: runs/row
data:
  train: [{source: train.src, target: train.tgt, edges: train.edges}]
  valid: {source: valid.src, target: valid.tgt, edges: valid.edges}
text: {source: words, target: words}
model:
  embedding: {width: 64}
  encoder: {type: rnn, width: 128}
  decoder: {type: rnn, width: 128, attend: after, attention: {score: dot}}
train: {max_updates: 1, validate: {metric: loss}}
)");
  const Outcome trained = workshop.run(joined({"train", "rows.yaml"}, GetParam().settings));
  ASSERT_EQ(trained.exit_code, 0) << trained.err;

  write_plainly(workshop / "line.src", "a b c d\n");
  write_plainly(workshop / "line.edges", "0-1 2-3\n");
  write_plainly(workshop / "line.tgt", "b a d\n");
  Arguments plot{"plot", "attention", "runs/row", "-i", "source=line.src", "--target", "line.tgt"};
  if (wants_edges(GetParam())) {
    plot.push_back("-i");
    plot.push_back("edges=line.edges");
  }
  plot.insert(plot.end(), {"--svg", "map.svg", "--html", "map.html"});
  const Outcome drawn = workshop.run(plot);
  if (!draws(GetParam())) {
    EXPECT_FAILS(drawn, 4, "no attention to draw");
    return;
  }
  ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
  holds("plot", kinds_of_run(workshop, "runs/row"));
  const std::string svg = workshop.read("map.svg"), html = workshop.read("map.html");
  for (const char* label : {">a<", ">b<", ">c<", ">d<"}) EXPECT_THAT(svg, HasSubstr(label));
  // Each cell that is not white has a title with its value.
  size_t cells = 0;
  for (size_t at = svg.find(" ← "); at != std::string::npos; at = svg.find(" ← ", at + 1)) ++cells;
  if (reads_at_once(GetParam())) {
    EXPECT_GE(cells, 4U) << "one a target piece at least";
  }
  EXPECT_THAT(html, HasSubstr("decoder layer 1, attention over the source"));
  if (GetParam().name.starts_with("pool_")) {
    EXPECT_THAT(html, HasSubstr("encoder, pooling"));
  } else if (GetParam().name.starts_with("directional_")) {
    EXPECT_THAT(html, HasSubstr("encoder layer 2, self-attention, head 4 of 4"));
    EXPECT_LT(html.find(">encoder layer 2, self"), html.find(">decoder layer 1")) << "in order";
  }
}

INSTANTIATE_TEST_SUITE_P(All, SlowPictures, testing::ValuesIn(picture_rows()),
                         [](const auto& row) { return row.param.name; });

// The attention in the cells of encoder and decoder, beside that over the source.
TEST(Pictures, ShowTheAttentionInACell) {
  SKIP_WITHOUT_TENSORS();
  const ToyWorkshop workshop;
  const Outcome trained = workshop.run(
      {"train", "toy.yaml", "--overwrite", "--set", "train.max_updates=1", "--set",
       "train.validate.metric=loss", "--set",
       "model.encoder={type: rnn, width: 16, memory_tape: true, intra_attention: {}}", "--set",
       "model.decoder={type: rnn, width: 16, attend: deep_fusion, intra_attention: {}, past: {}}"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  write_plainly(workshop / "line.src", "a b c d\n");
  write_plainly(workshop / "line.tgt", "b a d\n");
  const Outcome drawn = workshop.run({"plot", "attention", "runs/toy", "-i", "line.src", "--target",
                                      "line.tgt", "--html", "map.html"});
  ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
  holds("plot", kinds_of_run(workshop, "runs/toy"));
  holds_not("plot",
            {{"encoder: rnn adaptive", "no weights"}, {"decoder: rnn adaptive", "no weights"}});
  const std::string html = workshop.read("map.html");
  for (const char* name :
       {">decoder layer 1, self-attention, cell<", ">decoder layer 1, self-attention<",
        ">encoder layer 1, self-attention, forward<",
        ">encoder layer 1, self-attention, backward<"})
    EXPECT_THAT(html, HasSubstr(name));
}

// A target ends in </s> in both cases.
TEST(Pictures, HaveNoEndOfASourceThatTheModelDoesNotRead) {
  SKIP_WITHOUT_TENSORS();
  const ToyWorkshop workshop;
  write_plainly(workshop / "line.src", "a b c d\n");
  write_plainly(workshop / "line.tgt", "b a d\n");
  for (const bool ends : {true, false}) {
    const Outcome trained = workshop.run(
        {"train", "toy.yaml", "--overwrite", "--set", "train.max_updates=1", "--set",
         "train.validate.metric=loss", "--set", fmt::format("model.source_end={}", ends)});
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
    const Outcome drawn = workshop.run({"plot", "attention", "runs/toy", "-i", "line.src",
                                        "--target", "line.tgt", "--svg", "map.svg"});
    ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
    const std::string svg = workshop.read("map.svg"), label = ">&lt;/s&gt;</text>";
    size_t labels = 0;
    for (size_t at = svg.find(label); at != std::string::npos; at = svg.find(label, at + 1))
      ++labels;
    EXPECT_EQ(labels, ends ? 2u : 1u);
    EXPECT_THAT(svg, HasSubstr(">d</text>"));
  }
}

}  // namespace
}  // namespace heed
