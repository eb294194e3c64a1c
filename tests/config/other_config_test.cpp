#include "config/other_config.h"

#include <gtest/gtest.h>

#include "config/parse.h"

namespace heed {
namespace {

std::string toolkit(const std::string& text) {
  std::vector<Problem> problems;
  const auto config = parse_yaml(text, "c.yaml", problems);
  EXPECT_TRUE(config) << text;
  const char* name = config ? toolkit_of(*config) : nullptr;
  return name == nullptr ? "" : name;
}

TEST(OtherConfig, IsKnownByItsKeys) {
  EXPECT_EQ(toolkit("save_data: run\nsrc_vocab: v.src\ndata: {corpus_1: {path_src: a}}\n"),
            "OpenNMT-py");
  EXPECT_EQ(toolkit("data: {corpus_1: {path_src: a, path_tgt: b}}\n"), "OpenNMT-py");
  EXPECT_EQ(
      toolkit("name: m\ndata: {train: data/train, dev: data/dev, src: {lang: de}, trg: {lang: "
              "en}}\ntraining: {epochs: 3}\nmodel: {}\n"),
      "JoeyNMT");
  EXPECT_EQ(toolkit("name: m\ntraining: {epochs: 3}\n"), "JoeyNMT");
  EXPECT_EQ(toolkit("train-sets: [a, b]\nvocabs: [v, w]\ntype: transformer\n"), "Marian");
}

TEST(OtherConfig, IsNoneOfHeed) {
  EXPECT_EQ(toolkit("run: r\ndata: {train: [{source: a, target: b}]}\nmodel: {}\ntrain: {}\n"), "");
  EXPECT_EQ(toolkit("data: [a]\n"), "");
  EXPECT_EQ(toolkit("hidden_size: 3\n"), "") << "one key alone";
  EXPECT_EQ(toolkit("run: r\nhidden_size: 3\nencoder_type: rnn\n"), "");
}

TEST(OtherConfig, ACorpusHasNoKeys) {
  for (const char* text : {"Hello there.\tHallo du.\n", "{\"en\": \"one\"}", "He said: no\n",
                           "# heading\nHello.\n", "12:30\n"})
    EXPECT_EQ(has_no_keys(text), std::string_view(text).front() != '{') << text;
  for (const char* text : {"", "# nothing\n\n", "run: r\n", "\"run\": r\n", "  run:\n",
                           "\trun: r\n", "- source: a\n", "Hello.\nrun: r\n", "{run: r}\n"})
    EXPECT_FALSE(has_no_keys(text)) << text;
}

}  // namespace
}  // namespace heed
