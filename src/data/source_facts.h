// Properties of source lines, and the share of training lines that have them. A line with a
// property that hardly any training line has is unlike the training data.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/fields.h"
#include "data/training_text.h"
#include "text/codec.h"

namespace heed {

struct LineProperties {
  bool unknown_tokens = false;  // a token is outside the vocabulary
  // Letter case: false if most letters of the line have no case, or if the tokenizer lower-cases.
  bool all_capitals = false;   // six capital letters or more, and no small one
  bool first_capital = false;  // its first letter is a capital one
  bool first_small = false;    // its first letter is a small one
  bool inline_tags = false;    // has a tag of HTML or XML: <b>, </b>, <br/>
};

// ids: the line as the codec encodes it.
LineProperties properties_of(std::string_view line, const Ids& ids, const Codec& codec);

// Shares of the lines, from 0 to 1; nullopt: unknown. Part of the config of a model folder.
struct SourceFacts final : Settings {
  std::optional<double> several_sentences, unknown_tokens, all_capitals, first_capital, first_small,
      inline_tags;
  // Words with a period behind which lines of the training go on more often than they end, sorted
  // (base/sentences.h): "Dr.".
  std::vector<std::string> abbreviations;
  void fields(Fields& f) override;
  // True if at least one line in ten has several sentences: the model has learned to translate them
  // together.
  bool has_several_sentences() const { return several_sentences.value_or(0) >= 0.1; }
  // One line in 25 or fewer has several sentences: of such lines the model leaves sentences out.
  bool has_single_sentences() const { return several_sentences.value_or(1) <= 0.04; }
};

// True if fewer than one training line in 200 has the property: a line with it is unlike the
// training data.
inline bool is_rare(const std::optional<double>& share) { return share.value_or(1) < 0.005; }

// Facts about one side of the text, from about 20,000 lines at equal distances; sentences from about
// 200,000. language: language of the side (base/sentences.h). Throws Error(kIo).
SourceFacts find_source_facts(const TrainingText& text, size_t side, const Codec& codec,
                              const std::string& language);

// Language of one side: the name of the source, or else the extension of its files, such as
// train.en, if all files agree; "" if both are unknown.
std::string language_of_side(const TrainingText& text, size_t side, std::string_view name);
// The same of one corpus.
std::string language_of_side(const TextPart& part, size_t side, std::string_view name);

}  // namespace heed
