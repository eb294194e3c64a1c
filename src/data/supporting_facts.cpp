#include "data/supporting_facts.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "text/marker.h"

namespace heed {

namespace {

std::vector<int64_t> begins_of_sentences(const std::vector<std::string>& pieces) {
  std::vector<int64_t> begins;
  if (!pieces.empty()) begins.push_back(0);
  for (size_t p = 0; p < pieces.size(); ++p) {
    if (pieces[p] == kMarkerPiece) begins.push_back(static_cast<int64_t>(p) + 1);
  }
  return begins;
}

// Index of the sentence of each part between markers; nullopt for a part without pieces.
std::vector<std::optional<int64_t>> sentences_of_parts(const SentenceText& story,
                                                       size_t sentence_count,
                                                       const std::string& place) {
  std::vector<std::optional<int64_t>> sentences;
  int64_t next = 0;
  for (const bool has_pieces : story.tokenizer.parts_with_pieces(story.text))
    sentences.push_back(has_pieces ? std::optional(next++) : std::nullopt);
  if (static_cast<size_t>(next) != sentence_count) {
    throw_error(ErrorKind::kData,
                "{}: {} has {} sentences between markers, but the sign {} in its text divides it "
                "into {}: remove the sign",
                place, story.name, next, kMarkerPiece, sentence_count);
  }
  return sentences;
}

int64_t parse_number(std::string_view text, const std::string& place) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1) {
    throw_error(ErrorKind::kData,
                "{}: '{}' is not the number of a sentence; expected numbers from 1, separated by "
                "spaces, such as 2 5",
                place, text);
  }
  return number;
}

std::vector<int64_t> parse_numbers(std::string_view line, const std::string& place) {
  constexpr std::string_view kSpaces = " \t\r";
  std::vector<int64_t> numbers;
  for (size_t begin = line.find_first_not_of(kSpaces); begin != std::string_view::npos;) {
    const size_t end = std::min(line.find_first_of(kSpaces, begin), line.size());
    numbers.push_back(parse_number(line.substr(begin, end - begin), place));
    begin = line.find_first_not_of(kSpaces, end);
  }
  return numbers;
}

}  // namespace

void SupportingFacts::cut(int64_t pieces) {
  for (std::optional<int64_t>& fact : facts) {
    if (fact && begins[static_cast<size_t>(*fact)] >= pieces) fact.reset();
  }
  // Pieces after a marker at the end, such as kEnd, are another sentence.
  std::erase_if(begins, [pieces](int64_t begin) { return begin > pieces; });
}

bool SupportingFacts::lack_some() const {
  return std::ranges::any_of(facts, [](const auto& fact) { return !fact.has_value(); });
}

SupportingFacts read_supporting_facts(std::string_view line, const SentenceText& story,
                                      const std::string& place) {
  SupportingFacts read{.begins = begins_of_sentences(story.pieces), .facts = {}};
  const auto sentences = sentences_of_parts(story, read.begins.size(), place);
  for (const int64_t number : parse_numbers(line, place)) {
    if (number > std::ssize(sentences)) {
      throw_error(ErrorKind::kData,
                  "{}: supporting fact {}, but {} has {} sentence{}; count the sentences between "
                  "markers from 1",
                  place, number, story.name, sentences.size(), sentences.size() == 1 ? "" : "s");
    }
    const auto& sentence = sentences[static_cast<size_t>(number - 1)];
    if (!sentence) {
      throw_error(ErrorKind::kData,
                  "{}: supporting fact {}, but sentence {} of {} is empty; name another one", place,
                  number, number, story.name);
    }
    read.facts.push_back(sentence);
  }
  return read;
}

}  // namespace heed
