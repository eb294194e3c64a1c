// Word alignments of the training data, from the config to the output of `heed translate`.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;

// The words of each line in reverse order.
std::string reversed_words(const std::string& text) {
  std::string reversed;
  for (std::string line : lines_of(text)) {
    std::reverse(line.begin(), line.end());  // each word is one letter
    reversed += line + "\n";
  }
  return reversed;
}

std::string mirrored_links(const std::string& text) {
  std::string links;
  for (const std::string& line : lines_of(text)) {
    const auto words = 1 + std::count(line.begin(), line.end(), ' ');
    for (int64_t i = 0; i < words; ++i)
      links += (i > 0 ? " " : "") + std::to_string(i) + "-" + std::to_string(words - 1 - i);
    links += "\n";
  }
  return links;
}

// The encoder states mix the words of a sentence, and the decoder attends before it knows the next
// word.
const char* const kGuidedConfig = R"(
run: runs/guided
data:
  train: [{source: train.src, target: train.tgt, alignment: train.align}]
  valid: {source: valid.src, target: valid.tgt}
text: {source: words, target: {share: source}}
model:
  embedding: {width: 32}
  encoder: {type: transformer, layers: 2, width: 32, feed_forward: 64, self_attention: {score: scaled_dot, heads: 4}}
  decoder: {type: rnn, cell: gru, width: 64, attend: before, attention: {score: {type: additive, hidden: 32}}}
train:
  batch: {sentences: 32}
  optimizer: {type: adam, rate: 0.005}
  schedule: {type: inverse_sqrt, warmup: 50}
  max_updates: 300
  validate: {every: 300}
  guided_alignment: {weight: 1}
)";

class GuidedAlignment : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    for (const std::string part : {"train", "valid"}) {
      const std::string source = workshop_.read(part + ".src");
      write_plainly(workshop_ / (part + ".tgt"), reversed_words(source));
      write_plainly(workshop_ / (part + ".align"), mirrored_links(source));
    }
    write_plainly(workshop_ / "guided.yaml", kGuidedConfig);
  }
  Outcome train(const Arguments& more = {}) const {
    return workshop_.run(joined({"train", "guided.yaml", "--overwrite"}, more));
  }
  double alignment_error() const {
    workshop_.run(
        {"translate", "runs/guided", "-i", "valid.src", "-o", "out", "--alignments", "out.align"});
    const Outcome outcome = workshop_.run(
        {"evaluate", "-r", "valid.align", "-i", "out.align", "-m", "aer", "--format", "json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out)[0]["score"];
  }
  ToyWorkshop workshop_;
};

TEST_F(GuidedAlignment, IsLearned) {
  holds({"data.train[].alignment", "train.guided_alignment.weight", "--alignments"});
  const Outcome unguided = train({"--set", "train.guided_alignment.weight=0"});
  ASSERT_EQ(unguided.exit_code, 0) << unguided.err;
  EXPECT_THAT(unguided.err, HasSubstr("data.train has an alignment, but neither a loss"));
  const double without = alignment_error();
  const Outcome guided = train();
  ASSERT_EQ(guided.exit_code, 0) << guided.err;
  const double with = alignment_error();
  EXPECT_LT(with, 20);
  EXPECT_LT(with, without - 20);
}

TEST_F(GuidedAlignment, IsPartOfTheData) {
  ASSERT_EQ(train({"--set", "train.max_updates=4", "--set", "train.validate.every=2"}).exit_code,
            0);
  std::string links = workshop_.read("train.align");
  write_plainly(workshop_ / "train.align", "\n" + links.substr(links.find('\n') + 1));
  EXPECT_FAILS(workshop_.run({"train", "guided.yaml", "--resume"}), 3, "train.align");
  write_plainly(workshop_ / "train.align", "0-9\n" + links.substr(links.find('\n') + 1));
  const Outcome wrong = train();
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_THAT(wrong.err, HasSubstr("train.align:1: link 0-9, but the last word of the target is"));
}

}  // namespace
}  // namespace heed
