#include "glossary/stemmer.h"

#include <libstemmer.h>

#include <memory>
#include <mutex>

#include "base/error.h"
#include "base/log.h"
#include "base/utf8.h"

namespace heed {

namespace {

// A stemmer of libstemmer holds the word that it works on, so threads take turns.
class Stemmer {
 public:
  // Its function is() is false if the library has no such language.
  explicit Stemmer(const std::string& language)
      : stemmer_(sb_stemmer_new(language.c_str(), "UTF_8"), &sb_stemmer_delete) {}
  bool is() const { return stemmer_ != nullptr; }

  std::string operator()(const std::string& word) {
    const std::string lowered = lower_case(word);
    const std::lock_guard lock(mutex_);
    const sb_symbol* stem =
        sb_stemmer_stem(stemmer_.get(), reinterpret_cast<const sb_symbol*>(lowered.data()),
                        static_cast<int>(lowered.size()));
    if (stem == nullptr) throw std::bad_alloc();
    return {reinterpret_cast<const char*>(stem),
            static_cast<size_t>(sb_stemmer_length(stemmer_.get()))};
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<sb_stemmer, decltype(&sb_stemmer_delete)> stemmer_;
};

}  // namespace

GlossaryMatch glossary_match_of(const std::string& word) {
  return word == kGlossaryMatches[1] ? GlossaryMatch::kStem : GlossaryMatch::kExact;
}

StemFunction find_stems(const std::string& language) {
  if (language.empty()) return {};
  const auto stemmer = std::make_shared<Stemmer>(language);
  if (!stemmer->is()) return {};
  return [stemmer](const std::string& word) { return (*stemmer)(word); };
}

std::vector<std::string> languages_with_stems() {
  std::vector<std::string> names;
  for (const char** name = sb_stemmer_list(); *name != nullptr; ++name)
    if (std::string_view(*name) != "porter") names.emplace_back(*name);  // a second one for English
  return names;
}

GlossaryStems glossary_stems(const GlossaryLanguages& languages, const Codec& target) {
  GlossaryStems stems{.source = find_stems(languages.source), .target = {}};
  if (!stems.source)
    throw_error(ErrorKind::kUsage,
                "matching terms by stems: the source language is {}, expected one of {}",
                languages.source.empty() ? "unknown" : "'" + languages.source + "'",
                fmt::join(languages_with_stems(), ", "));
  if (StemFunction own = find_stems(languages.target))
    stems.target = std::make_shared<const WordForms>(std::move(own), words_of(target));
  else
    spdlog::info(
        "the target language is {}, which has no stems: target terms are required as the "
        "glossary has them",
        languages.target.empty() ? "unknown" : "'" + languages.target + "'");
  return stems;
}

}  // namespace heed
