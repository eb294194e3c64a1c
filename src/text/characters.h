// One piece a code point. A space is the piece U+2581, so a U+2581 of the text comes back as a
// space; spaces at the ends of a line are dropped.
#pragma once

#include <memory>
#include <string>

#include "text/tokenizer.h"

namespace heed {

class CharacterTokenizer final : public Tokenizer {
 public:
  explicit CharacterTokenizer(bool lower) : lower_(lower) {}
  std::vector<std::string> encode(std::string_view line) const override;
  std::string decode(const std::vector<std::string>& pieces) const override;
  bool lowers() const override { return lower_; }
  std::string text_of(std::string_view piece) const override;

 private:
  bool lower_;
};

struct CharactersConfig final : TokenizerConfig {
  VocabularyConfig vocabulary;
  void own_fields(Fields& f) override;
  const char* unit() const override { return "characters"; }
  std::shared_ptr<Tokenizer> make(const LineSource& lines, uint64_t seed) const override;
  std::shared_ptr<Tokenizer> load(const std::filesystem::path& folder,
                                  const std::string& stem) const override;
  VocabularyConfig* vocabulary_config() override { return &vocabulary; }
};

}  // namespace heed
