// Texts that are meant to hurt, or were hurt themselves: each is read or refused, quickly.
#include <chrono>

#include "base/random.h"
#include "example.h"

namespace heed::example {
namespace {

using Messages = std::vector<std::string>;

const std::string kGood = R"(# a config
run: runs/a          # where
seed: 12
name: "quoted: \u00e4"
max_time: 90m
sides: [source, 'it''s']
train:
  - {source: a, target: b, weight: 0.5}
  - source: c
    target: d
test: {x: {source: g, target: h}}
batch: 64
model:
  tie: none
  layer:
    type: hops
    layer: {heads: 2, score: dot, terms: [dot, {type: additive, hidden: 3}]}
)";

std::string repeated(const std::string& part, size_t count) {
  std::string text;
  text.reserve(part.size() * count);
  for (size_t i = 0; i < count; ++i) text += part;
  return text;
}

TEST(HostileConfig, IsCutAnywhere) {
  ASSERT_EQ(problems_of(kGood), Messages{});
  for (size_t length = 0; length < kGood.size(); ++length) problems_of(kGood.substr(0, length));
}

TEST(HostileConfig, HasFlippedBits) {
  for (size_t bit = 0; bit < kGood.size() * 8; ++bit) {
    std::string text = kGood;
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
    problems_of(text);
  }
}

TEST(HostileConfig, IsShuffled) {
  const std::string pieces[] = {"{",   "}",  "[", "]",   ",",     ": ",    "- ",  "\n",
                                "  ",  "? ", "|", ">",   "'",     "\"",    "&a ", "*a",
                                "!t ", "#",  "a", "run", "model", "layer", "---", "...",
                                "%",   "\t", "~", "1",   "\r",    "ä"};
  RandomStream stream(stream_key(3, "hostile"));
  for (int i = 0; i < 3000; ++i) {
    std::string text = kGood.substr(0, stream.below(kGood.size()));
    for (uint64_t n = stream.below(30); n > 0; --n) text += pieces[stream.below(std::size(pieces))];
    text += kGood.substr(stream.below(kGood.size()));
    problems_of(text);
  }
}

TEST(HostileConfig, IsTooDeep) {
  std::string block;
  for (size_t i = 0; i < 100; ++i) block += std::string(i, ' ') + "a:\n";
  const std::vector<std::string> texts{
      "run: " + repeated("[", 100) + repeated("]", 100), repeated("- ", 200'000), block,
      "run:\n  " + repeated("{a: ", 100) + "b" + repeated("}", 100)};
  for (const std::string& text : texts) {
    const Messages found = problems_of(text);
    ASSERT_EQ(found.size(), 1u) << text.substr(0, 20);
    EXPECT_TRUE(found[0].ends_with("more than 64 nested levels")) << found[0];
  }
  EXPECT_EQ(problems_of("run: " + repeated("[", 200'000)).size(), 1u);
  EXPECT_EQ(problems_of("run: " + repeated("{a: ", 200'000)).size(), 1u);
  EXPECT_EQ(problems_of("run: " + repeated("[", 63) + repeated("]", 63)),
            Messages{"c.yaml:1:6: run: found a list, expected a path"});
}

TEST(HostileConfig, IsTooLong) {
  EXPECT_EQ(
      problems_of("run: r\n" + std::string(2 << 20, '#')),
      Messages{
          "c.yaml:1:1: 2097159 bytes are too large for a config, at most 1048576 are allowed"});
}

TEST(HostileConfig, IsAnAliasBomb) {
  std::string text = "run: r\na0: &a0 [x, x]\n";
  for (int i = 1; i < 30; ++i) text += fmt::format("a{0}: &a{0} [*a{1}, *a{1}]\n", i, i - 1);
  EXPECT_EQ(
      problems_of(text),
      Messages{
          "c.yaml:2:5: anchors (&a0) are not supported; write the value out where it is needed"});
}

void read_all_kinds_of(size_t size) {
  std::string keys, wrong_keys, tests;
  for (int i = 0; keys.size() < size; ++i) keys += fmt::format("k{}: 1\n", i);
  for (int i = 0; wrong_keys.size() < size; ++i) wrong_keys += fmt::format("nmae{}: 1\n", i);
  for (int i = 0; tests.size() < size; ++i) tests += fmt::format("  k{}: 1\n", i);
  const std::vector<std::string> texts{
      "run: [" + std::string(size, ',') + "]",
      "sides: [" + repeated("a,", size / 2) + "]",
      "train: [" + std::string(size, ',') + "]",
      "train:\n" + repeated("-\n", size / 2),
      "run: \"" + std::string(size, 'x') + "\"",
      "run: \"" + std::string(size, 'x'),
      "run: '" + repeated("'' ", size / 3) + "'",
      "run: a" + std::string(size, '\n') + " b",
      "run:" + std::string(size, ' ') + "b",
      "run: |\n" + repeated(" a\n", size / 3),
      repeated("? a\n", size / 4),
      repeated("a: 1\n", size / 5),
      repeated("&a ", size / 3),
      repeated("!a ", size / 3),
      repeated("{a ", size / 3),
      repeated("[a, ", size / 4),
      repeated("---\n", size / 4),
      std::string(size, ','),
      std::string(size, '\n'),
      std::string(size, ':'),
      std::string(size, '%'),
      std::string(size, 'x'),
      repeated("#\n", size / 2),
      keys,
      wrong_keys,
      "test:\n" + tests,
      "scorers:\n" + tests,
  };
  for (const std::string& text : texts) {
    const auto start = std::chrono::steady_clock::now();
    const Messages found = problems_of(text);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_LT(took.count(), 20) << text.substr(0, 30);
    for (const std::string& message : found) ASSERT_LT(message.size(), 1000u);
  }
}

TEST(HostileConfig, IsReadInTimeWhateverItHolds) { read_all_kinds_of(50'000); }

// A little less than the reader accepts.
TEST(SlowHostileConfig, IsReadInTimeWhateverItHolds) { read_all_kinds_of(1'000'000); }

}  // namespace
}  // namespace heed::example
