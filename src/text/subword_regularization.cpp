#include "text/subword_regularization.h"

#include <algorithm>
#include <set>

#include "base/random.h"

namespace heed {

namespace {

// Another one, whose encode() samples.
class SampledTokenizer final : public Tokenizer {
 public:
  SampledTokenizer(std::shared_ptr<const Codec> codec, const SubwordRegularizationConfig& how,
                   uint64_t key)
      : codec_(std::move(codec)), how_(how), key_(key) {}

  std::vector<std::string> encode(std::string_view line) const override {
    RandomStream draws(key_);
    return best().sample(line, how_, draws);
  }
  std::string decode(const std::vector<std::string>& pieces) const override {
    return best().decode(pieces);
  }
  std::string joined(std::string_view line) const override { return best().joined(line); }
  bool lowers() const override { return best().lowers(); }
  std::string_view opening() const override { return best().opening(); }
  std::vector<std::string> encode_without_language(std::string_view text) const override {
    return best().encode_without_language(text);
  }
  bool needs_language() const override { return best().needs_language(); }
  size_t closing() const override { return best().closing(); }
  std::vector<std::string> words(std::string_view line) const override {
    return best().words(line);
  }
  PieceWords piece_words(std::string_view line,
                         const std::vector<std::string>& pieces) const override {
    return best().piece_words(line, pieces);
  }
  PieceWords written_words(const std::vector<std::string>& pieces) const override {
    return best().written_words(pieces);
  }
  std::string text_of(std::string_view piece) const override { return best().text_of(piece); }
  bool marks() const override { return best().marks(); }
  int64_t empty_parts(std::string_view line) const override { return best().empty_parts(line); }
  std::vector<bool> parts_with_pieces(std::string_view line) const override {
    return best().parts_with_pieces(line);
  }

 private:
  const Tokenizer& best() const { return codec_->tokenizer(); }

  std::shared_ptr<const Codec> codec_;
  const SubwordRegularizationConfig& how_;
  uint64_t key_;
};

}  // namespace

bool SubwordRegularizationConfig::takes(const std::string& side) const {
  return sides.empty() || std::ranges::count(sides, side) > 0;
}

void SubwordRegularizationConfig::fields(Fields& f) {
  f.field("bpe_dropout", bpe_dropout, kDropout,
          "BPE models: probability that a merge is left out (Provilkov 2020); text between spaces "
          "is taken in parts of at most 100 characters");
  f.field("alpha", alpha, Range{0, 1000},
          "unigram models: smoothing α; a segmentation of probability P is drawn in proportion to "
          "P^α (Kudo 2018)");
  f.field(
      "nbest", nbest, IntRange{2, 1024},
      "unigram models: number of segmentations, the best ones, to draw from; lines of more than "
      "16 KiB keep the best");
  f.list("sides", sides, "sides that are sampled, such as [source]; empty: all");
  f.peers("bpe_dropout", {.joeynmt = "dropout (of subword-nmt)",
                          .opennmt = "src_subword_alpha, tgt_subword_alpha",
                          .marian = "sentencepiece-alphas"});
  f.peers("alpha", {.joeynmt = "alpha (of sentencepiece)",
                    .opennmt = "src_subword_alpha, tgt_subword_alpha",
                    .marian = "sentencepiece-alphas"});
  f.peers("nbest", {.joeynmt = "nbest_size (of sentencepiece)",
                    .opennmt = "src_subword_nbest, tgt_subword_nbest"});
}

void SubwordRegularizationConfig::validate(Problems& problems) const {
  if (std::set(sides.begin(), sides.end()).size() < sides.size())
    problems.add("sides", "names one twice");
}

std::shared_ptr<const Codec> sampled(const std::shared_ptr<const Codec>& codec,
                                     const SubwordRegularizationConfig& how, uint64_t key) {
  return std::make_shared<const Codec>(std::make_shared<const SampledTokenizer>(codec, how, key),
                                       codec->shared_vocabulary());
}

}  // namespace heed
