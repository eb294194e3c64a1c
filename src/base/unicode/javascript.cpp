#if defined(__EMSCRIPTEN__)
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "base/unicode/unicode.h"

// Functions of javascript.js.
extern "C" {
int heed_matches(int code, int kind);
char* heed_lower_cased(const char* text, int size);
int32_t* heed_sentence_ends(const char* text, int size,
                            const char* language);  // their number first
char* heed_language_of_tag(const char* tag);
}

namespace heed {

namespace {

constexpr int kMark = 7, kScripts = 8;

template <class T>
using Allocated = std::unique_ptr<T, decltype(&std::free)>;

std::string taken(char* text) { return Allocated<char>(text, &std::free).get(); }

}  // namespace

bool is_of_kind(char32_t character, CharacterKind kind) {
  return heed_matches(static_cast<int>(character), static_cast<int>(kind)) != 0;
}

bool is_mark(char32_t character) { return heed_matches(static_cast<int>(character), kMark) != 0; }

Script script_of(char32_t character) {
  for (int script = 1; script <= static_cast<int>(Script::kMyanmar); ++script)
    if (heed_matches(static_cast<int>(character), kScripts + script - 1) != 0)
      return static_cast<Script>(script);
  return Script::kOther;
}

size_t cells_of(char32_t) { return 1; }  // there is no terminal

// The text ends at a zero byte, which requests do not hold (request/translate_request.h).
std::string lower_cased(std::string_view text) {
  return taken(heed_lower_cased(text.data(), static_cast<int>(text.size())));
}

std::vector<size_t> sentence_ends(std::string_view text, const std::string& language) {
  const Allocated<int32_t> found(
      heed_sentence_ends(text.data(), static_cast<int>(text.size()), language.c_str()), &std::free);
  return {found.get() + 1, found.get() + 1 + *found};
}

std::string language_of_tag(const std::string& tag) {
  return taken(heed_language_of_tag(tag.c_str()));
}

}  // namespace heed
#endif
