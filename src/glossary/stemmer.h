// Stems of words for glossaries, by the algorithms of Snowball.
#pragma once

#include <string>
#include <vector>

#include "glossary/glossary_file.h"
#include "text/codec.h"

namespace heed {

// How terms are compared with texts.
enum class GlossaryMatch { kExact, kStem };
inline constexpr const char* kGlossaryMatches[] = {"exact", "stem"};  // by GlossaryMatch
// Throws nothing for one of the words; kExact for others.
GlossaryMatch glossary_match_of(const std::string& word);

// An empty function for a language without stems. language: its code, ISO 639.
StemFunction find_stems(const std::string& language);
std::vector<std::string> languages_with_stems();  // their names

// Stems of both languages; a target language without stems has no forms. target: of the model, whose
// words show how words are inflected. Throws Error(kUsage) if the source language has no stems.
GlossaryStems glossary_stems(const GlossaryLanguages& languages, const Codec& target);

}  // namespace heed
