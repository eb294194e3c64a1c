// Models that the program trains once for the tests of the library.
#pragma once

#include "cli/trained_model.h"
#include "heed/translator_v0.h"

namespace heed {

// A Transformer, which needs no libtorch, in runs/toy; a model with tags, which needs it, in runs/tags.
class LibraryWorkshop : public ToyWorkshop {
 public:
  static const LibraryWorkshop& trained() {
    static const LibraryWorkshop workshop;
    return workshop;
  }
  std::string fast() const { return (*this / "runs/toy").string(); }
  std::string other() const { return (*this / "runs/tags").string(); }

 private:
  LibraryWorkshop() {
    train(
        {"model={embedding: {width: 32}, encoder: {type: transformer, layers: 1, width: 32, "
         "feed_forward: 64, self_attention: {score: scaled_dot, heads: 4}}, decoder: {type: "
         "transformer, layers: 1, width: 32, feed_forward: 64, self_attention: {score: "
         "scaled_dot, heads: 4}, attention: {score: scaled_dot, heads: 4}}}",
         "train.max_updates=200"});
    train({"run=runs/tags",
           "data.train=[{source: train.src, target: train.tgt, tag: same}, {source: valid.src, "
           "target: valid.tgt, tag: other}]",
           "data.valid={source: valid.src, target: valid.tgt, tag: same}",
           "train.max_updates=100"});
  }
  void train(const Arguments& settings) const {
    Arguments arguments{"train", "toy.yaml"};
    for (const std::string& setting : settings)
      arguments.insert(arguments.end(), {"--set", setting});
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  }
};

class OfTheLibrary : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  static const LibraryWorkshop& workshop() { return LibraryWorkshop::trained(); }
  static std::vector<std::string> texts() { return lines_of(workshop().read("valid.src")); }
};

}  // namespace heed

// The statement throws a v0::Error of this kind whose message holds `part`.
#define EXPECT_PUBLIC_ERROR(statement, expected, part)                                    \
  do {                                                                                    \
    try {                                                                                 \
      statement;                                                                          \
      ADD_FAILURE() << "nothing was thrown";                                              \
    } catch (const ::heed::v0::Error& error) {                                            \
      EXPECT_EQ(error.kind(), ::heed::v0::ErrorKind::expected) << error.what();           \
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what(); \
    }                                                                                     \
  } while (false)
