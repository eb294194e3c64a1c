// Augments the text of training pairs. The text of a pair in an epoch is a pure function of (settings,
// seed, epoch, pair): each modifier draws from a random stream of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/annotations.h"
#include "data/augment/modifiers.h"
#include "data/pair_index.h"
#include "text/codec.h"

namespace heed {

struct EpochSeed {
  uint64_t seed = 1;
  int64_t epoch = 0;
};

// Lines of a pair, of the sources and of the target, and its annotations.
struct PairLines {
  std::vector<std::string> lines;
  Annotations annotations{};
  std::vector<std::vector<size_t>> masked{};  // numbers of the masked words of each side, or empty
};

// Names of all modifiers, in the order in which they are applied.
const std::vector<std::string>& modifier_names();
// A bit for each of them.
using ModifierBits = uint32_t;

class Augmenter {
 public:
  using Read = std::function<PairLines(PairId pair)>;
  // Languages of the sides of a corpus, as codes; "": unknown.
  using Languages = std::vector<std::string>;

  // codecs: of the sources, then of the target. aligned: number of the source with word alignments.
  // languages: of each part of the index.
  Augmenter(const AugmentConfig& config, std::vector<std::shared_ptr<const Codec>> codecs,
            size_t aligned, std::vector<Languages> languages);

  // The lines with <unk> for masked words.
  std::vector<std::string> shown(const PairLines& text) const;

  // Modifiers that are drawn for a pair.
  ModifierBits drawn(PairId pair, const EpochSeed& at) const;

  struct Result {
    PairLines text;
    ModifierBits changed = 0;  // modifiers that found something to change
  };
  // Text of a pair of part `number`. read: of this pair, and of others that are joined with it. A pair
  // with a word alignment that its lines do not fit stays as it is.
  Result augment(PairId pair, const EpochSeed& at, size_t number, const IndexPart& part,
                 const Read& read) const;

 private:
  // nullopt: alignment or mask count other words than the lines have.
  std::optional<AugmentedPair> words_of(const PairLines& text, size_t part) const;
  bool join(AugmentedPair& pair, PairId id, RandomStream& draws, size_t number,
            const IndexPart& part, const Read& read) const;

  AugmentConfig config_;
  std::vector<std::shared_ptr<const Codec>> codecs_;
  size_t aligned_;
  std::vector<Languages> languages_;
};

}  // namespace heed
