#include "data/augment/augment_config.h"

namespace heed {

void WordNoiseConfig::fields(Fields& f) {
  f.field("probability", probability, kFraction, "probability of a pair");
  f.field("rate", rate, kFraction,
          "probability of each word of such a pair; at least one word is changed");
}

void JoinConfig::fields(Fields& f) {
  f.field("probability", probability, kFraction, "probability of a pair");
  f.field("sentences", sentences, IntRange{2, 16},
          "maximum number of pairs that become one, this one included; 2 or more are drawn");
}

void AugmentConfig::fields(Fields& f) {
  f.section("join", join,
            "joined lines: the pair and others of its corpus, drawn at random, become one pair");
  f.section("drop", drop, "words left out of the sources; at least half of the words stay");
  f.section("mask", mask, "words of the sources of which each token is read as <unk>");
  f.field("punctuation", punctuation, kFraction,
          "probability that the final punctuation of a pair is left out, or that a period is added "
          "where all sides have none");
  f.field("upper_case", upper_case, kFraction,
          "probability that a pair is written in capital letters on all sides");
  f.field("title_case", title_case, kFraction,
          "probability that each word of a pair begins with a capital letter on all sides");
  f.section("typos", typos,
            "typing errors in words of four letters or more of the sources: two letters swapped, a "
            "letter left out, doubled, or replaced by its neighbour on the keyboard");
  f.field("tags", tags, kFraction,
          "probability that a tag such as <b>…</b> is put around a word of the source and the word "
          "of the target that is aligned with it; needs `alignment` in data.train");
  f.field("emoji", emoji, kFraction,
          "probability that an emoji is inserted at the same position of all sides: at the "
          "beginning, at the end, or with an `alignment` behind aligned words");
  f.field("urls", urls, kFraction, "the same probability for a made-up web address");
  f.field("placeholders", placeholders, kFraction,
          "the same probability for a placeholder such as {0}, %s or {{name}}");
  f.peers("upper_case", {.opennmt = "upper_corpus_ratio", .also = "UpperCase"});
  f.peers("title_case", {.also = "TitleCase"});
  f.peers("drop", {.opennmt = "tokendrop_temperature"});
  f.peers("mask", {.opennmt = "tokenmask_temperature"});
  f.peers("tags", {.opennmt = "tags_corpus_ratio", .also = "inlinetags"});
}

}  // namespace heed
